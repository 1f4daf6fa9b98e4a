//! Reads of posts, one function an access pattern.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use super::{
    collection::{CONTENTS, POSTS, SOURCES},
    editing::{EditedPost, Neighbour, PostRow, PostTitle},
    model::{CountedPost, PostBody, PostCard, PostLink, PostMeta, PostSource, PostStatus},
};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
    },
    domain::paging::{Cursor, PAGE_SIZE, Page, Position, TimeRange},
};

/// Posts of one read while counting.
const COUNTED: usize = 1000;

/// Scheduled posts published at a time; the next time takes the next ones.
const DUE_AT_ONCE: usize = 100;

/// A list of published posts, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PostList {
    /// Home: all of them.
    All,
    /// Posts with a tag, in the tag's normal form.
    Tag(String),
    Category(ObjectId),
    Author(ObjectId),
    /// Published in a range of time.
    Between(TimeRange),
}

/// One page of a list. Serves home, tag, category, author and month pages.
#[must_use]
pub fn list_spec(list: &PostList, position: &Position<Cursor>) -> FindSpec {
    let (name, index, mut equal) = match list {
        PostList::All => ("posts: newest", "newest", Document::new()),
        PostList::Tag(tag) => ("posts: by tag", "tag_newest", doc! { "tags": tag }),
        PostList::Category(id) => ("posts: by category", "category", doc! { "category._id": id }),
        PostList::Author(id) => ("posts: by author", "author", doc! { "author._id": id }),
        PostList::Between(_) => ("posts: of a month", "newest", Document::new()),
    };
    let within = match list {
        PostList::Between(range) => Some(*range),
        _ => None,
    };
    equal.insert("status", PostStatus::Published.name());
    FindSpec {
        name,
        collection: POSTS,
        index,
        equal,
        residual: Document::new(),
        sort: Sort::NewestFirst { field: "publishedAt", within, from: *position },
        limit: PAGE_SIZE + 1,
        projection: PostCard::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn list(
    db: &Db,
    list: &PostList,
    position: &Position<Cursor>,
) -> Result<Page<PostCard, Cursor>, DbError> {
    list_spec(list, position).page(db, position, PostCard::cursor).await
}

/// What counts are made of, a stretch of the whole list at a time. Serves
/// seeding.
#[must_use]
pub fn count_spec(position: &Position<Cursor>) -> FindSpec {
    FindSpec {
        name: "posts: counted",
        limit: COUNTED + 1,
        projection: CountedPost::projection(),
        ..list_spec(&PostList::All, position)
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn count(
    db: &Db,
    position: &Position<Cursor>,
) -> Result<Page<CountedPost, Cursor>, DbError> {
    count_spec(position).page(db, position, CountedPost::cursor).await
}

/// The metadata of a post, whatever its status. Serves the post page.
#[must_use]
pub fn meta_by_slug_spec(slug: &str) -> FindSpec {
    by_slug("posts: metadata by slug", POSTS, slug, PostMeta::projection())
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_meta_by_slug(db: &Db, slug: &str) -> Result<Option<PostMeta>, DbError> {
    meta_by_slug_spec(slug).first(db).await
}

/// The metadata of a post by its id. Serves addresses that led to it before.
#[must_use]
pub fn meta_by_id_spec(id: ObjectId) -> FindSpec {
    by_id("posts: metadata by id", POSTS, id, PostMeta::projection())
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_meta_by_id(db: &Db, id: ObjectId) -> Result<Option<PostMeta>, DbError> {
    meta_by_id_spec(id).first(db).await
}

/// The body of a post. Serves the post page, beside the metadata.
#[must_use]
pub fn body_by_slug_spec(slug: &str) -> FindSpec {
    by_slug("post_contents: body by slug", CONTENTS, slug, PostBody::projection())
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_body_by_slug(db: &Db, slug: &str) -> Result<Option<PostBody>, DbError> {
    body_by_slug_spec(slug).first(db).await
}

/// The body again, by the id that the metadata gave: between the two reads by
/// slug a rename may have happened.
#[must_use]
pub fn body_by_id_spec(id: ObjectId) -> FindSpec {
    by_id("post_contents: body by id", CONTENTS, id, PostBody::projection())
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_body_by_id(db: &Db, id: ObjectId) -> Result<Option<PostBody>, DbError> {
    body_by_id_spec(id).first(db).await
}

/// Two neighbours and four related posts.
const MAX_LINKS: usize = 6;

/// Links to some posts, in any order; those not published are left out. Serves
/// neighbours and related posts below a post.
#[must_use]
pub fn links_spec(ids: &[ObjectId]) -> FindSpec {
    let ids: Vec<_> = ids.iter().copied().take(MAX_LINKS).collect();
    FindSpec {
        name: "posts: links by ids",
        collection: POSTS,
        index: "_id_",
        limit: ids.len(),
        equal: doc! { "_id": { "$in": ids } },
        residual: doc! { "status": PostStatus::Published.name() },
        sort: Sort::None,
        projection: PostLink::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_links(db: &Db, ids: &[ObjectId]) -> Result<Vec<PostLink>, DbError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    links_spec(ids).all(db).await
}

/// A post for its editor, whatever its status.
#[must_use]
pub fn edited_spec(id: ObjectId) -> FindSpec {
    by_id("posts: one for its editor", POSTS, id, EditedPost::projection())
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_edited(db: &Db, id: ObjectId) -> Result<Option<EditedPost>, DbError> {
    edited_spec(id).first(db).await
}

/// What the author typed. Serves the editor, beside the post.
#[must_use]
pub fn source_spec(id: ObjectId) -> FindSpec {
    by_id("post_sources: one", SOURCES, id, PostSource::projection())
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_source(db: &Db, id: ObjectId) -> Result<Option<PostSource>, DbError> {
    source_spec(id).first(db).await
}

/// An author's own posts of one status, last edited first. Serves their list of
/// drafts, scheduled posts and so on.
#[must_use]
pub fn own_spec(author: ObjectId, status: PostStatus, position: &Position<Cursor>) -> FindSpec {
    FindSpec {
        name: "posts: own by status",
        collection: POSTS,
        index: "author_edited",
        equal: doc! { "author._id": author, "status": status.name() },
        residual: Document::new(),
        sort: Sort::NewestFirst { field: "updatedAt", within: None, from: *position },
        limit: PAGE_SIZE + 1,
        projection: PostRow::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn own(
    db: &Db,
    author: ObjectId,
    status: PostStatus,
    position: &Position<Cursor>,
) -> Result<Page<PostRow, Cursor>, DbError> {
    own_spec(author, status, position).page(db, position, PostRow::cursor).await
}

/// Scheduled posts whose time has come. Serves the job that publishes them.
#[must_use]
pub fn due_spec(now: DateTime) -> FindSpec {
    let within = Some(TimeRange { first: DateTime::from_millis(0), last: now });
    FindSpec {
        name: "posts: due",
        collection: POSTS,
        index: "due",
        equal: doc! { "status": PostStatus::Scheduled.name() },
        residual: Document::new(),
        sort: Sort::NewestFirst { field: "publishAt", within, from: Position::First },
        limit: DUE_AT_ONCE,
        projection: EditedPost::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_due(db: &Db, now: DateTime) -> Result<Vec<EditedPost>, DbError> {
    due_spec(now).all(db).await
}

/// Posts of one read of titles.
const MAX_TITLES: usize = 200;

/// Titles of some posts of one author, whatever their status. Serves the list of a
/// member's pictures: where each is used, as far as that is the member's to know.
#[must_use]
pub fn titles_spec(author: ObjectId, ids: &[ObjectId]) -> FindSpec {
    let ids: Vec<_> = ids.iter().copied().take(MAX_TITLES).collect();
    FindSpec {
        name: "posts: titles by ids",
        collection: POSTS,
        index: "_id_",
        limit: ids.len(),
        equal: doc! { "_id": { "$in": ids } },
        residual: doc! { "author._id": author },
        sort: Sort::None,
        projection: PostTitle::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_titles(
    db: &Db,
    author: ObjectId,
    ids: &[ObjectId],
) -> Result<Vec<PostTitle>, DbError> {
    let mut found = Vec::new();
    for some in ids.chunks(MAX_TITLES) {
        found.extend(titles_spec(author, some).all::<PostTitle>(db).await?);
    }
    Ok(found)
}

/// The published post right before or after a place in the list of all.
#[must_use]
pub fn neighbour_spec(position: &Position<Cursor>) -> FindSpec {
    FindSpec {
        name: "posts: neighbour",
        limit: 1,
        projection: Neighbour::projection(),
        ..list_spec(&PostList::All, position)
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_neighbour(
    db: &Db,
    position: &Position<Cursor>,
) -> Result<Option<Neighbour>, DbError> {
    neighbour_spec(position).first(db).await
}

fn by_id(
    name: &'static str,
    collection: &'static str,
    id: ObjectId,
    projection: Document,
) -> FindSpec {
    FindSpec {
        name,
        collection,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection,
    }
}

fn by_slug(
    name: &'static str,
    collection: &'static str,
    slug: &str,
    projection: Document,
) -> FindSpec {
    FindSpec {
        name,
        collection,
        index: "slug",
        equal: doc! { "slug": slug },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection,
    }
}
