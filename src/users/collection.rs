//! `users` with its public view, `sessions` and `tokens`: names, handles, indexes, validator.

use std::time::Duration;

use mongodb::{
    Collection,
    bson::{Document, doc},
};

use super::model::{Link, Session, User};
use crate::{
    db::{
        Db,
        schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
        transaction::Tx,
    },
    domain::names::DISPLAY_NAME_CHARS,
};

pub const USERS: &str = "users";
pub const SESSIONS: &str = "sessions";
pub const TOKENS: &str = "tokens";

/// Users without e-mail, password hash and keys, for reports and tools.
pub const USERS_PUBLIC: &str = "users_public";

#[must_use]
pub fn users(db: &Db) -> Collection<User> {
    db.collection(USERS)
}

#[must_use]
pub fn users_in(tx: &Tx) -> Collection<User> {
    tx.collection(USERS)
}

#[must_use]
pub fn sessions(db: &Db) -> Collection<Session> {
    db.collection(SESSIONS)
}

#[must_use]
pub fn tokens(db: &Db) -> Collection<Link> {
    db.collection(TOKENS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[
    CollectionSpec {
        name: USERS,
        indexes: USER_INDEXES,
        json_schema: Some(user_schema),
        compression: Compression::Default,
    },
    CollectionSpec {
        name: SESSIONS,
        indexes: &[
            IndexSpec {
                name: "user",
                keys: &[("userId", 1)],
                kind: IndexKind::Plain,
                serves: "a member's sessions: list, end all",
            },
            IndexSpec {
                name: "ttl",
                keys: &[("expiresAt", 1)],
                kind: IndexKind::Expiring(Duration::ZERO),
                serves: "forgetting; reads look at the time themselves, since the server is late",
            },
        ],
        json_schema: None,
        compression: Compression::Default,
    },
    CollectionSpec {
        name: TOKENS,
        indexes: &[IndexSpec {
            name: "ttl",
            keys: &[("expiresAt", 1)],
            kind: IndexKind::Expiring(Duration::ZERO),
            serves: "forgetting links that nobody followed",
        }],
        json_schema: None,
        compression: Compression::Default,
    },
];

const USER_INDEXES: &[IndexSpec] = &[
    IndexSpec {
        name: "username",
        keys: &[("usernameKey", 1)],
        kind: IndexKind::UniqueByAddress,
        serves: "author page: profile by user name; sign-in",
    },
    IndexSpec {
        name: "email",
        keys: &[("emailKey", 1)],
        kind: IndexKind::UniqueByAddressWhere(has_email),
        serves: "one account an e-mail address; sign-in, forgotten passwords",
    },
    IndexSpec {
        name: "admins",
        keys: &[("role", 1)],
        kind: IndexKind::Where(is_admin),
        serves: "whether there is another administrator",
    },
    IndexSpec {
        name: "created",
        keys: &[("createdAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "newest members, for administration",
    },
];

fn has_email() -> Document {
    doc! { "emailKey": { "$type": "string" } }
}

fn is_admin() -> Document {
    doc! { "role": "admin" }
}

#[must_use]
pub fn public_view() -> Vec<Document> {
    vec![doc! { "$project": { "email": 0, "emailKey": 0, "passwordHash": 0, "usernameKey": 0 } }]
}

fn user_schema() -> Document {
    let counter = || doc! { "bsonType": "long", "minimum": 0_i64 };
    doc! {
        "bsonType": "object",
        "required": [
            "username", "usernameKey", "name", "role", "status", "cardVersion", "stats",
            "createdAt",
        ],
        "properties": {
            "username": { "bsonType": "string", "minLength": 1, "maxLength": 40 },
            "usernameKey": { "bsonType": "string", "minLength": 1 },
            "name": {
                "bsonType": "string",
                "minLength": 1,
                "maxLength": i64::try_from(DISPLAY_NAME_CHARS).unwrap_or(i64::MAX),
            },
            "bio": { "bsonType": "string", "maxLength": 500 },
            "email": { "bsonType": "string", "maxLength": 254 },
            "emailKey": { "bsonType": "string", "minLength": 3 },
            "passwordHash": { "bsonType": "string", "pattern": "^\\$argon2id\\$" },
            "role": { "enum": ["reader", "author", "editor", "admin"] },
            "status": { "enum": ["active", "suspended", "deleted"] },
            "cardVersion": { "bsonType": "long" },
            "stats": {
                "bsonType": "object",
                "properties": {
                    "posts": counter(), "followers": counter(), "following": counter(),
                    "likesReceived": counter(),
                },
            },
            "createdAt": { "bsonType": "date" },
        },
    }
}
