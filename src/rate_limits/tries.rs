//! Counting a try of a request, to its end even if the visitor leaves.

use super::{commands, model::Limit};
use crate::{state::AppState, web::error::AppResult};

/// Counts a try. Gives the seconds to wait if it is one too many.
///
/// # Errors
/// 503 when the database does not answer.
pub async fn count(state: &AppState, limit: Limit, key: &str) -> AppResult<Option<i64>> {
    let (db, key, now) = (state.db.clone(), key.to_owned(), state.clock.now());
    let counted = async move { commands::is_too_many(&db, &limit, &key, now).await };
    let is_too_many = state.writes.to_the_end(counted).await??;
    Ok(is_too_many.then(|| limit.wait_secs(now)))
}

/// Takes back a try that turned out to be none.
///
/// # Errors
/// 503 when the database does not answer.
pub async fn take_back(state: &AppState, limit: Limit, key: &str) -> AppResult<()> {
    let (db, key, now) = (state.db.clone(), key.to_owned(), state.clock.now());
    let taken = async move { commands::take_back(&db, &limit, &key, now).await };
    Ok(state.writes.to_the_end(taken).await??)
}
