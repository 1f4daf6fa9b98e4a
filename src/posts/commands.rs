//! Writes to `posts` and its sister collections.

use mongodb::bson::{Bson, Document, doc, oid::ObjectId, serialize_to_bson};
use serde::Serialize;

use super::{
    collection::{CONTENTS, POSTS},
    model::PostStatus,
};
use crate::{
    db::{Db, DbError, transaction::Tx, update::UpdateFilter},
    domain::{
        author_card::AuthorCard,
        category_card::CategoryCard,
        comment_card::{CommentCard, LATEST_COMMENTS},
    },
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
    let card = as_bson(card)?;
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

/// Some posts with a card of an author, none newer than `card`.
#[must_use]
pub fn author_cards_filter(ids: &[ObjectId], card: &AuthorCard) -> UpdateFilter {
    UpdateFilter {
        name: "posts: author's cards",
        collection: POSTS,
        index: "_id_",
        equal: doc! { "_id": { "$in": ids } },
        residual: doc! { "author._id": card.id, "author.v": { "$lte": card.v } },
    }
}

/// Gives some posts, at most 200, their author's card.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_author_card(db: &Db, ids: &[ObjectId], card: &AuthorCard) -> Result<u64, DbError> {
    let change = doc! { "$set": { "author": as_bson(card)? } };
    author_cards_filter(ids, card).apply_to_all(db, change, None).await
}

/// Some posts, whatever they hold.
#[must_use]
pub fn some_filter(ids: &[ObjectId]) -> UpdateFilter {
    UpdateFilter {
        name: "posts: some",
        collection: POSTS,
        index: "_id_",
        equal: doc! { "_id": { "$in": ids } },
        residual: Document::new(),
    }
}

/// Gives the comments of a member that are embedded in some posts, at most 200,
/// the member's card, unless they have a newer one. `card` is the small one.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_commenter_card(
    db: &Db,
    ids: &[ObjectId],
    card: &AuthorCard,
) -> Result<u64, DbError> {
    let author = as_bson(card)?;
    let change = doc! { "$set": {
        "latestComments.$[comment].author": author.clone(),
        "topComments.$[comment].author": author,
    } };
    let of_member = doc! {
        "comment.author._id": card.id,
        "comment.author.v": { "$lte": card.v },
    };
    some_filter(ids).apply_to_all(db, change, Some(of_member)).await
}

/// Some posts in a category.
#[must_use]
pub fn category_cards_filter(ids: &[ObjectId], category: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "posts: category's cards",
        collection: POSTS,
        index: "_id_",
        equal: doc! { "_id": { "$in": ids } },
        residual: doc! { "category._id": category },
    }
}

/// Gives some posts, at most 200, their category's card.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_category_card(
    db: &Db,
    ids: &[ObjectId],
    card: &CategoryCard,
) -> Result<u64, DbError> {
    let change = doc! { "$set": { "category": as_bson(card)? } };
    category_cards_filter(ids, card.id).apply_to_all(db, change, None).await
}

/// Some bodies.
#[must_use]
pub fn bodies_filter(ids: &[ObjectId]) -> UpdateFilter {
    UpdateFilter {
        name: "post_contents: some",
        collection: CONTENTS,
        index: "_id_",
        equal: doc! { "_id": { "$in": ids } },
        residual: Document::new(),
    }
}

/// Gives the bodies of some posts, at most 200, their author's biography.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_author_bio(db: &Db, ids: &[ObjectId], bio: &str) -> Result<u64, DbError> {
    let change = doc! { "$set": { "authorBio": bio } };
    bodies_filter(ids).apply_to_all(db, change, None).await
}

fn as_bson(card: &impl Serialize) -> Result<Bson, DbError> {
    Ok(serialize_to_bson(card).map_err(mongodb::error::Error::from)?)
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
