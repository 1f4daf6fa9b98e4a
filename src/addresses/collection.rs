//! `addresses`: name, handle, index.

use mongodb::Collection;

use super::model::Address;
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
};

pub const ADDRESSES: &str = "addresses";

#[must_use]
pub fn addresses(db: &Db) -> Collection<Address> {
    db.collection(ADDRESSES)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: ADDRESSES,
    indexes: &[IndexSpec {
        name: "target",
        keys: &[("target", 1), ("kind", 1)],
        kind: IndexKind::Plain,
        serves: "all addresses that a post, user or category ever had",
    }],
    json_schema: None,
    compression: Compression::Default,
}];
