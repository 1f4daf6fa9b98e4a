//! `users` and its public view: names, handles, indexes, validator.

use mongodb::{
    Collection,
    bson::{Document, doc},
};

use super::model::User;
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
};

pub const USERS: &str = "users";

/// Users without e-mail, password hash and keys, for reports and tools.
pub const USERS_PUBLIC: &str = "users_public";

#[must_use]
pub fn users(db: &Db) -> Collection<User> {
    db.collection(USERS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: USERS,
    indexes: &[
        IndexSpec {
            name: "username",
            keys: &[("usernameKey", 1)],
            kind: IndexKind::Unique,
            serves: "author page: profile by user name",
        },
        IndexSpec {
            name: "email",
            keys: &[("emailKey", 1)],
            kind: IndexKind::UniqueWhere(has_email),
            serves: "one account an e-mail address",
        },
        IndexSpec {
            name: "created",
            keys: &[("createdAt", -1), ("_id", -1)],
            kind: IndexKind::Plain,
            serves: "newest members, for administration",
        },
    ],
    json_schema: Some(user_schema),
    compression: Compression::Default,
}];

fn has_email() -> Document {
    doc! { "emailKey": { "$type": "string" } }
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
            "name": { "bsonType": "string", "minLength": 1, "maxLength": 80 },
            "bio": { "bsonType": "string", "maxLength": 500 },
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
