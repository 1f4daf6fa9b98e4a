//! `inkstone job`: how each job went last, or one run now.

use std::io::Write;

use anyhow::{Context, bail};

use crate::{
    config::Config,
    db::{
        Db,
        lease::{self, When},
    },
    jobs::{
        self,
        runner::{self, Ran},
    },
    schema, startup,
    state::Clock,
};

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// The job to run now, whether it is due or not
    name: Option<String>,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let job = match &arguments.name {
        None => None,
        Some(name) => Some(jobs::find(name).with_context(|| {
            let names: Vec<_> = jobs::SCHEDULE.iter().map(|job| job.name).collect();
            format!("there is no job {name:?}; there are: {}", names.join(", "))
        })?),
    };
    let open = startup::reach_database(config).await?;
    let outcome = run_on(&open.db, config, job).await;
    open.close().await;
    write!(std::io::stdout(), "{}", outcome?)?;
    Ok(())
}

/// Gives what is to be printed.
async fn run_on(
    db: &Db,
    config: &Config,
    job: Option<&'static jobs::Job>,
) -> anyhow::Result<String> {
    schema::init(db, config.validation).await?;
    let state = startup::state(config, db.clone(), Clock::System).await?;
    let Some(job) = job else { return list(&state.db).await };
    match runner::run(&state, job, When::Free).await? {
        Ran::Well(counts) => {
            let lines: Vec<_> =
                counts.iter().map(|(name, count)| format!("{name}: {count}\n")).collect();
            Ok(lines.concat())
        }
        Ran::Failed(error) => Err(error),
        Ran::Elsewhere => bail!("{} is running in another process", job.name),
        Ran::Lost => bail!("{} was taken over by another process", job.name),
    }
}

async fn list(db: &Db) -> anyhow::Result<String> {
    let rows = lease::rows(db).await?;
    let lines = jobs::SCHEDULE.iter().map(|job| {
        let last = rows.iter().find(|row| row.name == job.name).and_then(|row| {
            let last = row.last_run.as_ref()?;
            let outcome = match (&last.error, &last.counts) {
                (Some(error), _) => format!("failed: {error}"),
                (None, Some(counts)) => counts.to_string(),
                (None, None) => String::new(),
            };
            let ended = last.ended_at.try_to_rfc3339_string().unwrap_or_default();
            Some(format!("{ended}\t{} ms\t{outcome}", last.duration_ms))
        });
        format!("{}\t{}\n", job.name, last.unwrap_or_else(|| "not yet".to_owned()))
    });
    Ok(lines.collect())
}
