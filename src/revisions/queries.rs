//! Reads of revisions, one function an access pattern.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::REVISIONS,
    model::{Revision, RevisionRow},
};
use crate::db::{
    Db, DbError,
    find::{FindSpec, Sort},
};

/// Versions on a page of the list.
pub const PAGE_VERSIONS: i64 = 100;

/// The revisions among the versions up to `newest`. Versions are numbered without
/// end and each may have one, so a page is named by its numbers.
#[must_use]
pub fn page_spec(post_id: ObjectId, newest: i64) -> FindSpec {
    let versions: Vec<i64> = ((newest - PAGE_VERSIONS + 1).max(1)..=newest).collect();
    FindSpec {
        name: "revisions: a page",
        collection: REVISIONS,
        index: "post",
        limit: versions.len().max(1),
        equal: doc! { "postId": post_id, "version": { "$in": versions } },
        residual: Document::new(),
        sort: Sort::None,
        projection: RevisionRow::projection(),
    }
}

/// The newest first.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn page(db: &Db, post_id: ObjectId, newest: i64) -> Result<Vec<RevisionRow>, DbError> {
    let mut rows: Vec<RevisionRow> = page_spec(post_id, newest).all(db).await?;
    rows.sort_by_key(|row| -row.version);
    Ok(rows)
}

/// One revision with its text.
#[must_use]
pub fn one_spec(post_id: ObjectId, version: i64) -> FindSpec {
    FindSpec {
        name: "revisions: one",
        collection: REVISIONS,
        index: "post",
        equal: doc! { "postId": post_id, "version": version },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Revision::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find(db: &Db, post_id: ObjectId, version: i64) -> Result<Option<Revision>, DbError> {
    one_spec(post_id, version).first(db).await
}
