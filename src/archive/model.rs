//! Months as stored.

use mongodb::bson::{Document, doc};
use serde::{Deserialize, Serialize};

use crate::domain::month::Month;

/// A document of `archive_months`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ArchiveMonth {
    #[serde(rename = "_id")]
    pub month: Month,
    /// Published posts.
    pub post_count: i64,
}

impl ArchiveMonth {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "postCount": 1 }
    }
}
