//! `seeds`: which bulk content was begun.

use mongodb::Collection;

use super::Bulk;
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression},
};

pub const SEEDS: &str = "seeds";

#[must_use]
pub fn seeds(db: &Db) -> Collection<Bulk> {
    db.collection(SEEDS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: SEEDS,
    indexes: &[],
    json_schema: None,
    compression: Compression::Default,
}];
