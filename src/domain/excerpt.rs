//! The short plain text under a title, in descriptions and in feeds.

use unicode_segmentation::UnicodeSegmentation;

use crate::domain::{cjk::is_wide_punctuation, markdown::Rendered};

/// Characters of an excerpt that is made from the text: about three lines on a
/// card, in scripts that are wide or narrow.
#[must_use]
pub fn excerpt_graphemes(lang: &str) -> usize {
    let is_wide = ["zh", "ja", "ko"].iter().any(|wide| lang.starts_with(wide));
    if is_wide { 100 } else { 180 }
}

/// Plain text of at most `max_graphemes` user-perceived characters, white space joined to single
/// spaces, with `…` as the last one where something was cut.
///
/// Cuts between grapheme clusters (UAX 29), so no emoji, accent or flag is torn (case C52), and
/// before the last word of a spaced script rather than inside it.
#[must_use]
pub fn excerpt(text: &str, max_graphemes: usize) -> String {
    let joined = joined(text);
    let mut graphemes = joined.grapheme_indices(true);
    if graphemes.clone().nth(max_graphemes).is_none() {
        return joined;
    }
    // One place is kept for the ellipsis.
    let Some(kept) = max_graphemes.checked_sub(1) else {
        return String::new();
    };
    let end = graphemes.nth(kept).map_or(joined.len(), |(start, _)| start);
    let head = joined.get(..end).unwrap_or_default();
    let head = without_torn_word(head, joined.get(end..).unwrap_or_default());
    format!("{}…", head.trim_end_matches(|c: char| c.is_whitespace() || ",;:，；：、".contains(c)))
}

/// Words and paragraphs on one line, with single spaces; none after full-width punctuation, which
/// brings its own.
fn joined(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !line.is_empty() && !line.ends_with(is_wide_punctuation) {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Drops a Latin word that the cut went through, if that costs little.
fn without_torn_word<'t>(head: &'t str, tail: &str) -> &'t str {
    let is_spaced_letter = |c: char| c.is_alphanumeric() && !crate::domain::cjk::is_cjk(c);
    if !tail.starts_with(is_spaced_letter) {
        return head;
    }
    let whole = head.trim_end_matches(is_spaced_letter);
    if head.len() - whole.len() <= 20 && whole.len() * 2 >= head.len() { whole } else { head }
}

/// The excerpt of a post: what stands before `<!--more-->`, or else the beginning of the text.
///
/// Blocks of code, display formulas and footnotes are left out. `<!--more-->` inside code is code.
#[must_use]
pub fn post_excerpt(post: &Rendered, max_graphemes: usize) -> String {
    excerpt(&post.summary, max_graphemes)
}

#[cfg(test)]
mod tests {
    use super::{excerpt, post_excerpt};
    use crate::domain::markdown::{Profile, render};
    use unicode_segmentation::UnicodeSegmentation;

    fn of_post(source: &str, max: usize) -> String {
        let post = render(source, &Profile::Post { id: "p".to_owned() }).unwrap();
        post_excerpt(&post, max)
    }

    #[test]
    fn an_ellipsis_only_when_something_was_cut() {
        assert_eq!(excerpt("五个字正好", 5), "五个字正好");
        assert_eq!(excerpt("五个字正好。", 5), "五个字正…");
        assert_eq!(excerpt(" a \n b\u{3000}c ", 9), "a b c");
        assert_eq!(excerpt("第一段。\n第二段，\n用 Rust 写", 20), "第一段。第二段，用 Rust 写");
        assert_eq!(excerpt("abc", 0), "");
        assert_eq!(excerpt("", 10), "");
    }

    #[test]
    fn the_cut_never_tears_a_cluster_entity_or_tag() {
        // case C52, lengths shifted by three around the limit
        let inputs = include_str!("../../tests/cases/C52.txt");
        for line in inputs.lines().filter(|line| !line.starts_with('#')) {
            let body = line.trim_start_matches('字');
            for count in 144..=156 {
                let source = format!("{}{body}", "字".repeat(count));
                let short = of_post(&source, 150);
                assert!(short.graphemes(true).count() <= 150);
                let whole = of_post(&source, 10_000);
                let kept = short.strip_suffix('…').unwrap_or(&short);
                assert!(whole.starts_with(kept), "{kept} is not the beginning of {whole}");
                assert!(whole.graphemes(true).zip(kept.graphemes(true)).all(|(a, b)| a == b));
                assert!(!short.contains("&am") && !short.contains("&lt"), "{short}");
            }
        }
    }

    #[test]
    fn more_ends_the_excerpt_but_not_inside_code() {
        assert_eq!(of_post("前言\n\n<!--more-->\n\n正文", 100), "前言");
        assert_eq!(of_post("前言 <!-- more --> 正文", 100), "前言");
        assert_eq!(
            of_post("前 `<!--more-->` 言\n\n    <!--more-->\n\n后", 100),
            "前 <!--more--> 言 后"
        );
        assert_eq!(of_post("没有标记", 100), "没有标记");
    }

    #[test]
    fn latin_words_are_kept_whole() {
        assert_eq!(excerpt("Server rendered pages are quick", 15), "Server…");
        assert_eq!(excerpt("Server rendered pages are quick", 18), "Server rendered…");
    }
}
