//! Reads of tags, one function an access pattern.

use mongodb::bson::{Document, doc};

use super::{collection::TAGS, model::Tag};
use crate::db::{
    Db, DbError,
    find::{FindSpec, Sort},
};

/// Tags in the cloud beside a list.
const CLOUD_SIZE: usize = 10;

/// The tags with most posts. Serves the cloud beside the home page's list.
#[must_use]
pub fn cloud_spec() -> FindSpec {
    FindSpec {
        name: "tags: cloud",
        collection: TAGS,
        index: "count",
        equal: Document::new(),
        residual: Document::new(),
        sort: Sort::LargestFirst { field: "postCount" },
        limit: CLOUD_SIZE,
        projection: Tag::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn cloud(db: &Db) -> Result<Vec<Tag>, DbError> {
    cloud_spec().all(db).await
}

/// Serves the tag page.
#[must_use]
pub fn by_id_spec(tag: &str) -> FindSpec {
    FindSpec {
        name: "tags: one by normal form",
        collection: TAGS,
        index: "_id_",
        equal: doc! { "_id": tag },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Tag::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find(db: &Db, tag: &str) -> Result<Option<Tag>, DbError> {
    by_id_spec(tag).first(db).await
}
