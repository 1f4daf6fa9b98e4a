//! Users as stored.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

use crate::domain::{author_card::AuthorCard, permission::Role};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserStatus {
    Active,
    Suspended,
    Deleted,
}

impl UserStatus {
    /// As stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Suspended => "suspended",
            Self::Deleted => "deleted",
        }
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct UserStats {
    pub posts: i64,
    pub followers: i64,
    pub following: i64,
    pub likes_received: i64,
}

/// A whole document of `users`. Those of sample content have no e-mail address and
/// no password, so nobody can sign in as them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct User {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub username: String,
    /// The name in its normal form, by which it is unique and looked up.
    pub username_key: String,
    /// As typed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email: Option<String>,
    /// The address in its normal form, by which it is unique and looked up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub email_key: Option<String>,
    /// A PHC string of argon2id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub password_hash: Option<String>,
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

/// What signing in needs to know of a user.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Credentials {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub password_hash: Option<String>,
    pub role: Role,
    pub status: UserStatus,
}

impl Credentials {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "passwordHash": 1, "role": 1, "status": 1 }
    }
}

/// What a user may see and change of themselves.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Account {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub username: String,
    pub name: String,
    pub bio: String,
    pub city: String,
    pub website: Option<String>,
    pub email: Option<String>,
    pub email_key: Option<String>,
    pub password_hash: Option<String>,
    pub role: Role,
    pub status: UserStatus,
}

impl Account {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "username": 1, "name": 1, "bio": 1, "city": 1, "website": 1, "email": 1,
            "emailKey": 1, "passwordHash": 1, "role": 1, "status": 1,
        }
    }
}

/// What a user says of themselves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProfileText {
    /// Display name.
    pub name: String,
    pub bio: String,
    pub city: String,
    pub website: Option<String>,
}

/// What a single-use link is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Purpose {
    Reset,
    Invitation,
}

impl Purpose {
    /// As stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reset => "reset",
            Self::Invitation => "invitation",
        }
    }
}

/// A document of `tokens`: a single-use link that somebody was sent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Link {
    /// The hash of its token.
    #[serde(rename = "_id")]
    pub id: String,
    pub kind: Purpose,
    /// Whom it was sent to; nobody for an invitation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub user_id: Option<ObjectId>,
    pub expires_at: DateTime,
}

impl Link {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "kind": 1, "userId": 1, "expiresAt": 1 }
    }
}

/// A document of `sessions`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Session {
    /// The hash of its token.
    #[serde(rename = "_id")]
    pub id: String,
    pub user_id: ObjectId,
    pub created_at: DateTime,
    pub last_seen_at: DateTime,
    pub expires_at: DateTime,
    /// The browser, as it calls itself.
    pub agent: String,
}

impl Session {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "userId": 1, "createdAt": 1, "lastSeenAt": 1, "expiresAt": 1, "agent": 1 }
    }
}

/// A session with its user, as one command gives them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct SessionOfUser {
    #[serde(flatten)]
    pub session: Session,
    /// One, or none if the user is gone.
    pub user: Vec<SignedInUser>,
}

/// What every request of a member needs to know of them.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedInUser {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub username: String,
    pub name: String,
    pub avatar: Option<String>,
    pub role: Role,
    pub status: UserStatus,
    pub card_version: i64,
}

impl SignedInUser {
    pub const FIELDS: &[&str] =
        &["_id", "username", "name", "avatar", "role", "status", "cardVersion"];
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
