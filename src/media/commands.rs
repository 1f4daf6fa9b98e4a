//! Writes to `media` and `media_files`, each inside a transaction.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::{self, MEDIA, MEDIA_FILES},
    model::{MAX_USES, Media, NewMedia},
};
use crate::db::{DbError, transaction::Tx, update::UpdateFilter};

/// Stores a picture with the files of its sizes.
///
/// # Errors
/// [`DbError::Duplicate`] if it is there already; that ends the transaction.
pub async fn insert(tx: &mut Tx, new: &NewMedia) -> Result<(), DbError> {
    let media = collection::media_in(tx);
    media.insert_one(&new.media).session(&mut tx.session).await?;
    let files = collection::media_files_in(tx);
    // One by one: together they could be larger than a message may be.
    for file in &new.files {
        files.insert_one(file).session(&mut tx.session).await?;
    }
    Ok(())
}

/// A picture, by its hash.
#[must_use]
pub fn uses_filter(hash: &str) -> UpdateFilter {
    UpdateFilter {
        name: "media: uses",
        collection: MEDIA,
        index: "_id_",
        equal: doc! { "_id": hash },
        residual: Document::new(),
    }
}

/// Counts a post that uses the pictures `after` where it used those of `before`.
/// Hashes without a picture are passed over.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_used_in(
    tx: &mut Tx,
    post_id: ObjectId,
    before: &[String],
    after: &[String],
) -> Result<(), DbError> {
    for hash in before.iter().filter(|hash| !after.contains(hash)) {
        let change = doc! { "$inc": { "uses": -1_i64 }, "$pull": { "usedIn": post_id } };
        // Never less than none: the post may have named it before it was there.
        let used = doc! { "uses": { "$gt": 0_i64 } };
        UpdateFilter { residual: used, ..uses_filter(hash) }.apply(tx, change).await?;
    }
    for hash in after.iter().filter(|hash| !before.contains(hash)) {
        let change = doc! {
            "$inc": { "uses": 1_i64 },
            "$push": { "usedIn": { "$each": [post_id], "$slice": MAX_USES } },
        };
        uses_filter(hash).apply(tx, change).await?;
    }
    Ok(())
}

/// A picture that nothing uses.
#[must_use]
pub fn unused_filter(hash: &str) -> UpdateFilter {
    UpdateFilter { residual: doc! { "uses": 0_i64 }, ..uses_filter(hash) }
}

/// One file of a picture.
#[must_use]
pub fn file_filter(file_id: &str) -> UpdateFilter {
    UpdateFilter {
        name: "media_files: one",
        collection: MEDIA_FILES,
        index: "_id_",
        equal: doc! { "_id": file_id },
        residual: Document::new(),
    }
}

/// Removes a picture with its files. `false` if something uses it.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn remove(tx: &mut Tx, media: &Media) -> Result<bool, DbError> {
    if !unused_filter(&media.hash).remove(tx).await? {
        return Ok(false);
    }
    for size in &media.sizes {
        file_filter(&media.file_id(size)).remove(tx).await?;
    }
    Ok(true)
}
