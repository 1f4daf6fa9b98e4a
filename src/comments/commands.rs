//! Writes to `comments` and `submissions`, each inside a transaction.

use mongodb::bson::{doc, oid::ObjectId};

use super::{
    collection,
    model::{Comment, Submission},
};
use crate::db::{DbError, transaction::Tx};

/// Remembers an accepted form.
///
/// # Errors
/// [`DbError::Duplicate`] if the same form was accepted before; that ends the
/// transaction.
pub async fn remember(tx: &mut Tx, submission: &Submission) -> Result<(), DbError> {
    let submissions = collection::submissions_in(tx);
    submissions.insert_one(submission).session(&mut tx.session).await?;
    Ok(())
}

/// Counts a reply at its parent. `false` if the parent is not there to be
/// answered (any more).
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn count_reply(
    tx: &mut Tx,
    post_id: ObjectId,
    parent_id: ObjectId,
) -> Result<bool, DbError> {
    let parent = doc! { "_id": parent_id, "postId": post_id, "shown": true };
    let change = doc! { "$inc": { "replyCount": 1_i64 } };
    let comments = collection::comments_in(tx);
    let result = comments.update_one(parent, change).session(&mut tx.session).await?;
    Ok(result.matched_count == 1)
}

/// Stores a comment.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn insert(tx: &mut Tx, comment: &Comment) -> Result<(), DbError> {
    let comments = collection::comments_in(tx);
    comments.insert_one(comment).session(&mut tx.session).await?;
    Ok(())
}
