//! `archive_months`: name and handles.

use mongodb::Collection;

use super::model::ArchiveMonth;
use crate::db::{
    Db,
    schema::{CollectionSpec, Compression},
    transaction::Tx,
};

pub const ARCHIVE_MONTHS: &str = "archive_months";

#[must_use]
pub fn archive_months(db: &Db) -> Collection<ArchiveMonth> {
    db.collection(ARCHIVE_MONTHS)
}

#[must_use]
pub fn archive_months_in(tx: &Tx) -> Collection<ArchiveMonth> {
    tx.collection(ARCHIVE_MONTHS)
}

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: ARCHIVE_MONTHS,
    indexes: &[],
    json_schema: None,
    compression: Compression::Default,
}];
