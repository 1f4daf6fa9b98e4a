//! Posts as stored, and the parts of them that pages read.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

use crate::domain::{
    author_card::AuthorCard, category_card::CategoryCard, comment_card::CommentCard,
    markdown::TocEntry, paging::Cursor, safe_html::SafeHtml,
};

/// Code points of the longest slug, the longest title and the longest excerpt.
pub const SLUG_CHARS: usize = 80;
pub const TITLE_CHARS: usize = 200;
pub const EXCERPT_CHARS: usize = 400;

/// Goes up when the shape of `posts` changes.
pub const SCHEMA_VERSION: i32 = 1;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PostStatus {
    Draft,
    Scheduled,
    Published,
    Archived,
    Deleted,
}

impl PostStatus {
    pub const ALL: [Self; 5] =
        [Self::Draft, Self::Scheduled, Self::Published, Self::Archived, Self::Deleted];

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// As stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Draft => "draft",
            Self::Scheduled => "scheduled",
            Self::Published => "published",
            Self::Archived => "archived",
            Self::Deleted => "deleted",
        }
    }
}

/// Counters, each equal to the visible documents it counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stats {
    pub views: i64,
    pub likes: i64,
    pub comments: i64,
    pub bookmarks: i64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seo {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    #[serde(default)]
    pub noindex: bool,
}

/// A whole document of `posts`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Post {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    /// Plain text.
    pub excerpt: String,
    pub cover_url: Option<String>,
    pub status: PostStatus,
    /// Since when it is, or was at last, to be read. Stays when it is taken back.
    pub published_at: Option<DateTime>,
    /// When it is to be published by itself: while `scheduled`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub publish_at: Option<DateTime>,
    pub created_at: DateTime,
    pub updated_at: DateTime,
    pub author: AuthorCard,
    pub category: Option<CategoryCard>,
    pub tags: Vec<String>,
    pub seo: Seo,
    pub stats: Stats,
    pub hot_score: f64,
    pub latest_comments: Vec<CommentCard>,
    pub top_comments: Vec<CommentCard>,
    pub reading_minutes: i64,
    pub word_count: i64,
    pub comments_open: bool,
    /// Language of the text, for `lang`.
    pub lang: String,
    pub version: i64,
    pub schema_version: i32,
}

/// A teaser on a list.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostCard {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    pub excerpt: String,
    pub cover_url: Option<String>,
    pub published_at: DateTime,
    pub author: AuthorCard,
    pub tags: Vec<String>,
    pub stats: Stats,
    pub reading_minutes: i64,
    pub lang: String,
}

impl PostCard {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "slug": 1, "title": 1, "excerpt": 1, "coverUrl": 1, "publishedAt": 1, "author": 1,
            "tags": 1, "stats": 1, "readingMinutes": 1, "lang": 1,
        }
    }

    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor { at: self.published_at, id: self.id }
    }
}

/// Something of which only the id matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Reference {
    #[serde(rename = "_id")]
    pub id: ObjectId,
}

/// What a post adds to counts.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CountedPost {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub published_at: DateTime,
    pub author: Reference,
    pub category: Option<Reference>,
    pub tags: Vec<String>,
    pub stats: Stats,
}

impl CountedPost {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "publishedAt": 1, "author._id": 1, "category._id": 1, "tags": 1, "stats": 1 }
    }

    #[must_use]
    pub fn cursor(&self) -> Cursor {
        Cursor { at: self.published_at, id: self.id }
    }
}

/// The head of a post page: everything but the body.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostMeta {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    pub excerpt: String,
    pub cover_url: Option<String>,
    pub status: PostStatus,
    pub published_at: Option<DateTime>,
    pub updated_at: DateTime,
    pub author: AuthorCard,
    pub category: Option<CategoryCard>,
    pub tags: Vec<String>,
    pub seo: Seo,
    pub stats: Stats,
    pub latest_comments: Vec<CommentCard>,
    pub top_comments: Vec<CommentCard>,
    pub reading_minutes: i64,
    pub comments_open: bool,
    pub lang: String,
}

impl PostMeta {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "slug": 1, "title": 1, "excerpt": 1, "coverUrl": 1, "status": 1, "publishedAt": 1,
            "updatedAt": 1, "author": 1, "category": 1, "tags": 1, "seo": 1, "stats": 1,
            "latestComments": 1, "topComments": 1, "readingMinutes": 1, "commentsOpen": 1,
            "lang": 1,
        }
    }

    /// Whether a stranger may read it. An archived post keeps its address.
    #[must_use]
    pub fn is_readable(&self) -> bool {
        matches!(self.status, PostStatus::Published | PostStatus::Archived)
    }

    /// Whether it lies in the bin.
    #[must_use]
    pub fn is_deleted(&self) -> bool {
        self.status == PostStatus::Deleted
    }

    /// Whether anybody may comment: archived posts are closed.
    #[must_use]
    pub fn takes_comments(&self) -> bool {
        self.comments_open && self.status == PostStatus::Published
    }
}

/// A document of `post_contents`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PostBody {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub html: SafeHtml,
    pub toc: Vec<TocEntry>,
    pub renderer_version: i32,
    pub author_bio: String,
    /// The post before this one in the list, that is the next newer one.
    pub prev: Option<ObjectId>,
    pub next: Option<ObjectId>,
    pub related: Vec<ObjectId>,
    pub updated_at: DateTime,
}

impl PostBody {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "slug": 1, "html": 1, "toc": 1, "rendererVersion": 1, "authorBio": 1, "prev": 1,
            "next": 1, "related": 1, "updatedAt": 1,
        }
    }
}

/// A document of `post_sources`: what the author typed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PostSource {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub source: String,
    pub format: String,
    /// The excerpt, if the author wrote one; else it is made from the text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub excerpt: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preview: Option<PreviewLink>,
}

/// The link that shows an unpublished post to whoever has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct PreviewLink {
    /// Of its token.
    pub hash: String,
    pub expires_at: DateTime,
}

impl PostSource {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "source": 1, "format": 1, "excerpt": 1, "preview": 1 }
    }
}

/// Enough of a post to link to it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct PostLink {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    pub lang: String,
}

impl PostLink {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "slug": 1, "title": 1, "lang": 1 }
    }
}
