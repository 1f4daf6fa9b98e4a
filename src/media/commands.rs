//! Writes to `media` and `media_files`, each inside a transaction.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::{self, MEDIA},
    model::{MAX_USES, NewMedia},
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

/// A picture that still remembers all posts that it is used in.
#[must_use]
pub fn uses_filter(hash: &str) -> UpdateFilter {
    let last = format!("usedIn.{}", MAX_USES - 1);
    UpdateFilter {
        name: "media: uses",
        collection: MEDIA,
        index: "_id_",
        equal: doc! { "_id": hash },
        residual: doc! { last: { "$exists": false } },
    }
}

/// Notes that a post uses the pictures `after` and no longer those of `before` that
/// are not among them. Hashes without a picture are passed over. A picture that is
/// used in [`MAX_USES`] posts notes no more, and is never free again.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_used_in(
    tx: &mut Tx,
    post_id: ObjectId,
    before: &[String],
    after: &[String],
) -> Result<(), DbError> {
    let gone = before.iter().filter(|hash| !after.contains(hash));
    for hash in gone {
        change_uses(tx, hash, doc! { "$pull": { "usedIn": post_id } }).await?;
    }
    for hash in after {
        change_uses(tx, hash, doc! { "$addToSet": { "usedIn": post_id } }).await?;
    }
    Ok(())
}

async fn change_uses(tx: &mut Tx, hash: &str, change: Document) -> Result<(), DbError> {
    uses_filter(hash).apply(tx, change).await.map(drop)
}
