//! Writes to `categories`. Counts move in the transaction that publishes a post,
//! takes it back or moves it to another shelf.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::{self, CATEGORIES},
    model::Category,
};
use crate::db::{Db, DbError, transaction::Tx, update::UpdateFilter};

#[must_use]
pub fn category_filter(id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "categories: one",
        collection: CATEGORIES,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
    }
}

/// Stores a new category.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn insert(tx: &mut Tx, category: &Category) -> Result<(), DbError> {
    let categories = collection::categories_in(tx);
    categories.insert_one(category).session(&mut tx.session).await?;
    Ok(())
}

/// Sets name and slug. `false` if there is no such category (any more).
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn rename(tx: &mut Tx, id: ObjectId, name: &str, slug: &str) -> Result<bool, DbError> {
    category_filter(id).apply(tx, doc! { "$set": { "name": name, "slug": slug } }).await
}

/// Counts one post more. `false` if there is no such category (any more).
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn add_post(tx: &mut Tx, id: ObjectId) -> Result<bool, DbError> {
    category_filter(id).apply(tx, doc! { "$inc": { "postCount": 1_i64 } }).await
}

/// Counts one post less, but never less than none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn remove_post(tx: &mut Tx, id: ObjectId) -> Result<(), DbError> {
    let change = doc! { "$inc": { "postCount": -1_i64 } };
    category_filter(id).with_posts().apply(tx, change).await?;
    Ok(())
}

/// Sets what was counted anew. Serves seeding.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_post_count(db: &Db, id: ObjectId, count: i64) -> Result<(), DbError> {
    let change = doc! { "$set": { "postCount": count } };
    category_filter(id).apply_alone(db, change).await.map(drop)
}
