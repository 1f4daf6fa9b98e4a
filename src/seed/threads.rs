//! The comments of one post, and the copies that the post carries.

use std::{cmp::Reverse, sync::Arc};

use mongodb::bson::{DateTime, oid::ObjectId};

use crate::{
    comments::{actions, forms::NewComment, model::Comment},
    domain::{
        comment_card::{CommentCard, Commenter, LATEST_COMMENTS},
        markdown::Rendered,
    },
};

/// Best-liked comments that a post carries.
const TOP_COMMENTS: usize = 3;

/// A growing thread, oldest comment first.
pub struct Thread {
    post_id: ObjectId,
    pub comments: Vec<Comment>,
    rendered: Vec<Arc<Rendered>>,
}

/// The next comment of a thread.
pub struct Entry {
    /// Higher than those before.
    pub id: ObjectId,
    /// Place in the thread of the comment it answers.
    pub parent: Option<usize>,
    pub author: Commenter,
    pub source: String,
    /// What the renderer gives for `source`.
    pub rendered: Arc<Rendered>,
    pub likes: i64,
    pub at: DateTime,
}

impl Thread {
    pub fn new(post_id: ObjectId) -> Self {
        Self { post_id, comments: Vec::new(), rendered: Vec::new() }
    }

    pub fn add(&mut self, entry: Entry) {
        let parent = entry.parent.and_then(|place| self.comments.get(place));
        let parent = parent.map(|parent| (parent.id, parent.ancestors.as_slice()));
        let new = NewComment { author: entry.author, email: None, body: entry.source };
        let html = entry.rendered.html.clone();
        let mut comment = actions::place(entry.id, self.post_id, parent, new, html, entry.at);
        comment.likes = entry.likes;
        // Not `entry.parent`: an answer to the deepest comment stands beside it.
        if let Some(parent_id) = comment.parent_id
            && let Ok(place) = self.comments.binary_search_by_key(&parent_id, |c| c.id)
            && let Some(parent) = self.comments.get_mut(place)
        {
            parent.reply_count += 1;
        }
        self.comments.push(comment);
        self.rendered.push(entry.rendered);
    }

    /// Copies of the newest, newest first.
    pub fn latest(&self) -> Vec<CommentCard> {
        let count = usize::try_from(LATEST_COMMENTS).unwrap_or_default();
        self.pairs().rev().take(count).map(|(comment, rendered)| comment.card(rendered)).collect()
    }

    /// Copies of the best liked, best first, of two alike the newer.
    pub fn best(&self) -> Vec<CommentCard> {
        let mut liked: Vec<_> = self.pairs().filter(|(comment, _)| comment.likes > 0).collect();
        liked.sort_by_key(|(comment, _)| Reverse((comment.likes, comment.id)));
        let card = |(comment, rendered): (&Comment, &Rendered)| CommentCard {
            likes: Some(comment.likes),
            ..comment.card(rendered)
        };
        liked.into_iter().take(TOP_COMMENTS).map(card).collect()
    }

    fn pairs(&self) -> impl DoubleEndedIterator<Item = (&Comment, &Rendered)> {
        self.comments.iter().zip(self.rendered.iter().map(Arc::as_ref))
    }
}
