//! Reads of tags, one function an access pattern.

use mongodb::bson::{Document, doc};

use super::{collection::TAGS, model::Tag};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
    },
    domain::paging::{CountCursor, Page, Position},
};

/// Tags in the cloud beside a list.
const CLOUD_SIZE: usize = 10;

/// Tags on a page of all tags.
const TAGS_PAGE_SIZE: usize = 200;

/// The tags with most posts. Serves the cloud beside the home page's list.
#[must_use]
pub fn cloud_spec() -> FindSpec {
    FindSpec { name: "tags: cloud", limit: CLOUD_SIZE, ..all_spec(&Position::First) }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn cloud(db: &Db) -> Result<Vec<Tag>, DbError> {
    cloud_spec().all(db).await
}

/// Tags that published posts carry, most posts first. Serves the page of all
/// tags.
#[must_use]
pub fn all_spec(position: &Position<CountCursor>) -> FindSpec {
    FindSpec {
        name: "tags: all",
        collection: TAGS,
        index: "count",
        equal: Document::new(),
        residual: Document::new(),
        sort: Sort::LargestFirst { field: "postCount", least: 1, from: position.clone() },
        limit: TAGS_PAGE_SIZE + 1,
        projection: Tag::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn all(
    db: &Db,
    position: &Position<CountCursor>,
) -> Result<Page<Tag, CountCursor>, DbError> {
    all_spec(position).page(db, position, Tag::cursor).await
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
