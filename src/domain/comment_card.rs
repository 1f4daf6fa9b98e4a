//! The small copy of a comment that its post carries.

use mongodb::bson::{DateTime, oid::ObjectId};
use serde::{Deserialize, Serialize};

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
        let beginning = excerpt(&rendered.text, CARD_GRAPHEMES);
        let is_cut = beginning.ends_with('…') && !rendered.text.trim_end().ends_with('…');
        if is_cut || rendered.html.as_str().len() > CARD_BYTES {
            (SafeHtml::paragraph(&beginning), true)
        } else {
            (rendered.html.clone(), false)
        }
    }
}
