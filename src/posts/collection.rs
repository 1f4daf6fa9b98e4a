//! `posts`, `post_contents` and `post_sources`: names, handles, indexes,
//! validators.

use mongodb::{
    Collection,
    bson::{Document, doc},
};

use super::model::{EXCERPT_CHARS, Post, PostBody, PostSource, SLUG_CHARS, TITLE_CHARS};
use crate::{
    db::{
        Db,
        schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
        transaction::Tx,
    },
    domain::names::TAG_CHARS,
};

pub const POSTS: &str = "posts";
pub const CONTENTS: &str = "post_contents";
pub const SOURCES: &str = "post_sources";

#[must_use]
pub fn posts(db: &Db) -> Collection<Post> {
    db.collection(POSTS)
}

#[must_use]
pub fn posts_in(tx: &Tx) -> Collection<Post> {
    tx.collection(POSTS)
}

#[must_use]
pub fn contents(db: &Db) -> Collection<PostBody> {
    db.collection(CONTENTS)
}

#[must_use]
pub fn sources(db: &Db) -> Collection<PostSource> {
    db.collection(SOURCES)
}

pub const COLLECTIONS: &[CollectionSpec] = &[
    CollectionSpec {
        name: POSTS,
        indexes: POST_INDEXES,
        json_schema: Some(post_schema),
        compression: Compression::Default,
    },
    CollectionSpec {
        name: CONTENTS,
        indexes: &[IndexSpec {
            name: "slug",
            keys: &[("slug", 1)],
            kind: IndexKind::UniqueByAddress,
            serves: "post page: body by slug",
        }],
        json_schema: None,
        compression: Compression::Zstd,
    },
    CollectionSpec {
        name: SOURCES,
        indexes: &[],
        json_schema: None,
        compression: Compression::Zstd,
    },
];

/// `status` is a key of every list index: partial indexes and `$or` at the top
/// make the embedded engine scan.
const POST_INDEXES: &[IndexSpec] = &[
    IndexSpec {
        name: "slug",
        keys: &[("slug", 1)],
        kind: IndexKind::UniqueByAddress,
        serves: "post page: metadata by slug",
    },
    IndexSpec {
        name: "newest",
        keys: &[("status", 1), ("publishedAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "home, month page",
    },
    IndexSpec {
        name: "tag_newest",
        keys: &[("tags", 1), ("status", 1), ("publishedAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "tag page",
    },
    IndexSpec {
        name: "category",
        keys: &[("category._id", 1), ("status", 1), ("publishedAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "category page",
    },
    IndexSpec {
        name: "author",
        keys: &[("author._id", 1), ("status", 1), ("publishedAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "author page",
    },
    IndexSpec {
        name: "author_edited",
        keys: &[("author._id", 1), ("status", 1), ("updatedAt", -1), ("_id", -1)],
        kind: IndexKind::Plain,
        serves: "an author's own drafts, scheduled posts, bin",
    },
    IndexSpec {
        name: "due",
        keys: &[("status", 1), ("publishAt", -1), ("_id", -1)],
        kind: IndexKind::Where(is_scheduled),
        serves: "posts to be published now",
    },
];

fn is_scheduled() -> Document {
    doc! { "status": "scheduled" }
}

fn post_schema() -> Document {
    let length = |chars: usize| i64::try_from(chars).unwrap_or(i64::MAX);
    let counter = || doc! { "bsonType": "long", "minimum": 0_i64 };
    doc! {
        "bsonType": "object",
        "required": [
            "slug", "title", "excerpt", "status", "createdAt", "updatedAt", "author", "tags",
            "stats", "latestComments", "topComments", "commentsOpen", "lang", "version",
            "schemaVersion",
        ],
        "properties": {
            "slug": { "bsonType": "string", "minLength": 1, "maxLength": length(SLUG_CHARS) },
            "title": { "bsonType": "string", "minLength": 1, "maxLength": length(TITLE_CHARS) },
            "excerpt": { "bsonType": "string", "maxLength": length(EXCERPT_CHARS) },
            "coverUrl": { "bsonType": ["string", "null"] },
            "status": { "enum": ["draft", "scheduled", "published", "archived", "deleted"] },
            "publishedAt": { "bsonType": ["date", "null"] },
            "publishAt": { "bsonType": ["date", "null"] },
            "createdAt": { "bsonType": "date" },
            "updatedAt": { "bsonType": "date" },
            "author": {
                "bsonType": "object",
                "required": ["_id", "username", "name", "v"],
                "properties": { "_id": { "bsonType": "objectId" } },
            },
            "category": { "bsonType": ["object", "null"] },
            "tags": {
                "bsonType": "array",
                "maxItems": 10,
                "uniqueItems": true,
                "items": { "bsonType": "string", "minLength": 1, "maxLength": length(TAG_CHARS) },
            },
            "stats": {
                "bsonType": "object",
                "required": ["views", "likes", "comments", "bookmarks"],
                "properties": {
                    "views": counter(), "likes": counter(), "comments": counter(),
                    "bookmarks": counter(),
                },
            },
            "hotScore": { "bsonType": "double", "minimum": 0.0 },
            "latestComments": { "bsonType": "array", "maxItems": 5 },
            "topComments": { "bsonType": "array", "maxItems": 3 },
            "commentsOpen": { "bsonType": "bool" },
            "lang": { "bsonType": "string" },
            "version": { "bsonType": "long" },
            "schemaVersion": { "bsonType": "int" },
        },
    }
}
