//! The sample's texts taken apart, and the words beside them: what bulk content
//! is put together from, one language at a time.

use std::{cmp::Reverse, collections::HashMap};

use anyhow::Context;

use super::random::Random;
use crate::seed::content::{Content, SamplePost, Words};

/// The pieces of one language.
pub struct Material {
    pub words: Words,
    /// Titles and slugs of the sample.
    pub topics: Vec<Topic>,
    /// The most used first.
    pub tags: Vec<String>,
    headings: Vec<String>,
    paragraphs: Vec<String>,
    /// Lists, quotations, tables, code.
    blocks: Vec<String>,
    sentences: Vec<String>,
    /// Whole comments, and the sentences of all comments.
    remarks: Vec<String>,
    remark_sentences: Vec<String>,
}

pub struct Topic {
    pub title: String,
    pub slug: String,
}

impl Material {
    /// One for each language there are words of.
    ///
    /// # Errors
    /// There are no words of any language.
    pub fn of(content: Content) -> anyhow::Result<Vec<Self>> {
        let posts = content.posts;
        let all: Vec<_> = content.words.into_iter().map(|words| one(words, &posts)).collect();
        all.first().context("seed/words.toml has no language")?;
        Ok(all)
    }

    /// # Errors
    /// The sample has no text of this language.
    pub fn body(&self, random: &mut Random) -> anyhow::Result<String> {
        let mut blocks = Vec::new();
        for section in 0..random.heavy(7) {
            if section > 0 {
                blocks.push(random.pick(&self.headings)?.clone());
            }
            for _ in 0..=random.heavy(6) {
                let block = match random.below(10) {
                    0..5 => self.run(&self.sentences, random, 6)?,
                    5..8 => random.pick(&self.paragraphs)?.clone(),
                    _ => random.pick(&self.blocks)?.clone(),
                };
                blocks.push(block);
            }
        }
        Ok(blocks.join("\n\n"))
    }

    /// The text of a comment.
    ///
    /// # Errors
    /// As [`Material::body`].
    pub fn remark(&self, random: &mut Random) -> anyhow::Result<String> {
        if random.percent(40) {
            Ok(random.pick(&self.remarks)?.clone())
        } else {
            let most = random.heavy(8);
            self.run(&self.remark_sentences, random, most)
        }
    }

    /// # Errors
    /// There are no words.
    pub fn title(&self, topic: &Topic, tag: &str, random: &mut Random) -> anyhow::Result<String> {
        let pattern = random.pick_early(&self.words.titles)?;
        let number = (random.below(11) + 2).to_string();
        Ok(pattern
            .replace("{place}", random.pick(&self.words.places)?)
            .replace("{number}", &number)
            .replace("{tag}", tag)
            .replace("{title}", &topic.title))
    }

    /// Some sentences one after the other, from a place in the sample.
    fn run(&self, from: &[String], random: &mut Random, most: usize) -> anyhow::Result<String> {
        let start = random.below(from.len());
        let length = random.below(most) + 1;
        let sentences: Vec<_> = from.iter().skip(start).take(length).map(String::as_str).collect();
        random.pick(&sentences)?;
        // Chinese sentences stand close together.
        let between = if self.words.lang.starts_with("zh") { "" } else { " " };
        Ok(sentences.join(between))
    }
}

fn one(words: Words, posts: &[SamplePost]) -> Material {
    let posts: Vec<_> = posts.iter().filter(|post| post.lang == words.lang).collect();
    let mut material = Material {
        topics: posts
            .iter()
            .map(|post| Topic { title: post.title.clone(), slug: post.slug.clone() })
            .collect(),
        tags: tags(&posts),
        words,
        headings: Vec::new(),
        paragraphs: Vec::new(),
        blocks: Vec::new(),
        sentences: Vec::new(),
        remarks: Vec::new(),
        remark_sentences: Vec::new(),
    };
    for post in posts {
        for block in blocks(&post.body) {
            material.keep(block);
        }
        for comment in &post.comments {
            material.remarks.push(comment.body.clone());
            material.remark_sentences.extend(sentences(&comment.body));
        }
    }
    material.tags.extend(material.words.tags.iter().cloned());
    material
}

