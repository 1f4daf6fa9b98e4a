//! Writes to `posts` and its sister collections.

use mongodb::bson::{doc, oid::ObjectId, serialize_to_bson};

use super::{collection, model::PostStatus};
use crate::{
    db::{DbError, transaction::Tx},
    domain::comment_card::{CommentCard, LATEST_COMMENTS},
};

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
    let open = doc! {
        "_id": post_id,
        "status": PostStatus::Published.name(),
        "commentsOpen": true,
    };
    let change = doc! {
        "$inc": { "stats.comments": 1_i64 },
        "$push": { "latestComments": {
            "$each": [card],
            "$sort": { "createdAt": -1, "_id": -1 },
            "$slice": LATEST_COMMENTS,
        } },
    };
    let posts = collection::posts_in(tx);
    let result = posts.update_one(open, change).session(&mut tx.session).await?;
    Ok(result.matched_count == 1)
}
