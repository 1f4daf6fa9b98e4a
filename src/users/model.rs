//! Users as stored.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

use crate::domain::author_card::AuthorCard;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    Reader,
    Author,
    Editor,
    Admin,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserStatus {
    Active,
    Suspended,
    Deleted,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserStats {
    pub posts: i64,
    pub followers: i64,
    pub following: i64,
    pub likes_received: i64,
}

/// A whole document of `users`. E-mail and password come with sign-up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub username: String,
    /// The name in its normal form, by which it is unique and looked up.
    pub username_key: String,
    /// Display name.
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub avatar: Option<String>,
    pub bio: String,
    pub city: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website: Option<String>,
    pub role: Role,
    pub status: UserStatus,
    /// Goes up with each change of what cards show.
    pub card_version: i64,
    pub stats: UserStats,
    pub created_at: DateTime,
}

impl User {
    #[must_use]
    pub fn card(&self) -> AuthorCard {
        AuthorCard {
            id: self.id,
            username: self.username.clone(),
            name: self.name.clone(),
            avatar: self.avatar.clone(),
            v: self.card_version,
        }
    }
}

/// What anybody may see of a user.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub username: String,
    pub name: String,
    pub avatar: Option<String>,
    pub bio: String,
    pub city: String,
    pub website: Option<String>,
    pub stats: UserStats,
    pub created_at: DateTime,
}

impl Profile {
    /// Neither e-mail nor hash nor keys.
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "username": 1, "name": 1, "avatar": 1, "bio": 1, "city": 1, "website": 1, "stats": 1,
            "createdAt": 1,
        }
    }
}

/// What others carry copies of.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CardSource {
    #[serde(rename = "_id")]
    id: ObjectId,
    username: String,
    name: String,
    avatar: Option<String>,
    card_version: i64,
    pub bio: String,
}

impl CardSource {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "username": 1, "name": 1, "avatar": 1, "cardVersion": 1, "bio": 1 }
    }

    #[must_use]
    pub fn card(&self) -> AuthorCard {
        AuthorCard {
            id: self.id,
            username: self.username.clone(),
            name: self.name.clone(),
            avatar: self.avatar.clone(),
            v: self.card_version,
        }
    }
}
