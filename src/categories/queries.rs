//! Reads of categories, one function an access pattern.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{collection::CATEGORIES, model::Category};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
    },
    domain::paging::Position,
};

/// A site has a handful; the schema is made for fewer than this.
const MOST_CATEGORIES: usize = 1000;

/// All categories. Serves their list.
#[must_use]
pub fn all_spec() -> FindSpec {
    FindSpec {
        name: "categories: all",
        collection: CATEGORIES,
        index: "_id_",
        equal: Document::new(),
        residual: Document::new(),
        sort: Sort::IdAscending { from: Position::First, begin: ObjectId::from_bytes([0; 12]) },
        limit: MOST_CATEGORIES,
        projection: Category::projection(),
    }
}

/// In the order that the site's owners gave them, so few that they are sorted
/// here.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn all(db: &Db) -> Result<Vec<Category>, DbError> {
    let mut categories: Vec<Category> = all_spec().all(db).await?;
    categories.sort_by_key(|category| category.order);
    Ok(categories)
}

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

/// Serves the copies of a category's card.
#[must_use]
pub fn by_id_spec(id: ObjectId) -> FindSpec {
    FindSpec {
        name: "categories: one by id",
        index: "_id_",
        equal: doc! { "_id": id },
        ..by_slug_spec("")
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_by_id(db: &Db, id: ObjectId) -> Result<Option<Category>, DbError> {
    by_id_spec(id).first(db).await
}
