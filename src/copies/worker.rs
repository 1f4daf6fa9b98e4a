//! Follows the changes of the database, one stream in each process, and hands them
//! on: as [`News`] to whoever listens in this process, and, in the one process that
//! holds the lease, to every copy.
//!
//! A change is applied at once and once more ten seconds later: a card that was read
//! before a rename may have been written after it. Only then is the token behind it
//! saved. So whoever follows a holder that died gets everything again that was not
//! finished, and most of it for a second time, which harms nothing.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use mongodb::change_stream::event::ResumeToken;
use tokio::sync::{broadcast, watch};

use super::{COPIES, check_all};
use crate::{
    db::{
        Db, DbError,
        change_stream::{self, Change, Changes, News, StreamError},
        lease::{self, Lease, LeaseLost, When},
    },
    state::AppState,
};

/// The lease and the token have this name.
pub const WORKER: &str = "copies";

/// Longer than a request lives that has read a card and writes it.
const SECOND_PASS_AFTER: Duration = Duration::from_secs(10);

/// How often the token is saved although nothing of note happens.
const SAVE_EVERY: Duration = Duration::from_secs(10);

/// How often a process without the lease asks for it.
const ASK_EVERY: Duration = Duration::from_secs(2);

/// How long a step waits for a change.
const PATIENCE: Duration = Duration::from_secs(1);

#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    #[error(transparent)]
    Stream(#[from] StreamError),
    #[error(transparent)]
    Lost(#[from] LeaseLost),
}

impl From<DbError> for WorkerError {
    fn from(error: DbError) -> Self {
        Self::Stream(error.into())
    }
}

/// What came of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A change was handed on.
    Changed,
    /// There was none for a while.
    Quiet,
}

/// What the holder of the lease has to think of.
struct Duty {
    lease: Lease,
    /// Changes that were applied once, the oldest first.
    again: VecDeque<Again>,
    saved_at: Instant,
}

struct Again {
    due: Instant,
    change: Change,
    /// Where to go on once it was applied again.
    token: Option<ResumeToken>,
}

/// One process's place in the stream.
pub struct Worker {
    db: Db,
    news: broadcast::Sender<News>,
    patience: Duration,
    changes: Changes,
    duty: Option<Duty>,
}

