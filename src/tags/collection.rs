//! `tags`: name, handles, indexes.

use mongodb::Collection;

use super::model::Tag;
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
    transaction::Tx,
};

pub const TAGS: &str = "tags";

#[must_use]
pub fn tags(db: &Db) -> Collection<Tag> {
    db.collection(TAGS)
}

#[must_use]
pub fn tags_in(tx: &Tx) -> Collection<Tag> {
    tx.collection(TAGS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: TAGS,
    indexes: &[IndexSpec {
        name: "count",
        keys: &[("postCount", -1), ("_id", 1)],
        kind: IndexKind::Plain,
        serves: "the cloud of home, all tags",
    }],
    json_schema: None,
    compression: Compression::Default,
}];
