//! Runs jobs when they are due, each under its lease.

use std::time::{Duration, Instant};

use mongodb::bson::Document;
use tokio::sync::watch;

use super::{Counts, Job, Wanted};
use crate::{
    db::{
        DbError,
        lease::{self, Lease, When},
    },
    state::AppState,
};

/// Processes look this often, at most and at least, whether a job is due.
const LOOK_AT_MOST: Duration = Duration::from_secs(1);
const LOOK_AT_LEAST: Duration = Duration::from_secs(30);

/// A job that failed runs again after this, if it is not due earlier.
const AFTER_FAILURE: Duration = Duration::from_mins(1);

/// What came of asking a job to run.
#[derive(Debug)]
pub enum Ran {
    Well(Counts),
    Failed(anyhow::Error),
    /// Another process runs it now, or it is not due or not wanted.
    Elsewhere,
    /// Another process has taken it over meanwhile.
    Lost,
}

/// Runs a job whenever it is due, until told to stop.
pub async fn keep(state: AppState, job: &'static Job, mut stop: watch::Receiver<bool>) {
    let look_every = job.every.clamp(LOOK_AT_MOST, LOOK_AT_LEAST);
    while !*stop.borrow() {
        match run_if_wanted(&state, job).await {
            Ok(Ran::Failed(error)) => {
                tracing::error!(job = job.name, cause = format!("{error:#}"), "a job failed");
            }
            Ok(Ran::Lost) => tracing::warn!(job = job.name, "another process took a job over"),
            Ok(Ran::Well(_) | Ran::Elsewhere) => {}
            Err(error) => {
                tracing::warn!(job = job.name, cause = error.chain(), "a job could not begin");
            }
        }
        tokio::select! {
            () = tokio::time::sleep(look_every) => {}
            _ = stop.changed() => {}
        }
    }
}

async fn run_if_wanted(state: &AppState, job: &'static Job) -> Result<Ran, DbError> {
    let is_wanted = match job.wanted {
        Wanted::Always => true,
        Wanted::If(is_wanted) => is_wanted(state).await?,
    };
    if is_wanted { run(state, job, When::Due).await } else { Ok(Ran::Elsewhere) }
}

/// Runs a job once and notes in its row how it went.
///
/// # Errors
/// [`DbError`] when the lease could not be asked for or the outcome not be noted.
pub async fn run(state: &AppState, job: &'static Job, when: When) -> Result<Ran, DbError> {
    let Some(mut lease) = lease::take(&state.db, job.name, when).await? else {
        return Ok(Ran::Elsewhere);
    };
    let began = Instant::now();
    let Ok(outcome) = lease.holding((job.run)(state)).await else { return Ok(Ran::Lost) };
    note(lease, job, began.elapsed(), outcome).await
}

async fn note(
    lease: Lease,
    job: &Job,
    duration: Duration,
    outcome: anyhow::Result<Counts>,
) -> Result<Ran, DbError> {
    let (noted, again_in) = match &outcome {
        Ok(counts) => (Ok(as_document(counts)), job.every),
        Err(error) => (Err(format!("{error:#}")), job.every.min(AFTER_FAILURE)),
    };
    if !lease.finish(duration, noted, again_in).await? {
        return Ok(Ran::Lost);
    }
    Ok(match outcome {
        Ok(counts) => Ran::Well(counts),
        Err(error) => Ran::Failed(error),
    })
}

fn as_document(counts: &Counts) -> Document {
    let number = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
    counts.iter().map(|(name, count)| ((*name).to_owned(), number(*count).into())).collect()
}