/// Works until it is told to stop, then gives the lease back.
pub async fn run(state: AppState, mut stop: watch::Receiver<bool>) {
    while !*stop.borrow() {
        let error = match follow(&state, &stop).await {
            Ok(()) => return,
            Err(error) => error,
        };
        tracing::warn!(%error, "the changes of the database are followed anew");
        // Listeners cannot know what they missed.
        state.news.send(News::Missed).ok();
        tokio::select! {
            () = tokio::time::sleep(PATIENCE) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn follow(state: &AppState, stop: &watch::Receiver<bool>) -> Result<(), WorkerError> {
    let mut worker = Worker::open(&state.db, state.news.clone(), PATIENCE).await?;
    let outcome = worker.work(stop).await;
    match &outcome {
        // What another has is not ours to give back.
        Err(WorkerError::Lost(_)) => {}
        Ok(()) | Err(WorkerError::Stream(_)) => worker.close().await,
    }
    outcome
}

impl Worker {
    /// Follows the changes from now on, without duty.
    ///
    /// # Errors
    /// [`WorkerError`] when the database does not answer.
    pub async fn open(
        db: &Db,
        news: broadcast::Sender<News>,
        patience: Duration,
    ) -> Result<Self, WorkerError> {
        let changes = Changes::open(db, None, patience).await?;
        Ok(Self { db: db.clone(), news, patience, changes, duty: None })
    }

    async fn work(&mut self, stop: &watch::Receiver<bool>) -> Result<(), WorkerError> {
        let mut asked_at = None::<Instant>;
        while !*stop.borrow() {
            if self.duty.is_none() && asked_at.is_none_or(|at| at.elapsed() >= ASK_EVERY) {
                asked_at = Some(Instant::now());
                self.ask_for_duty().await?;
            }
            self.step().await?;
        }
        Ok(())
    }

    /// Takes the lease if nobody has it, and goes on where the last holder was.
    /// `false` if another has it.
    ///
    /// # Errors
    /// [`WorkerError`] when the database does not answer.
    pub async fn ask_for_duty(&mut self) -> Result<bool, WorkerError> {
        let Some(lease) = lease::take(&self.db, WORKER, When::Free).await? else {
            return Ok(false);
        };
        tracing::info!(epoch = lease.epoch(), "this process keeps the copies now");
        self.duty = Some(Duty { lease, again: VecDeque::new(), saved_at: Instant::now() });
        let Some(token) = change_stream::saved_token(&self.db, WORKER).await? else {
            tracing::info!("nobody kept the copies before");
            self.begin_anew().await?;
            return Ok(true);
        };
        match Changes::open(&self.db, Some(token), self.patience).await {
            Ok(changes) => self.changes = changes,
            Err(error) => self.recover(error).await?,
        }
        Ok(true)
    }

    /// Waits for a change and hands it on.
    ///
    /// # Errors
    /// [`WorkerError`]: the lease is lost or the database does not answer. Nothing
    /// is lost by beginning anew.
    pub async fn step(&mut self) -> Result<Step, WorkerError> {
        let change = match self.changes.next().await {
            Ok(change) => change,
            Err(error) => {
                self.recover(error).await?;
                None
            }
        };
        let step = if change.is_some() { Step::Changed } else { Step::Quiet };
        if let Some(change) = &change {
            // Nobody may be listening.
            self.news.send(News::Changed(change.clone())).ok();
        }
        let Some(duty) = &mut self.duty else { return Ok(step) };
        if let Some(change) = change.filter(concerns_any) {
            duty.lease.holding(apply(&self.db, &change)).await??;
            let due = Instant::now() + SECOND_PASS_AFTER;
            duty.again.push_back(Again { due, change, token: self.changes.token() });
        }
        self.second_passes(Instant::now()).await?;
        Ok(step)
    }

    /// Goes on after changes were missed; any other error is given back.
    async fn recover(&mut self, error: StreamError) -> Result<(), WorkerError> {
        match error {
            StreamError::Missed(_) => tracing::warn!(%error, "everything is checked instead"),
            StreamError::Db(_) => return Err(error.into()),
        }
        self.begin_anew().await
    }

    /// A new stream first, then the full check, so that nothing falls between the
    /// two.
    async fn begin_anew(&mut self) -> Result<(), WorkerError> {
        self.changes = Changes::open(&self.db, None, self.patience).await?;
        self.news.send(News::Missed).ok();
        let Some(duty) = &mut self.duty else { return Ok(()) };
        let token = self.changes.token();
        let differed = duty.lease.holding(check_all(&self.db)).await??;
        tracing::info!(?differed, "every copy was checked");
        duty.again.clear();
        duty.save(&self.db, token.as_ref()).await
    }

    /// Applies again what is due by `now`, and saves where to go on.
    async fn second_passes(&mut self, now: Instant) -> Result<(), WorkerError> {
        let Some(duty) = &mut self.duty else { return Ok(()) };
        while let Some(Again { change, token, .. }) = duty.next_due(now) {
            duty.lease.holding(apply(&self.db, &change)).await??;
            duty.save(&self.db, token.as_ref()).await?;
        }
        if duty.again.is_empty() && duty.saved_at.elapsed() >= SAVE_EVERY {
            let token = self.changes.token();
            duty.save(&self.db, token.as_ref()).await?;
        }
        // While nothing happens, too.
        duty.lease.holding(async {}).await?;
        Ok(())
    }

    /// Saves how far everything is done, and gives the lease back.
    async fn close(&mut self) {
        let Some(mut duty) = self.duty.take() else { return };
        if duty.again.is_empty()
            && let Err(error) = duty.save(&self.db, self.changes.token().as_ref()).await
        {
            tracing::warn!(%error, "the place in the stream could not be saved");
        }
        if let Err(error) = duty.lease.release().await {
            tracing::warn!(%error, "the lease of the copies runs out by itself");
        }
    }

    /// Applies everything again that is waiting for it, and gives the lease back.
    ///
    /// # Errors
    /// As [`Worker::step`].
    pub async fn finish(mut self) -> Result<(), WorkerError> {
        self.second_passes(Instant::now() + SECOND_PASS_AFTER).await?;
        self.close().await;
        Ok(())
    }
}

impl Duty {
    fn next_due(&mut self, now: Instant) -> Option<Again> {
        self.again.front().filter(|again| again.due <= now)?;
        self.again.pop_front()
    }

    async fn save(&mut self, db: &Db, token: Option<&ResumeToken>) -> Result<(), WorkerError> {
        let Some(token) = token else { return Ok(()) };
        if !change_stream::save_token(db, WORKER, &self.lease, token).await? {
            return Err(self.lease.lost().into());
        }
        self.saved_at = Instant::now();
        Ok(())
    }
}

fn concerns_any(change: &Change) -> bool {
    COPIES.iter().any(|copy| (copy.concerns)(change))
}

async fn apply(db: &Db, change: &Change) -> Result<(), DbError> {
    for copy in COPIES.iter().filter(|copy| (copy.concerns)(change)) {
        match (copy.apply)(db, change).await {
            Ok(changed) => tracing::debug!(copy = copy.name, id = %change.id, changed, "applied"),
            // One document that the database does not take must not hold up all
            // others for ever; the daily check tries it again.
            Err(error @ DbError::Failed(_)) => {
                let cause = error.chain();
                tracing::error!(copy = copy.name, id = %change.id, cause, "a copy stays old");
            }
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
