//! Writes to `posts` and its sister collections.

use mongodb::bson::{Document, doc, oid::ObjectId, serialize_to_bson};

use super::{
    collection::{CONTENTS, POSTS},
    model::PostStatus,
};
use crate::{
    db::{Db, DbError, transaction::Tx, update::UpdateFilter},
    domain::comment_card::{CommentCard, LATEST_COMMENTS},
};

/// A post that takes comments.
#[must_use]
pub fn open_filter(post_id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "posts: open for a comment",
        collection: POSTS,
        index: "_id_",
        equal: doc! { "_id": post_id },
        residual: doc! { "status": PostStatus::Published.name(), "commentsOpen": true },
    }
}

/// Counts a new comment and keeps it among the newest five. `false` if the post
/// takes no comments (any more).
///
/// `$sort` and not `$position: 0`: a transaction that was tried again would put
/// an older comment on top.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn add_comment(
    tx: &mut Tx,
    post_id: ObjectId,
    card: &CommentCard,
) -> Result<bool, DbError> {
    let card = serialize_to_bson(card).map_err(mongodb::error::Error::from)?;
    let change = doc! {
        "$inc": { "stats.comments": 1_i64 },
        "$push": { "latestComments": {
            "$each": [card],
            "$sort": { "createdAt": -1, "_id": -1 },
            "$slice": LATEST_COMMENTS,
        } },
    };
    open_filter(post_id).apply(tx, change).await
}

/// The body of a post, by the post's id.
#[must_use]
pub fn neighbours_filter(post_id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "post_contents: neighbours",
        collection: CONTENTS,
        index: "_id_",
        equal: doc! { "_id": post_id },
        residual: Document::new(),
    }
}

/// Sets the posts beside a post in the list of all. Serves seeding.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_neighbours(
    db: &Db,
    post_id: ObjectId,
    prev: Option<ObjectId>,
    next: Option<ObjectId>,
) -> Result<(), DbError> {
    let change = doc! { "$set": { "prev": prev, "next": next } };
    neighbours_filter(post_id).apply_alone(db, change).await.map(drop)
}
