//! The small copy of a person that posts and comments carry.

use mongodb::bson::oid::ObjectId;
use serde::{Deserialize, Serialize};

/// A member as embedded in the things they wrote. Never queried by name; a
/// rename reaches every copy through the ids beside it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthorCard {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub username: String,
    /// Display name.
    pub name: String,
    /// Address of a picture; without one, a seal with the name's first
    /// character is drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    /// `cardVersion` of the user when this copy was made.
    pub v: i64,
}

impl AuthorCard {
    /// The name that a member has after deleting the account: longer than any that
    /// somebody may choose.
    #[must_use]
    pub fn name_of_deleted(id: ObjectId) -> String {
        format!("deleted-{}", id.to_hex())
    }

    /// Whether the account is deleted, so that there is no page to lead to.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.username == Self::name_of_deleted(self.id)
    }

    /// For comments that posts embed: without the picture, which only the comment's
    /// own page shows.
    #[must_use]
    pub fn small(self) -> Self {
        Self { avatar: None, ..self }
    }
}
