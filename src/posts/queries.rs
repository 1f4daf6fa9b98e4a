//! Reads of posts, one function an access pattern.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::{CONTENTS, POSTS},
    model::{CountedPost, PostBody, PostCard, PostLink, PostMeta, PostStatus},
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
    FindSpec {
        name: "post_contents: body by id",
        collection: CONTENTS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: PostBody::projection(),
    }
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
