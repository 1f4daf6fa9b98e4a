//! Addresses as stored.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

/// What an address leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "p")]
    Post,
    #[serde(rename = "u")]
    User,
    #[serde(rename = "c")]
    Category,
    /// Leads nowhere: only one account may have it.
    #[serde(rename = "e")]
    Email,
    /// How a user name looks. Leads nowhere: no two users' names may look alike.
    #[serde(rename = "l")]
    Look,
}

impl Kind {
    /// As stored.
    #[must_use]
    pub fn letter(self) -> &'static str {
        match self {
            Self::Post => "p",
            Self::User => "u",
            Self::Category => "c",
            Self::Email => "e",
            Self::Look => "l",
        }
    }

    /// The `_id` of an address.
    #[must_use]
    pub fn id(self, key: &str) -> String {
        format!("{}/{key}", self.letter())
    }
}

/// A document of `addresses`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Address {
    #[serde(rename = "_id")]
    pub id: String,
    pub target: ObjectId,
    pub kind: Kind,
    pub current: bool,
    /// Since when it has been, or last was, the current one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<DateTime>,
}

impl Address {
    /// An address that its target has had from its beginning.
    #[must_use]
    pub fn first(kind: Kind, key: &str, target: ObjectId, at: DateTime) -> Self {
        Self { id: kind.id(key), target, kind, current: true, at: Some(at) }
    }

    #[must_use]
    pub fn projection() -> Document {
        doc! { "target": 1, "kind": 1, "current": 1, "at": 1 }
    }

    /// The slug or name, without the letter of the kind.
    #[must_use]
    pub fn key(&self) -> &str {
        self.id.split_once('/').map_or("", |(_, key)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_is_what_follows_the_kind() {
        let at = DateTime::from_millis(0);
        let address = Address::first(Kind::User, "a/b", ObjectId::from_bytes([7; 12]), at);
        assert_eq!((address.id.as_str(), address.key()), ("u/a/b", "a/b"));
    }
}
