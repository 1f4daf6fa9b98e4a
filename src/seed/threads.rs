//! The comments of one post, and the copies that the post carries.

use std::cmp::Reverse;

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
    cards: Vec<CommentCard>,
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
    pub rendered: Rendered,
    pub likes: i64,
    pub at: DateTime,
}

impl Thread {
    pub fn new(post_id: ObjectId) -> Self {
        Self { post_id, comments: Vec::new(), cards: Vec::new() }
    }

    pub fn add(&mut self, entry: Entry) {
        let parent = entry.parent.and_then(|place| self.comments.get(place));
        let parent = parent.map(|parent| (parent.id, parent.ancestors.as_slice()));
        let Entry { author, source: body, rendered, .. } = entry;
        let new = NewComment { author, email: None, body, rendered };
        let (mut comment, card) = actions::build(entry.id, self.post_id, parent, new, entry.at);
        comment.likes = entry.likes;
        // Not `entry.parent`: an answer to the deepest comment stands beside it.
        if let Some(parent_id) = comment.parent_id
            && let Ok(place) = self.comments.binary_search_by_key(&parent_id, |c| c.id)
            && let Some(parent) = self.comments.get_mut(place)
        {
            parent.reply_count += 1;
        }
        self.comments.push(comment);
        self.cards.push(card);
    }

    /// Copies of the newest, newest first.
    pub fn latest(&self) -> Vec<CommentCard> {
        let count = usize::try_from(LATEST_COMMENTS).unwrap_or_default();
        self.cards.iter().rev().take(count).cloned().collect()
    }

    /// Copies of the best liked, best first, of two alike the newer.
    pub fn best(&self) -> Vec<CommentCard> {
        let all = self.comments.iter().map(|comment| comment.likes).zip(&self.cards);
        let mut liked: Vec<_> = all.filter(|(likes, _)| *likes > 0).collect();
        liked.sort_by_key(|(likes, card)| Reverse((*likes, card.id)));
        let best = liked.into_iter().take(TOP_COMMENTS);
        best.map(|(likes, card)| CommentCard { likes: Some(likes), ..card.clone() }).collect()
    }
}
