//! Counts of categories, moved in the transaction that publishes a post, takes
//! it back or moves it to another shelf.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::collection::CATEGORIES;
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
