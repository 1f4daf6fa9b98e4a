//! Posts as their editors and their own lists read them.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::Deserialize;

use super::model::{PostStatus, Seo};
use crate::domain::{author_card::AuthorCard, category_card::CategoryCard, paging::Cursor};

/// Whose posts somebody may change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    Own(ObjectId),
    Everybodys,
}

impl Reach {
    /// As a condition on posts.
    #[must_use]
    pub fn condition(self) -> Document {
        match self {
            Self::Own(author) => doc! { "author._id": author },
            Self::Everybodys => Document::new(),
        }
    }
}

/// What an editor needs of a post beside its source.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct EditedPost {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    pub cover_url: Option<String>,
    pub status: PostStatus,
    pub published_at: Option<DateTime>,
    #[serde(default)]
    pub publish_at: Option<DateTime>,
    pub updated_at: DateTime,
    pub author: AuthorCard,
    pub category: Option<CategoryCard>,
    pub tags: Vec<String>,
    pub seo: Seo,
    pub comments_open: bool,
    pub lang: String,
    pub version: i64,
}

impl EditedPost {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "slug": 1, "title": 1, "coverUrl": 1, "status": 1, "publishedAt": 1, "publishAt": 1,
            "updatedAt": 1, "author": 1, "category": 1, "tags": 1, "seo": 1, "commentsOpen": 1,
            "lang": 1, "version": 1,
        }
    }

    /// Its place in the list of all, if it was ever in it.
    #[must_use]
    pub fn cursor(&self) -> Option<Cursor> {
        self.published_at.map(|at| Cursor { at, id: self.id })
    }
}

/// A post beside another in the list of all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Neighbour {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub published_at: DateTime,
}

impl Neighbour {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "publishedAt": 1 }
    }

    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor { at: self.published_at, id: self.id }
    }
}

/// A post by its title, whatever its status.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PostTitle {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub title: String,
    pub lang: String,
}

impl PostTitle {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "title": 1, "lang": 1 }
    }
}

/// A line of an author's own list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostRow {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    pub status: PostStatus,
    pub published_at: Option<DateTime>,
    #[serde(default)]
    pub publish_at: Option<DateTime>,
    pub updated_at: DateTime,
    pub lang: String,
    pub version: i64,
}

impl PostRow {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "slug": 1, "title": 1, "status": 1, "publishedAt": 1, "publishAt": 1, "updatedAt": 1,
            "lang": 1, "version": 1,
        }
    }

    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor { at: self.updated_at, id: self.id }
    }
}
