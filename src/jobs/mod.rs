//! Jobs: what is done by the clock, each by one process at a time.
//!
//! The schedule is below. A job is harmless when it runs twice: a process that
//! stands still for too long may wake up beside its successor. How each went last
//! is kept in its row of `jobs`; `inkstone job` prints it, `inkstone job NAME` runs
//! one now.

mod copies_check;
mod publish_due;
pub mod runner;

use std::time::Duration;

use futures_util::{FutureExt, future::BoxFuture};

use crate::{db::DbError, state::AppState};

/// What a run did, in numbers with their names.
pub type Counts = Vec<(&'static str, u64)>;

/// One job of the schedule.
pub struct Job {
    /// For good: the row in `jobs` has it as `_id`.
    pub name: &'static str,
    /// From the end of a run to the beginning of the next.
    pub every: Duration,
    pub wanted: Wanted,
    pub run: for<'a> fn(&'a AppState) -> BoxFuture<'a, anyhow::Result<Counts>>,
}

/// Whether a job that is due is run. Taking a lease writes, so a job of every second
/// reads first whether there is anything to do.
pub enum Wanted {
    Always,
    If(for<'a> fn(&'a AppState) -> BoxFuture<'a, Result<bool, DbError>>),
}

/// Everything that runs by the clock.
pub const SCHEDULE: &[Job] = &[
    Job {
        name: "copies-check",
        every: Duration::from_hours(24),
        wanted: Wanted::Always,
        run: |state| copies_check::run(state).boxed(),
    },
    Job {
        name: "publish-due",
        every: Duration::from_secs(1),
        wanted: Wanted::If(|state| publish_due::is_any(state).boxed()),
        run: |state| publish_due::run(state).boxed(),
    },
];

/// The job of this name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Job> {
    SCHEDULE.iter().find(|job| job.name == name)
}
