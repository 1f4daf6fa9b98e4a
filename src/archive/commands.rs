//! Counts of months, each moved in the transaction that publishes a post or
//! takes it back.

use mongodb::bson::{Document, doc};

use super::collection::ARCHIVE_MONTHS;
use crate::{
    db::{Db, DbError, transaction::Tx, update::UpdateFilter},
    domain::month::Month,
};

#[must_use]
pub fn month_filter(month: Month) -> UpdateFilter {
    UpdateFilter {
        name: "archive_months: one",
        collection: ARCHIVE_MONTHS,
        index: "_id_",
        equal: doc! { "_id": month.id() },
        residual: Document::new(),
    }
}

/// Counts one post more. The first post of a month makes its document.
///
/// # Errors
/// [`DbError`]; [`DbError::Duplicate`] if another transaction made the document
/// meanwhile, which ends this one: run it again.
pub async fn add_post(tx: &mut Tx, month: Month) -> Result<(), DbError> {
    month_filter(month).apply_or_insert(tx, doc! { "$inc": { "postCount": 1_i64 } }).await
}

/// Counts one post less, but never less than none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn remove_post(tx: &mut Tx, month: Month) -> Result<(), DbError> {
    let change = doc! { "$inc": { "postCount": -1_i64 } };
    month_filter(month).with_posts().apply(tx, change).await?;
    Ok(())
}

/// Sets what was counted anew. Serves seeding.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_post_count(db: &Db, month: Month, count: i64) -> Result<(), DbError> {
    let change = doc! { "$set": { "postCount": count } };
    month_filter(month).apply_or_insert_alone(db, change).await
}
