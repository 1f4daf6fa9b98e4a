//! Reads of categories, one function an access pattern.

use mongodb::bson::{Document, doc};

use super::{collection::CATEGORIES, model::Category};
use crate::db::{
    Db, DbError,
    find::{FindSpec, Sort},
};

/// Serves the category page.
#[must_use]
pub fn by_slug_spec(slug: &str) -> FindSpec {
    FindSpec {
        name: "categories: by slug",
        collection: CATEGORIES,
        index: "slug",
        equal: doc! { "slug": slug },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Category::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_by_slug(db: &Db, slug: &str) -> Result<Option<Category>, DbError> {
    by_slug_spec(slug).first(db).await
}
