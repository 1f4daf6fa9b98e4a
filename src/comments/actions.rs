//! Posting a comment: the write that spans a post and its comments.

use mongodb::bson::{DateTime, oid::ObjectId};
use sha2::{Digest, Sha256};

use super::{
    commands,
    forms::NewComment,
    model::{Comment, CommentStatus, MAX_DEPTH, ShownComment, Submission},
    queries,
};
use crate::{
    db::{
        DbError,
        transaction::{self, Steps, Tx, TxError},
    },
    domain::{comment_card::CommentCard, text},
    operations::metrics,
    posts,
    state::AppState,
};

/// Where a comment goes and who sends it.
#[derive(Debug, Clone)]
pub struct Place {
    pub post_id: ObjectId,
    pub parent_id: Option<ObjectId>,
    /// What tells one sender from another: network address and user agent.
    pub sender: String,
}

/// Why a comment was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The post is gone, archived, or closed for comments.
    Closed,
    /// The comment to be answered is not there.
    NoParent,
}

/// Stores a comment and everything that must change with it: all or nothing.
/// The same form sent again gives the comment it made the first time.
///
/// # Errors
/// [`TxError::Refused`] says why; otherwise the database did not answer.
pub async fn add_comment(
    state: &AppState,
    place: Place,
    new: NewComment,
) -> Result<ObjectId, TxError<Refusal>> {
    let parent = match place.parent_id {
        None => None,
        Some(id) => {
            let found = queries::find_shown(&state.db, place.post_id, id).await?;
            Some(found.ok_or(TxError::Refused(Refusal::NoParent))?)
        }
    };
    let submission_id = submission_id(&place, &new);
    // The time and the id are taken in turn, so the order of comments is the
    // order in which they were stored.
    let turn = state.post_locks.lock(place.post_id).await;
    let steps = prepare(state, &place, new, parent.as_ref(), submission_id);
    let outcome = transaction::run(&state.db, &steps).await;
    drop(turn);
    match outcome {
        Ok(()) => {
            metrics::comment_accepted();
            Ok(steps.comment.id)
        }
        Err(error @ TxError::Db(DbError::Duplicate { .. })) => {
            let earlier = queries::find_submission(&state.db, &steps.submission.id).await?;
            earlier.map(|submission| submission.comment_id).ok_or(error)
        }
        Err(error) => Err(error),
    }
}

struct AddComment {
    comment: Comment,
    card: CommentCard,
    submission: Submission,
}

impl Steps for AddComment {
    type Done = ();
    type Refusal = Refusal;

    /// The post first: whoever changes it has the others wait before they have
    /// written anything.
    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        let post_id = self.comment.post_id;
        if !posts::commands::add_comment(tx, post_id, &self.card).await? {
            return Err(TxError::Refused(Refusal::Closed));
        }
        if let Some(parent_id) = self.comment.parent_id
            && !commands::count_reply(tx, post_id, parent_id).await?
        {
            return Err(TxError::Refused(Refusal::NoParent));
        }
        commands::remember(tx, &self.submission).await?;
        commands::insert(tx, &self.comment).await?;
        Ok(())
    }
}

fn prepare(
    state: &AppState,
    place: &Place,
    new: NewComment,
    parent: Option<&ShownComment>,
    submission_id: String,
) -> AddComment {
    let now = state.clock.now();
    let id = state.clock.new_id();
    let parent = parent.map(|parent| (parent.id, parent.ancestors.as_slice()));
    let (comment, card) = build(id, place.post_id, parent, new, now);
    let submission = Submission { id: submission_id, comment_id: id, created_at: now };
    AddComment { comment, card, submission }
}

/// A comment in its place in the tree, and its copy for the post. `parent` is
/// the parent's id and its ancestors.
#[must_use]
pub fn build(
    id: ObjectId,
    post_id: ObjectId,
    parent: Option<(ObjectId, &[ObjectId])>,
    new: NewComment,
    now: DateTime,
) -> (Comment, CommentCard) {
    let mut ancestors = Vec::new();
    if let Some((parent_id, above)) = parent {
        ancestors.extend_from_slice(above);
        ancestors.push(parent_id);
        ancestors.truncate(MAX_DEPTH);
    }
    let comment = Comment {
        id,
        post_id,
        root_id: ancestors.first().copied().unwrap_or(post_id),
        parent_id: ancestors.last().copied(),
        depth: i32::try_from(ancestors.len()).unwrap_or(i32::MAX),
        ancestors,
        author: new.author,
        guest_email: new.email,
        source: new.body,
        html: new.rendered.html.clone(),
        likes: 0,
        reply_count: 0,
        status: CommentStatus::Approved,
        shown: true,
        created_at: now,
    };
    let card = comment.card(&new.rendered);
    (comment, card)
}

/// Who, where and what, in one hash. Lengths keep the fields apart.
fn submission_id(place: &Place, new: &NewComment) -> String {
    let parent = place.parent_id.map(ObjectId::to_hex).unwrap_or_default();
    let mut hash = Sha256::new();
    let post = place.post_id.to_hex();
    for field in [place.sender.as_str(), &post, &parent, new.author.name(), &new.body] {
        hash.update(field.len().to_le_bytes());
        hash.update(field);
    }
    text::hex(&hash.finalize())
}
