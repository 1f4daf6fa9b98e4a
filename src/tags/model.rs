//! Tags as stored.

use mongodb::bson::{Document, doc};
use serde::{Deserialize, Serialize};

use crate::domain::paging::CountCursor;

/// A document of `tags`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Tag {
    /// The normal form: lowercase, no spaces.
    #[serde(rename = "_id")]
    pub id: String,
    /// As the first author who used it typed it.
    pub display: String,
    /// Published posts.
    pub post_count: i64,
}

/// A tag as an author puts it on a post.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagName {
    /// The normal form.
    pub id: String,
    /// As typed.
    pub display: String,
}

impl Tag {
    #[must_use]
    pub fn cursor(&self) -> CountCursor {
        CountCursor { count: self.post_count, id: self.id.clone() }
    }

    #[must_use]
    pub fn projection() -> Document {
        doc! { "display": 1, "postCount": 1 }
    }
}
