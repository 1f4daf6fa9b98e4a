//! Revisions as stored.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

/// A document of `revisions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Revision {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub post_id: ObjectId,
    pub version: i64,
    pub title: String,
    /// Markdown.
    pub source: String,
    /// Who wrote it. Not under a name: names change, and go with their account.
    pub by: ObjectId,
    pub at: DateTime,
}

impl Revision {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "postId": 1, "version": 1, "title": 1, "source": 1, "by": 1, "at": 1 }
    }
}

/// A revision on a list.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RevisionRow {
    pub version: i64,
    pub title: String,
    pub by: ObjectId,
    pub at: DateTime,
}

impl RevisionRow {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "version": 1, "title": 1, "by": 1, "at": 1 }
    }
}
