//! Writes to `posts` and its sister collections.

use mongodb::bson::{Document, doc, oid::ObjectId, serialize_to_bson, serialize_to_document};

use super::{
    collection::{CONTENTS, POSTS, SOURCES, posts_in},
    editing::Reach,
    model::{Post, PostBody, PostSource, PostStatus, PreviewLink},
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
    let card = serialize_to_bson(card)?;
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
pub fn body_filter(post_id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "post_contents: one",
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
    body_filter(post_id).apply_alone(db, change).await.map(drop)
}

/// A post as an editor saw it: at that version, and within reach.
#[must_use]
pub fn version_filter(post_id: ObjectId, version: i64, reach: Reach) -> UpdateFilter {
    let mut residual = doc! { "version": version };
    residual.extend(reach.condition());
    UpdateFilter {
        name: "posts: one at a version",
        collection: POSTS,
        index: "_id_",
        equal: doc! { "_id": post_id },
        residual,
    }
}

/// Changes a post that nobody else has changed meanwhile, and counts its version
/// up. `false` if somebody has, or the post is not there or out of reach.
///
/// # Errors
/// [`DbError::Duplicate`] if another post has the slug; otherwise the database
/// did not answer.
pub async fn change(
    tx: &mut Tx,
    seen: (ObjectId, i64, Reach),
    set: Document,
) -> Result<bool, DbError> {
    let (post_id, version, reach) = seen;
    let change = doc! { "$set": set, "$inc": { "version": 1_i64 } };
    version_filter(post_id, version, reach).apply(tx, change).await
}

/// Stores a new post.
///
/// # Errors
/// [`DbError::Duplicate`] if the id or the slug is taken.
pub async fn insert(tx: &mut Tx, post: &Post) -> Result<(), DbError> {
    let posts = posts_in(tx);
    posts.insert_one(post).session(&mut tx.session).await?;
    Ok(())
}

/// Stores the body of a post, new or instead of the one before. What
/// was copied into it (neighbours, the author's words) stays as it is.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn put_body(tx: &mut Tx, body: &PostBody) -> Result<(), DbError> {
    let mut set = to_document(body)?;
    let mut kept = Document::new();
    set.remove("_id");
    for field in ["authorBio", "prev", "next", "related"] {
        kept.extend(set.remove(field).map(|value| (field.to_owned(), value)));
    }
    let change = doc! { "$set": set, "$setOnInsert": kept };
    body_filter(body.id).apply_or_insert(tx, change).await
}

/// The body moves with its post to another slug. `false` if it has none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn move_body(tx: &mut Tx, post_id: ObjectId, slug: &str) -> Result<bool, DbError> {
    body_filter(post_id).apply(tx, doc! { "$set": { "slug": slug } }).await
}

/// What the author of a post typed.
#[must_use]
pub fn source_filter(post_id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "post_sources: one",
        collection: SOURCES,
        index: "_id_",
        equal: doc! { "_id": post_id },
        residual: Document::new(),
    }
}

/// Stores the source of a post, new or instead of the one before. Its preview link
/// stays.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn put_source(tx: &mut Tx, source: &PostSource) -> Result<(), DbError> {
    let mut set = to_document(source)?;
    set.remove("_id");
    set.remove("preview");
    let unset = if source.excerpt.is_none() {
        doc! { "excerpt": "" }
    } else {
        Document::new()
    };
    let mut change = doc! { "$set": set };
    if !unset.is_empty() {
        change.insert("$unset", unset);
    }
    source_filter(source.id).apply_or_insert(tx, change).await
}

/// Sets or ends the preview link of a post.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_preview(
    db: &Db,
    post_id: ObjectId,
    link: Option<PreviewLink>,
) -> Result<bool, DbError> {
    let change = match link {
        Some(link) => doc! { "$set": { "preview": to_document(&link)? } },
        None => doc! { "$unset": { "preview": "" } },
    };
    source_filter(post_id).apply_alone(db, change).await
}

fn to_document<T: serde::Serialize>(value: &T) -> Result<Document, DbError> {
    Ok(serialize_to_document(value)?)
}
