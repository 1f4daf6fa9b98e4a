//! Comments as stored.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

use crate::domain::{
    comment_card::{CommentCard, Commenter},
    markdown::Rendered,
    safe_html::SafeHtml,
};

/// Replies nest no deeper; an answer to the deepest stands beside it.
pub const MAX_DEPTH: usize = 100;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum CommentStatus {
    Pending,
    Approved,
    Rejected,
    Spam,
    Deleted,
}

impl CommentStatus {
    pub const ALL: [Self; 5] =
        [Self::Pending, Self::Approved, Self::Rejected, Self::Spam, Self::Deleted];

    /// As stored.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Spam => "spam",
            Self::Deleted => "deleted",
        }
    }
}

/// A whole document of `comments`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// Holds the time of `createdAt`, so that `_id` orders by age.
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub post_id: ObjectId,
    /// The top-level comment of the thread; for a top-level comment the post's
    /// own id. So one index finds both the threads of a post and the replies of
    /// a thread by equality, however long either is.
    pub root_id: ObjectId,
    pub parent_id: Option<ObjectId>,
    /// Root first, parent last.
    pub ancestors: Vec<ObjectId>,
    pub depth: i32,
    pub author: Commenter,
    /// Never shown and in no projection of a page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub guest_email: Option<String>,
    /// As typed.
    pub source: String,
    pub html: SafeHtml,
    pub likes: i64,
    /// Shown direct replies.
    pub reply_count: i64,
    pub status: CommentStatus,
    /// Whether readers see it, a deleted one's place included.
    pub shown: bool,
    pub created_at: DateTime,
}

impl Comment {
    /// Its copy for the post.
    #[must_use]
    pub fn card(&self, rendered: &Rendered) -> CommentCard {
        let (html, is_cut) = CommentCard::html_of(rendered);
        CommentCard {
            id: self.id,
            author: self.author.small(),
            html,
            is_cut,
            parent_id: self.parent_id,
            created_at: self.created_at,
            likes: None,
        }
    }
}

/// A comment as a page shows it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShownComment {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub root_id: ObjectId,
    pub parent_id: Option<ObjectId>,
    pub ancestors: Vec<ObjectId>,
    pub author: Commenter,
    pub html: SafeHtml,
    pub likes: i64,
    pub reply_count: i64,
    pub created_at: DateTime,
}

impl ShownComment {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "rootId": 1, "parentId": 1, "ancestors": 1, "author": 1, "html": 1, "likes": 1,
            "replyCount": 1, "createdAt": 1,
        }
    }

    #[must_use]
    pub fn is_top_level(&self) -> bool {
        self.parent_id.is_none()
    }
}

/// Of a comment, who wrote it and where.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CommentAuthor {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub post_id: ObjectId,
    pub author: Commenter,
}

impl CommentAuthor {
    #[must_use]
    pub fn projection() -> Document {
        doc! { "postId": 1, "author": 1 }
    }
}

/// A form that was accepted: the same again within ten minutes is the same
/// comment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Submission {
    /// SHA-256 over who, where and what, in hex.
    #[serde(rename = "_id")]
    pub id: String,
    pub comment_id: ObjectId,
    pub created_at: DateTime,
}
