//! Reads of comments, one function an access pattern.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::{COMMENTS, SUBMISSIONS},
    model::{CommentAuthor, CommentStatus, ShownComment, Submission},
};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
    },
    domain::paging::{PAGE_SIZE, Page, Position},
};

/// Replies shown under each comment on the page of all comments.
pub const REPLIES_SHOWN: usize = 10;

/// Replies on a page of one thread.
pub const THREAD_PAGE_SIZE: usize = 50;

/// The order of the threads of a post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ThreadOrder {
    NewestFirst,
    OldestFirst,
}

/// Top-level comments of a post. Serves the page of all comments.
#[must_use]
pub fn threads_spec(
    post_id: ObjectId,
    order: ThreadOrder,
    position: &Position<ObjectId>,
) -> FindSpec {
    let sort = match order {
        ThreadOrder::NewestFirst => Sort::IdDescending { from: *position },
        ThreadOrder::OldestFirst => Sort::IdAscending { from: *position, begin: post_id },
    };
    FindSpec {
        name: "comments: threads of a post",
        collection: COMMENTS,
        index: "thread",
        // A top-level comment has the post as its root.
        equal: doc! { "postId": post_id, "shown": true, "rootId": post_id },
        residual: Document::new(),
        sort,
        limit: PAGE_SIZE + 1,
        projection: ShownComment::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn threads(
    db: &Db,
    post_id: ObjectId,
    order: ThreadOrder,
    position: &Position<ObjectId>,
) -> Result<Page<ShownComment, ObjectId>, DbError> {
    threads_spec(post_id, order, position)
        .page(db, position, |comment: &ShownComment| comment.id)
        .await
}

/// The first replies of a thread, in the order of making. Serves the page of all
/// comments; one more than is shown, to know whether there are more.
#[must_use]
pub fn first_replies_spec(post_id: ObjectId, root_id: ObjectId) -> FindSpec {
    FindSpec {
        name: "comments: first replies of a thread",
        collection: COMMENTS,
        index: "thread",
        equal: doc! { "postId": post_id, "shown": true, "rootId": root_id },
        residual: Document::new(),
        sort: Sort::IdAscending { from: Position::First, begin: root_id },
        limit: REPLIES_SHOWN + 1,
        projection: ShownComment::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn first_replies(
    db: &Db,
    post_id: ObjectId,
    root_id: ObjectId,
) -> Result<Vec<ShownComment>, DbError> {
    first_replies_spec(post_id, root_id).all(db).await
}

/// Everything below a comment, in the order of making. Serves the thread page.
#[must_use]
pub fn below_spec(
    post_id: ObjectId,
    comment_id: ObjectId,
    position: &Position<ObjectId>,
) -> FindSpec {
    FindSpec {
        name: "comments: below a comment",
        collection: COMMENTS,
        index: "sub",
        equal: doc! { "ancestors": comment_id },
        residual: doc! { "postId": post_id, "shown": true },
        sort: Sort::IdAscending { from: *position, begin: comment_id },
        limit: THREAD_PAGE_SIZE + 1,
        projection: ShownComment::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn below(
    db: &Db,
    post_id: ObjectId,
    comment_id: ObjectId,
    position: &Position<ObjectId>,
) -> Result<Page<ShownComment, ObjectId>, DbError> {
    below_spec(post_id, comment_id, position)
        .page(db, position, |comment: &ShownComment| comment.id)
        .await
}

/// One comment, if it is shown and belongs to the post. Serves the thread page and replies.
#[must_use]
pub fn shown_spec(post_id: ObjectId, id: ObjectId) -> FindSpec {
    FindSpec {
        name: "comments: one by id",
        collection: COMMENTS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: doc! { "postId": post_id, "shown": true },
        sort: Sort::None,
        limit: 1,
        projection: ShownComment::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_shown(
    db: &Db,
    post_id: ObjectId,
    id: ObjectId,
) -> Result<Option<ShownComment>, DbError> {
    shown_spec(post_id, id).first(db).await
}

/// What an earlier sending of the same form made. Serves double clicks.
#[must_use]
pub fn submission_spec(id: &str) -> FindSpec {
    FindSpec {
        name: "submissions: one by id",
        collection: SUBMISSIONS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: doc! { "commentId": 1, "createdAt": 1 },
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_submission(db: &Db, id: &str) -> Result<Option<Submission>, DbError> {
    submission_spec(id).first(db).await
}

/// Comments of one read, for the cards they carry.
const CARDS: usize = 200;

/// A member's comments of a status, the latest made first. Serves the copies of
/// their card.
#[must_use]
pub fn by_author_spec(
    author: ObjectId,
    status: CommentStatus,
    position: &Position<ObjectId>,
) -> FindSpec {
    FindSpec {
        name: "comments: by author",
        collection: COMMENTS,
        index: "author",
        equal: doc! { "author._id": author, "status": status.name() },
        residual: Document::new(),
        sort: Sort::IdDescending { from: *position },
        limit: CARDS + 1,
        projection: CommentAuthor::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn by_author(
    db: &Db,
    author: ObjectId,
    status: CommentStatus,
    position: &Position<ObjectId>,
) -> Result<Page<CommentAuthor, ObjectId>, DbError> {
    by_author_spec(author, status, position)
        .page(db, position, |comment: &CommentAuthor| comment.id)
        .await
}

/// All comments with who wrote them, the latest made first. Serves the full
/// check of copies.
#[must_use]
pub fn all_authors_spec(position: &Position<ObjectId>) -> FindSpec {
    FindSpec {
        name: "comments: all authors",
        collection: COMMENTS,
        index: "_id_",
        equal: Document::new(),
        residual: Document::new(),
        // From the newest: nobody knows how far back the oldest is, and a window from
        // the beginning of time would take in everything at once.
        sort: Sort::IdDescending { from: *position },
        limit: CARDS + 1,
        projection: CommentAuthor::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn all_authors(
    db: &Db,
    position: &Position<ObjectId>,
) -> Result<Page<CommentAuthor, ObjectId>, DbError> {
    all_authors_spec(position).page(db, position, |comment: &CommentAuthor| comment.id).await
}
