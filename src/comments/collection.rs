//! `comments` and `submissions`: names, handles, indexes, validator.

use std::time::Duration;

use mongodb::{
    Collection,
    bson::{Document, doc},
};

use super::model::{Comment, Submission};
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
    transaction::Tx,
};

pub const COMMENTS: &str = "comments";
pub const SUBMISSIONS: &str = "submissions";

#[must_use]
pub fn comments(db: &Db) -> Collection<Comment> {
    db.collection(COMMENTS)
}

#[must_use]
pub fn comments_in(tx: &Tx) -> Collection<Comment> {
    tx.collection(COMMENTS)
}

#[must_use]
pub fn submissions_in(tx: &Tx) -> Collection<Submission> {
    tx.collection(SUBMISSIONS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[
    CollectionSpec {
        name: COMMENTS,
        indexes: COMMENT_INDEXES,
        json_schema: Some(comment_schema),
        compression: Compression::Zstd,
    },
    CollectionSpec {
        name: SUBMISSIONS,
        indexes: &[IndexSpec {
            name: "ttl",
            keys: &[("createdAt", 1)],
            kind: IndexKind::Expiring(Duration::from_mins(10)),
            serves: "forgetting: the same text ten minutes later is a new comment",
        }],
        json_schema: None,
        compression: Compression::Default,
    },
];

const COMMENT_INDEXES: &[IndexSpec] = &[
    IndexSpec {
        name: "newest",
        keys: &[("postId", 1), ("status", 1), ("createdAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "the newest five and the count of a post, when they are worked out anew",
    },
    IndexSpec {
        name: "thread",
        keys: &[("postId", 1), ("shown", 1), ("rootId", -1), ("_id", 1)],
        kind: IndexKind::Plain,
        serves: "all comments of a post: the threads, and the replies of each",
    },
    IndexSpec {
        name: "sub",
        keys: &[("ancestors", 1), ("_id", 1)],
        kind: IndexKind::Plain,
        serves: "thread page: everything below one comment",
    },
    IndexSpec {
        name: "author",
        keys: &[("author._id", 1), ("status", 1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "a member's comments, for copies of the name",
    },
    IndexSpec {
        name: "queue",
        keys: &[("heldAt", 1), ("_id", 1)],
        kind: IndexKind::Where(held),
        serves: "comments that wait for review",
    },
    IndexSpec {
        name: "ttl",
        keys: &[("expiresAt", 1)],
        kind: IndexKind::ExpiringWhere(Duration::ZERO, never_approved),
        serves: "forgetting what was never approved",
    },
];

/// Only while a comment is pending or spam.
fn held() -> Document {
    doc! { "heldAt": { "$exists": true } }
}

fn never_approved() -> Document {
    doc! { "status": { "$in": ["pending", "rejected", "spam"] } }
}

fn comment_schema() -> Document {
    doc! {
        "bsonType": "object",
        "required": [
            "postId", "rootId", "ancestors", "depth", "author", "source", "html", "likes",
            "replyCount", "status", "shown", "createdAt",
        ],
        "properties": {
            "postId": { "bsonType": "objectId" },
            "rootId": { "bsonType": "objectId" },
            "parentId": { "bsonType": ["objectId", "null"] },
            "ancestors": {
                "bsonType": "array",
                "maxItems": 100,
                "items": { "bsonType": "objectId" },
            },
            "depth": { "bsonType": "int", "minimum": 0, "maximum": 100 },
            "author": { "bsonType": "object", "required": ["name"] },
            "source": { "bsonType": "string", "minLength": 1, "maxLength": 5000 },
            "html": { "bsonType": "string" },
            "likes": { "bsonType": "long", "minimum": 0_i64 },
            "replyCount": { "bsonType": "long", "minimum": 0_i64 },
            "status": { "enum": ["pending", "approved", "rejected", "spam", "deleted"] },
            "shown": { "bsonType": "bool" },
            "createdAt": { "bsonType": "date" },
        },
    }
}
