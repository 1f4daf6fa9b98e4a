//! Publishing what was scheduled, once its time has come.

use super::{
    actions::{self, Order, Refusal},
    transition::Standing,
};
use crate::{
    db::{DbError, transaction::TxError},
    posts::{
        editing::{EditedPost, Reach},
        model::PostStatus,
        queries,
    },
    state::AppState,
};

/// Publishes every post that is due, and says how many. One that cannot be
/// published is left for the next time and does not hold up the others. Running
/// it twice at once publishes nothing twice: each change names the version it saw.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn publish_due(state: &AppState) -> Result<usize, DbError> {
    let mut published = 0;
    for post in queries::find_due(&state.db, state.clock.now()).await? {
        let id = post.id;
        match publish(state, post).await {
            Ok(()) => published += 1,
            Err(TxError::Refused(refusal)) => {
                tracing::info!(post = %id, ?refusal, "a scheduled post was changed meanwhile");
            }
            Err(TxError::Db(error)) => {
                tracing::error!(post = %id, cause = error.chain(), "a post was not published");
            }
        }
    }
    Ok(published)
}

/// Its time is the one it was scheduled for, whenever that is noticed.
async fn publish(state: &AppState, post: EditedPost) -> Result<(), TxError<Refusal>> {
    let order = Order {
        post_id: post.id,
        reach: Reach::Everybodys,
        by: post.author.clone(),
        standing: Standing {
            status: PostStatus::Published,
            published_at: post.publish_at,
            publish_at: None,
        },
        before: Some(post),
        written: None,
        source_before: None,
        author_bio: String::new(),
    };
    let slug = actions::save(state, order).await?.slug;
    tracing::info!(slug, "a scheduled post is out");
    Ok(())
}
