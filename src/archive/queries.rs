//! Reads of the archive, one function an access pattern.

use mongodb::bson::{Document, doc};

use super::{collection::ARCHIVE_MONTHS, model::ArchiveMonth};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
    },
    domain::paging::Position,
};

/// Eighty years of months: more than any site has, so that no page is needed.
const MOST_MONTHS: usize = 1000;

/// Months that hold posts, newest first. Serves the archive and the pages of
/// its months.
#[must_use]
pub fn months_spec() -> FindSpec {
    FindSpec {
        name: "archive_months: all",
        collection: ARCHIVE_MONTHS,
        index: "_id_",
        equal: Document::new(),
        residual: doc! { "postCount": { "$gt": 0 } },
        sort: Sort::IdDescending { from: Position::First },
        limit: MOST_MONTHS,
        projection: ArchiveMonth::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn months(db: &Db) -> Result<Vec<ArchiveMonth>, DbError> {
    months_spec().all(db).await
}
