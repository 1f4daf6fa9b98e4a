//! Writes do not hang on the visitor's connection.

use std::{future::Future, sync::Arc, time::Duration};

use tokio::{runtime::Handle, sync::Semaphore, time::timeout};

use super::error::{AppError, AppResult};
use crate::db::DbError;

/// Writes under way at once; the others wait their turn.
const SLOTS: u32 = 64;

/// How long a visitor waits for an answer. The write itself goes on: sent again,
/// the same form finds what it made.
const PATIENCE: Duration = Duration::from_secs(8);

/// Runs writes in tasks of their own. actix drops a handler when its visitor
/// goes, and a driver's call must not be dropped half way; a worker's runtime
/// ends with the worker, so the tasks run on the program's.
#[derive(Clone)]
pub struct Writes {
    runtime: Handle,
    slots: Arc<Semaphore>,
}

impl Writes {
    #[must_use]
    pub fn on(runtime: Handle) -> Self {
        Self { runtime, slots: Arc::new(Semaphore::new(SLOTS as usize)) }
    }

    /// Runs a write to its end and gives its outcome, if it comes in time.
    ///
    /// # Errors
    /// 503 after [`PATIENCE`]; 500 if the task panicked.
    pub async fn to_the_end<T: Send + 'static>(
        &self,
        write: impl Future<Output = T> + Send + 'static,
    ) -> AppResult<T> {
        let slots = self.slots.clone();
        let task = self.runtime.spawn(async move {
            // Closed by nobody, so a slot always comes.
            let slot = slots.acquire_owned().await.ok();
            let outcome = write.await;
            drop(slot);
            outcome
        });
        match timeout(PATIENCE, task).await {
            Ok(outcome) => outcome.map_err(|error| AppError::Internal(error.into())),
            Err(_) => Err(AppError::Unavailable(DbError::TooSlow)),
        }
    }

    /// Runs a write that nobody waits for.
    pub fn aside(&self, write: impl Future<Output = ()> + Send + 'static) {
        let slots = self.slots.clone();
        self.runtime.spawn(async move {
            // Closed by nobody, so a slot always comes.
            let slot = slots.acquire_owned().await.ok();
            write.await;
            drop(slot);
        });
    }

    /// Waits until no write is under way.
    pub async fn finished(&self) {
        self.slots.acquire_many(SLOTS).await.ok();
    }
}
