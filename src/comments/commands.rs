//! Writes to `comments` and `submissions`.

use mongodb::bson::{doc, oid::ObjectId, serialize_to_bson};

use super::{
    collection::{self, COMMENTS},
    model::{Comment, Submission},
};
use crate::{
    db::{Db, DbError, transaction::Tx, update::UpdateFilter},
    domain::author_card::AuthorCard,
};

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

/// A comment that may be answered.
#[must_use]
pub fn parent_filter(post_id: ObjectId, parent_id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "comments: shown parent",
        collection: COMMENTS,
        index: "_id_",
        equal: doc! { "_id": parent_id },
        residual: doc! { "postId": post_id, "shown": true },
    }
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
    let change = doc! { "$inc": { "replyCount": 1_i64 } };
    parent_filter(post_id, parent_id).apply(tx, change).await
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

/// Some comments of a member, none with a newer card than `card`.
#[must_use]
pub fn author_cards_filter(ids: &[ObjectId], card: &AuthorCard) -> UpdateFilter {
    UpdateFilter {
        name: "comments: author's cards",
        collection: COMMENTS,
        index: "_id_",
        equal: doc! { "_id": { "$in": ids } },
        residual: doc! { "author._id": card.id, "author.v": { "$lte": card.v } },
    }
}

/// Gives some comments, at most 200, their author's card.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_author_card(db: &Db, ids: &[ObjectId], card: &AuthorCard) -> Result<u64, DbError> {
    let author = serialize_to_bson(card).map_err(mongodb::error::Error::from)?;
    let change = doc! { "$set": { "author": author } };
    author_cards_filter(ids, card).apply_to_all(db, change, None).await
}
