//! The copies of others that posts carry: the author's card, the category's, those of
//! embedded comments, and in the body the author's biography. Serves `copies`.

use mongodb::bson::{Bson, DateTime, Document, doc, oid::ObjectId, serialize_to_bson};
use serde::{Deserialize, Serialize};

use super::{
    collection::{CONTENTS, POSTS},
    model::PostStatus,
};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
        update::UpdateFilter,
    },
    domain::{
        author_card::AuthorCard,
        category_card::CategoryCard,
        comment_card::Commenter,
        paging::{Cursor, Page, Position, TimeRange},
    },
};

/// The cards that a post carries of others.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostCards {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub published_at: Option<DateTime>,
    pub author: AuthorCard,
    pub category: Option<CategoryCard>,
    latest_comments: Vec<EmbeddedCard>,
    top_comments: Vec<EmbeddedCard>,
}

/// Of an embedded comment, who wrote it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
struct EmbeddedCard {
    author: Commenter,
}

impl PostCards {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "publishedAt": 1, "author": 1, "category": 1, "latestComments.author": 1,
            "topComments.author": 1,
        }
    }

    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor { at: self.published_at.unwrap_or(DateTime::MIN), id: self.id }
    }

    /// The members among those who wrote the embedded comments.
    pub fn commenters(&self) -> impl Iterator<Item = &AuthorCard> {
        let embedded = self.latest_comments.iter().chain(&self.top_comments);
        embedded.filter_map(|comment| comment.author.member())
    }
}

/// The copy of its author's biography that a body carries.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostBio {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub author_bio: String,
}

/// Posts of one read, for what copies they carry: as many ids as a statement that
/// repairs them names.
const CARDS: usize = 200;

/// Of whom or what posts carry a card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CardOf {
    Author(ObjectId),
    Category(ObjectId),
}

/// Posts of a status that carry a card, those with a time of publication.
#[must_use]
pub fn dated_cards_spec(of: CardOf, status: PostStatus, position: &Position<Cursor>) -> FindSpec {
    let (name, index, mut equal) = match of {
        CardOf::Author(id) => {
            ("posts: dated with an author's card", "author", doc! { "author._id": id })
        }
        CardOf::Category(id) => {
            ("posts: dated with a category's card", "category", doc! { "category._id": id })
        }
    };
    equal.insert("status", status.name());
    let within = Some(TimeRange { first: DateTime::MIN, last: DateTime::MAX });
    FindSpec {
        name,
        collection: POSTS,
        index,
        equal,
        residual: Document::new(),
        sort: Sort::NewestFirst { field: "publishedAt", within, from: *position },
        limit: CARDS + 1,
        projection: PostCards::projection(),
    }
}

/// The same, those that were never published.
#[must_use]
pub fn undated_cards_spec(
    of: CardOf,
    status: PostStatus,
    position: &Position<ObjectId>,
) -> FindSpec {
    let mut spec = dated_cards_spec(of, status, &Position::First);
    spec.name = match of {
        CardOf::Author(_) => "posts: undated with an author's card",
        CardOf::Category(_) => "posts: undated with a category's card",
    };
    spec.equal.insert("publishedAt", Bson::Null);
    spec.sort = Sort::IdDescending { from: *position };
    spec
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn dated_cards(
    db: &Db,
    of: CardOf,
    status: PostStatus,
    position: &Position<Cursor>,
) -> Result<Page<PostCards, Cursor>, DbError> {
    dated_cards_spec(of, status, position).page(db, position, PostCards::cursor).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn undated_cards(
    db: &Db,
    of: CardOf,
    status: PostStatus,
    position: &Position<ObjectId>,
) -> Result<Page<PostCards, ObjectId>, DbError> {
    undated_cards_spec(of, status, position).page(db, position, |post: &PostCards| post.id).await
}

/// All posts with the cards they carry, the latest made first. Serves the full
/// check of copies.
#[must_use]
pub fn all_cards_spec(position: &Position<ObjectId>) -> FindSpec {
    FindSpec {
        name: "posts: all cards",
        collection: POSTS,
        index: "_id_",
        equal: Document::new(),
        residual: Document::new(),
        // From the newest: nobody knows how far back the oldest is, and a window from
        // the beginning of time would take in everything at once.
        sort: Sort::IdDescending { from: *position },
        limit: CARDS + 1,
        projection: PostCards::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn all_cards(
    db: &Db,
    position: &Position<ObjectId>,
) -> Result<Page<PostCards, ObjectId>, DbError> {
    all_cards_spec(position).page(db, position, |post: &PostCards| post.id).await
}

/// The biographies that some bodies carry, at most 200. Serves the full check.
#[must_use]
pub fn bios_spec(ids: &[ObjectId]) -> FindSpec {
    let ids: Vec<_> = ids.iter().copied().take(CARDS).collect();
    FindSpec {
        name: "post_contents: biographies by ids",
        collection: CONTENTS,
        index: "_id_",
        limit: ids.len(),
        equal: doc! { "_id": { "$in": ids } },
        residual: Document::new(),
        sort: Sort::None,
        projection: doc! { "authorBio": 1 },
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_bios(db: &Db, ids: &[ObjectId]) -> Result<Vec<PostBio>, DbError> {
    bios_spec(ids).all(db).await
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
