//! Counts of tags, moved in the transaction that publishes a post, takes it back
//! or changes its tags.

use mongodb::bson::{Document, doc};

use super::{collection::TAGS, model::TagName};
use crate::db::{Db, DbError, transaction::Tx, update::UpdateFilter};

/// A tag by its normal form.
#[must_use]
pub fn tag_filter(tag: &str) -> UpdateFilter {
    UpdateFilter {
        name: "tags: one",
        collection: TAGS,
        index: "_id_",
        equal: doc! { "_id": tag },
        residual: Document::new(),
    }
}

/// Counts one post more for each tag. A tag that is new gets its document, and
/// keeps the spelling of whoever used it first.
///
/// # Errors
/// [`DbError`]; [`DbError::Duplicate`] if another transaction made a tag's
/// document meanwhile, which ends this one: run it again.
pub async fn add_post(tx: &mut Tx, tags: &[TagName]) -> Result<(), DbError> {
    for tag in tags {
        let change = doc! {
            "$inc": { "postCount": 1_i64 },
            "$setOnInsert": { "display": &tag.display },
        };
        tag_filter(&tag.id).apply_or_insert(tx, change).await?;
    }
    Ok(())
}

/// Counts one post less for each tag (in normal form), but never less than none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn remove_post(tx: &mut Tx, tags: &[String]) -> Result<(), DbError> {
    for tag in tags {
        let change = doc! { "$inc": { "postCount": -1_i64 } };
        tag_filter(tag).with_posts().apply(tx, change).await?;
    }
    Ok(())
}

/// Sets what was counted anew. Serves seeding.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_post_count(db: &Db, tag: &str, count: i64) -> Result<(), DbError> {
    let change = doc! { "$set": { "postCount": count }, "$setOnInsert": { "display": tag } };
    tag_filter(tag).apply_or_insert_alone(db, change).await
}