impl Material {
    fn keep(&mut self, block: String) {
        // Notes and links by name lead to other blocks; pictures and raw HTML
        // belong to their post; what is set in begins elsewhere.
        let leads_away = ["[^", "][", "]:", "![", "<", "{"].iter().any(|mark| block.contains(mark));
        match block.chars().next() {
            Some('`') => self.blocks.push(block),
            _ if leads_away => {}
            Some('#') if block.starts_with("## ") => self.headings.push(block),
            Some('-' | '*' | '>' | '|' | '1') if block.contains(' ') => self.blocks.push(block),
            Some(c) if c.is_alphabetic() || "“「《".contains(c) => {
                if !block.contains(['*', '_', '`', '$', '\\', '|']) {
                    self.sentences.extend(sentences(&block));
                }
                self.paragraphs.push(block);
            }
            _ => {}
        }
    }
}

/// The tags of the posts, the most used first.
fn tags(posts: &[&SamplePost]) -> Vec<String> {
    let mut uses: HashMap<&str, usize> = HashMap::new();
    for tag in posts.iter().flat_map(|post| &post.tags) {
        *uses.entry(tag).or_default() += 1;
    }
    let mut tags: Vec<_> = uses.into_iter().collect();
    tags.sort_by_key(|(tag, uses)| (Reverse(*uses), *tag));
    tags.into_iter().map(|(tag, _)| tag.to_owned()).collect()
}

/// The blocks of a Markdown text: what blank lines part, code kept whole.
fn blocks(body: &str) -> Vec<String> {
    let mut all = vec![String::new()];
    let mut in_code = false;
    for line in body.lines() {
        in_code ^= line.starts_with("```");
        if line.trim().is_empty() && !in_code {
            all.push(String::new());
        } else if let Some(block) = all.last_mut() {
            if !block.is_empty() {
                block.push('\n');
            }
            block.push_str(line);
        }
    }
    all.retain(|block| !block.is_empty());
    all
}

/// The sentences of a text, each with its full stop and closing quotation marks.
fn sentences(text: &str) -> Vec<String> {
    const CLOSING: [char; 6] = ['”', '’', '」', '）', '"', ')'];
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut all = Vec::new();
    let mut sentence = String::new();
    let mut chars = text.chars().peekable();
    let mut has_ended = false;
    while let Some(c) = chars.next() {
        sentence.push(c);
        has_ended = "。！？".contains(c)
            || (".!?".contains(c) && chars.peek().is_none_or(|next| " ”’\")".contains(*next)))
            || (has_ended && CLOSING.contains(&c));
        let goes_on =
            chars.peek().is_some_and(|next| CLOSING.contains(next) || "。！？".contains(*next));
        if has_ended && !goes_on {
            all.push(sentence.trim().to_owned());
            sentence.clear();
            has_ended = false;
        }
    }
    let rest = sentence.trim();
    if !rest.is_empty() {
        all.push(rest.to_owned());
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(
            sentences("他说：“走吧。”我们走了！真的吗？！\n没有了"),
            ["他说：“走吧。”", "我们走了！", "真的吗？！", "没有了"]
        );
        assert_eq!(
            sentences("Version 2.0 is out. “Really?” Yes (I think.) Bye"),
            ["Version 2.0 is out.", "“Really?”", "Yes (I think.)", "Bye"]
        );
    }

    #[test]
    fn code_stays_whole() {
        assert_eq!(
            blocks("a\nb\n\n```rust\nx\n\ny\n```\n\nc"),
            ["a\nb", "```rust\nx\n\ny\n```", "c"]
        );
    }

    #[test]
    fn there_is_plenty_of_every_piece_in_both_languages() {
        let all = Material::of(Content::load().unwrap()).unwrap();
        assert_eq!(all.len(), 2);
        for material in all {
            let counts = [
                material.topics.len(),
                material.tags.len(),
                material.headings.len(),
                material.paragraphs.len(),
                material.blocks.len(),
                material.sentences.len(),
                material.remarks.len(),
                material.remark_sentences.len(),
            ];
            assert!(counts.iter().all(|count| *count >= 20), "{counts:?}");
        }
    }
}
