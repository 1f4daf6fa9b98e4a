//! The small copy of a comment that its post carries.

use mongodb::bson::{DateTime, oid::ObjectId};
use serde::{Deserialize, Serialize};
use unicode_segmentation::UnicodeSegmentation;

use super::{author_card::AuthorCard, excerpt::excerpt, markdown::Rendered, safe_html::SafeHtml};

/// Newest comments that a post carries.
pub const LATEST_COMMENTS: i32 = 5;

/// A comment's text on the post page, in grapheme clusters.
const CARD_GRAPHEMES: usize = 200;

/// Its HTML, in bytes: 200 characters may hide very long addresses.
const CARD_BYTES: usize = 2_000;

/// Who wrote a comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Commenter {
    Member(AuthorCard),
    /// Somebody without an account; the name is as typed and stays so.
    Guest {
        name: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        website: Option<String>,
    },
}

impl Commenter {
    /// The copy for a post.
    #[must_use]
    pub fn small(&self) -> Self {
        match self {
            Self::Member(card) => Self::Member(card.clone().small()),
            Self::Guest { .. } => self.clone(),
        }
    }

    /// The card of a member; a guest has none.
    #[must_use]
    pub fn member(&self) -> Option<&AuthorCard> {
        match self {
            Self::Member(card) => Some(card),
            Self::Guest { .. } => None,
        }
    }

    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Member(card) => &card.name,
            Self::Guest { name, .. } => name,
        }
    }
}

/// A comment as embedded in `posts.latestComments` and `posts.topComments`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentCard {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub author: Commenter,
    pub html: SafeHtml,
    /// The comment goes on; its own page has the rest.
    #[serde(default)]
    pub is_cut: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent_id: Option<ObjectId>,
    pub created_at: DateTime,
    /// Only in `topComments`: a like must not rewrite the newest five.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub likes: Option<i64>,
}

impl CommentCard {
    /// The HTML for a card and whether it was cut: the comment itself if it is
    /// short, else the beginning of its text.
    #[must_use]
    pub fn html_of(rendered: &Rendered) -> (SafeHtml, bool) {
        let is_short = rendered.text.graphemes(true).nth(CARD_GRAPHEMES).is_none();
        if is_short && rendered.html.as_str().len() <= CARD_BYTES {
            return (rendered.html.clone(), false);
        }
        let mut beginning = excerpt(&rendered.text, CARD_GRAPHEMES);
        if beginning.len() > CARD_BYTES {
            // One cluster may hold any number of marks.
            beginning = beginning.chars().take(CARD_GRAPHEMES).collect();
        }
        (SafeHtml::paragraph(&beginning), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::markdown::{Profile, render};

    fn card(source: &str) -> (String, bool) {
        let rendered = render(source, &Profile::Comment { id: "x".to_owned() }).unwrap();
        let (html, is_cut) = CommentCard::html_of(&rendered);
        (html.to_string(), is_cut)
    }

    #[test]
    fn a_short_comment_is_whole_and_a_long_one_is_cut() {
        let (html, is_cut) = card("写得**真**好");
        assert_eq!((html.trim_end(), is_cut), ("<p>写得<strong>真</strong>好</p>", false));
        let (html, is_cut) = card(&"字".repeat(201));
        assert!(is_cut && html.ends_with("…</p>"), "{html}");
        // One that ends in an ellipsis of its own is no shorter for that.
        let (html, is_cut) = card(&format!("{}……", "字".repeat(400)));
        assert!(is_cut && html.chars().count() < 220, "{html}");
    }

    #[test]
    fn a_card_is_small_whatever_was_typed() {
        let marks = format!("a{}", "\u{301}".repeat(4999));
        let addresses = "[x](https://example.org/aaaaaaaaaaaaaaaaaaaaaaaaaaaaa) ".repeat(80);
        for source in [marks, addresses, "\u{1F468}\u{200D}\u{1F469}".repeat(400)] {
            let (html, is_cut) = card(&source);
            assert!(is_cut && html.len() <= 2 * CARD_BYTES, "{} bytes", html.len());
        }
    }
}
