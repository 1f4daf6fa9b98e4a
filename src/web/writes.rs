//! Writes do not hang on the visitor's connection.

use std::future::Future;

use super::error::AppError;

/// Runs a write in a task of its own and waits for it. actix drops a handler
/// when its visitor goes, and a driver's call must not be dropped half way.
///
/// # Errors
/// [`AppError::Internal`] if the task panicked.
pub async fn to_the_end<T: Send + 'static>(
    write: impl Future<Output = T> + Send + 'static,
) -> Result<T, AppError> {
    tokio::spawn(write).await.map_err(|error| AppError::Internal(error.into()))
}
