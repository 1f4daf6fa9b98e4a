//! Scheduled posts appear at their second, give or take one.

use super::Counts;
use crate::{db::DbError, posts, state::AppState, writing};

/// Whether a scheduled post's time has come.
pub(super) async fn is_any(state: &AppState) -> Result<bool, DbError> {
    let due = posts::queries::find_due(&state.db, state.clock.now()).await?;
    Ok(!due.is_empty())
}

pub(super) async fn run(state: &AppState) -> anyhow::Result<Counts> {
    let published = writing::due::publish_due(state).await?;
    Ok(vec![("published", u64::try_from(published)?)])
}
