//! Transactions, and the one place that tries them again.

use std::{
    future::Future,
    time::{Duration, Instant},
};

use mongodb::{ClientSession, Collection};

use super::{Db, DbError, breaker::MayBeAway};

/// Nobody waits longer than this for a write. The driver's own helper might go
/// on for two minutes.
const DEADLINE: Duration = Duration::from_secs(5);

/// What the server has for the commit itself.
const COMMIT_TIME: Duration = Duration::from_secs(3);

/// An open transaction, handed from command to command.
pub struct Tx {
    db: Db,
    /// Give to each driver call by `.session(&mut tx.session)`.
    pub session: ClientSession,
}

impl Tx {
    #[must_use]
    pub fn collection<T: Send + Sync>(&self, name: &str) -> Collection<T> {
        self.db.collection(name)
    }
}

/// How a transaction ended without effect.
#[derive(Debug, thiserror::Error)]
pub enum TxError<R> {
    /// The steps themselves said no; nothing was changed.
    #[error("refused")]
    Refused(R),
    #[error(transparent)]
    Db(#[from] DbError),
}

impl<R> MayBeAway for TxError<R> {
    fn is_away(&self) -> bool {
        matches!(self, Self::Db(error) if error.is_away())
    }
}

/// What is to happen in one transaction. `run` may be called several times, so
/// it changes nothing but the database.
pub trait Steps: Sync {
    type Done: Send;
    type Refusal: Send;

    fn run(
        &self,
        tx: &mut Tx,
    ) -> impl Future<Output = Result<Self::Done, TxError<Self::Refusal>>> + Send;
}

/// Runs the steps in a transaction: all of them, or none.
///
/// Write conflicts are tried again with a little jitter until [`DEADLINE`].
///
/// # Errors
/// The refusal of the steps, or the last error of the database.
pub async fn run<S: Steps>(db: &Db, steps: &S) -> Result<S::Done, TxError<S::Refusal>> {
    db.breaker().guard(until_done(db, steps)).await
}

async fn until_done<S: Steps>(db: &Db, steps: &S) -> Result<S::Done, TxError<S::Refusal>> {
    let deadline = Instant::now() + DEADLINE;
    let session = db.client().start_session().await.map_err(DbError::from)?;
    let mut tx = Tx { db: db.clone(), session };
    let mut attempt: u32 = 0;
    loop {
        let error = match once(&mut tx, steps).await {
            Err(TxError::Db(error)) if error.is_transient() => error,
            outcome => return outcome,
        };
        attempt += 1;
        let pause = pause_before(attempt);
        if Instant::now() + pause >= deadline {
            return Err(TxError::Db(error.as_unavailable()));
        }
        tokio::time::sleep(pause).await;
    }
}

async fn once<S: Steps>(tx: &mut Tx, steps: &S) -> Result<S::Done, TxError<S::Refusal>> {
    // The driver gives single writes no limit of their own; this bounds them all.
    tx.session.start_transaction().max_commit_time(COMMIT_TIME).await.map_err(DbError::from)?;
    match steps.run(tx).await {
        Ok(done) => {
            commit(tx).await?;
            Ok(done)
        }
        Err(error) => {
            // The server drops an aborted transaction anyway once the session
            // ends, so a failure here changes nothing for the caller.
            if let Err(abort) = tx.session.abort_transaction().await {
                tracing::debug!(error = %abort, "a transaction could not be aborted");
            }
            Err(error)
        }
    }
}

/// Commits, and asks again as long as the answer is "perhaps": committing twice
/// is harmless.
async fn commit(tx: &mut Tx) -> Result<(), DbError> {
    let deadline = Instant::now() + DEADLINE;
    loop {
        match tx.session.commit_transaction().await.map_err(DbError::from) {
            Err(error) if error.is_commit_unknown() && Instant::now() < deadline => {
                tokio::time::sleep(pause_before(1)).await;
            }
            outcome => return outcome,
        }
    }
}

/// 2 to 4 ms, then twice as much each time up to about 130 ms; the jitter keeps
/// writers that collided from colliding again.
fn pause_before(attempt: u32) -> Duration {
    let base_micros = 2_000_u64 << attempt.saturating_sub(1).min(5);
    let noise = mongodb::bson::Uuid::new().bytes();
    let share = u64::from(noise.first().copied().unwrap_or_default());
    Duration::from_micros(base_micros + base_micros * share / 255)
}
