//! Work for the processor, kept off the threads that answer requests.

use std::sync::Arc;

use tokio::sync::Semaphore;

use super::error::{AppError, AppResult};

/// Renderings at once: two leave other requests their share (SEC-27).
const SLOTS: usize = 2;

#[derive(Clone)]
pub struct Rendering(Arc<Semaphore>);

impl Default for Rendering {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(SLOTS)))
    }
}

impl Rendering {
    /// Runs the work on a thread of its own.
    ///
    /// # Errors
    /// 500 if it panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> AppResult<T> {
        // Closed by nobody, so a slot always comes. The work keeps it to its own end,
        // even if nobody waits for it any more.
        let slot = self.0.clone().acquire_owned().await.ok();
        let done = tokio::task::spawn_blocking(move || {
            let _slot = slot;
            work()
        });
        done.await.map_err(|error| AppError::Internal(error.into()))
    }
}
