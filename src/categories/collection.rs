//! `categories`: name, handles, indexes.

use mongodb::Collection;

use super::model::Category;
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
    transaction::Tx,
};

pub const CATEGORIES: &str = "categories";

#[must_use]
pub fn categories(db: &Db) -> Collection<Category> {
    db.collection(CATEGORIES)
}

#[must_use]
pub fn categories_in(tx: &Tx) -> Collection<Category> {
    tx.collection(CATEGORIES)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: CATEGORIES,
    indexes: &[IndexSpec {
        name: "slug",
        keys: &[("slug", 1)],
        kind: IndexKind::UniqueByAddress,
        serves: "category page",
    }],
    json_schema: None,
    compression: Compression::Default,
}];
