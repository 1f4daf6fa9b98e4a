//! The headings of a post: their levels without gaps, their ids, the table of contents.

use std::collections::{HashMap, HashSet};

use pulldown_cmark::{Event, Tag, TagEnd};

use super::{Profile, TocEntry};

/// The ids of headings begin with this, and nothing else on a page does: no heading can collide
/// with the layout (main, q, comments, reply, c-…, i-…), a form field or a footnote (fn-…).
///
/// They do not hold the post's id, so that links to them stay short: no page shows two whole posts.
const ID_PREFIX: &str = "h-";
/// The title of the page is its h1, so the text begins at h2.
const FIRST_LEVEL: u8 = 2;
/// HTML knows no h7.
const LAST_LEVEL: u8 = 6;
/// Characters of an id, without its prefix and number.
const ID_CHARS: usize = 60;

/// The headings of a text, in order.
#[derive(Debug, Default)]
pub(super) struct Outline {
    /// One entry for each heading of the body.
    pub(super) toc: Vec<TocEntry>,
    ids: HashSet<String>,
}

impl Outline {
    /// The outline of a post; that of a comment is empty, as comments have no headings.
    pub(super) fn of(body: &[Event<'_>], profile: &Profile) -> Self {
        let mut outline = Self::default();
        if profile.is_comment() {
            return outline;
        }
        // The source levels of the headings above the current one.
        let mut above: Vec<u8> = Vec::new();
        // How often an id was asked for, so that the hundredth "Note" needs no hundred tries.
        let mut asked: HashMap<String, usize> = HashMap::new();
        let mut current: Option<(u8, String)> = None;
        for event in body {
            match event {
                Event::Start(Tag::Heading { level, .. }) => {
                    let level = *level as u8;
                    above.retain(|&higher| higher < level);
                    let depth = u8::try_from(above.len()).unwrap_or(LAST_LEVEL);
                    above.push(level);
                    current = Some(((FIRST_LEVEL + depth).min(LAST_LEVEL), String::new()));
                }
                Event::End(TagEnd::Heading(_)) => {
                    if let Some((level, text)) = current.take() {
                        let text = text.trim().to_owned();
                        let id = outline.free_id(&text, &mut asked);
                        outline.toc.push(TocEntry { level, id, text });
                    }
                }
                Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => {
                    if let Some((_, heading)) = &mut current {
                        heading.push_str(text);
                    }
                }
                Event::SoftBreak | Event::HardBreak => {
                    if let Some((_, heading)) = &mut current {
                        heading.push(' ');
                    }
                }
                _ => {}
            }
        }
        outline
    }

    /// The fragment that a link to `#fragment` means: authors write the heading's words, as on
    /// other sites, and do not know of our prefix.
    pub(super) fn heading_of(&self, fragment: &str) -> Option<String> {
        let id = format!("{ID_PREFIX}{fragment}");
        self.ids.contains(&id).then_some(id)
    }

    fn free_id(&mut self, heading: &str, asked: &mut HashMap<String, usize>) -> String {
        let base = words_of(heading);
        let wanted = format!("{ID_PREFIX}{base}");
        let count = asked.entry(base).or_insert(0);
        let id = loop {
            *count += 1;
            let id = if *count == 1 { wanted.clone() } else { format!("{wanted}-{count}") };
            if !self.ids.contains(&id) {
                break id;
            }
        };
        self.ids.insert(id.clone());
        id
    }
}

/// The words of a heading joined by hyphens, in lower case; Chinese stays Chinese. The same
/// heading has the same id however the rest of the post changes.
fn words_of(heading: &str) -> String {
    let mut id = String::new();
    let mut length = 0;
    for c in heading.chars().flat_map(char::to_lowercase) {
        if length == ID_CHARS {
            break;
        }
        if c.is_alphanumeric() || c == '_' {
            id.push(c);
            length += 1;
        } else if !id.is_empty() && !id.ends_with('-') && !matches!(c, '\'' | '’' | '`') {
            id.push('-');
            length += 1;
        }
    }
    let id = id.trim_end_matches('-');
    if id.is_empty() { "section".to_owned() } else { id.to_owned() }
}
