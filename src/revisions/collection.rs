//! `revisions`: name, handle, index.

use mongodb::Collection;

use super::model::Revision;
use crate::db::{
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
    transaction::Tx,
};

pub const REVISIONS: &str = "revisions";

#[must_use]
pub fn revisions_in(tx: &Tx) -> Collection<Revision> {
    tx.collection(REVISIONS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: REVISIONS,
    indexes: &[IndexSpec {
        name: "post",
        keys: &[("postId", 1), ("version", -1)],
        kind: IndexKind::Unique,
        serves: "the revisions of a post, and one of them",
    }],
    json_schema: None,
    compression: Compression::Zstd,
}];
