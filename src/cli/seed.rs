//! `inkstone seed`: sample content for an empty database, or bulk content of any
//! size beside whatever is there.

use std::{
    io::Write,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::Duration,
};

use anyhow::bail;
use clap::value_parser;

use super::{progress::Progress, serve::StopSignals};
use crate::{
    config::Config,
    db::Db,
    domain::site_time::SiteZone,
    schema,
    seed::{bulk::Bulk, sample::Sample},
    startup,
    state::{AppState, Clock},
    users,
};

/// How often the progress is looked at.
const TICK: Duration = Duration::from_millis(200);

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Bulk content instead of the sample: so many posts, put together from the
    /// sample's texts. Stopped, the same command completes it
    #[arg(long, group = "bulk", value_name = "N", value_parser = value_parser!(u32).range(1..))]
    posts: Option<u32>,
    /// Comments on all of them together [default: five a post]
    #[arg(long, value_name = "M", requires = "bulk")]
    comments: Option<u32>,
    /// Authors of the posts [default: one for fifty posts]
    #[arg(long, value_name = "K", requires = "bulk", value_parser = value_parser!(u32).range(1..))]
    authors: Option<u32>,
    /// The same seed makes the same content, another one other content beside it
    #[arg(long, value_name = "S", requires = "bulk", default_value_t = 1)]
    seed: u16,
}

impl Arguments {
    fn bulk(&self) -> Option<Bulk> {
        let posts = self.posts?;
        Some(Bulk {
            seed: self.seed,
            posts,
            comments: self.comments.unwrap_or(posts.saturating_mul(5)),
            authors: self.authors.unwrap_or(posts.div_ceil(50)),
            until: Clock::System.now(),
        })
    }
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let mut signals = StopSignals::listen()?;
    let open = startup::reach_database(config).await?;
    let seeded = tokio::select! {
        seeded = seed(config, arguments, &open.db) => seeded,
        () = signals.next() => Err(anyhow::anyhow!("stopped; the same command completes it")),
    };
    open.close().await;
    writeln!(std::io::stdout(), "{}", seeded?)?;
    Ok(())
}

/// Says what was done.
async fn seed(config: &Config, arguments: &Arguments, db: &Db) -> anyhow::Result<String> {
    schema::init(db, config.validation).await?;
    match arguments.bulk() {
        Some(bulk) => seed_bulk(bulk, db, &config.site.zone).await,
        None if users::queries::is_any(db).await? => {
            bail!("there is content in database {} already", config.mongodb_database)
        }
        None => seed_sample(db, &config.site.zone).await,
    }
}

async fn seed_sample(db: &Db, zone: &SiteZone) -> anyhow::Result<String> {
    let sample = Sample::load()?;
    let (posts, users) = (sample.documents.posts.len(), sample.users.len());
    let comments = sample.documents.comments.len();
    sample.write(db, zone).await?;
    Ok(format!("{posts} posts by {users} authors with {comments} comments"))
}

async fn seed_bulk(bulk: Bulk, db: &Db, zone: &SiteZone) -> anyhow::Result<String> {
    let bulk = bulk.begin(db).await?;
    let written = Arc::new(AtomicU64::new(0));
    let mut progress = Progress::start(bulk.documents())?;
    let mut ticks = tokio::time::interval(TICK);
    let mut filling = std::pin::pin!(bulk.fill(db, zone, &written));
    loop {
        tokio::select! {
            filled = &mut filling => break filled?,
            _ = ticks.tick() => progress.show(written.load(Ordering::Relaxed)),
        }
    }
    let Bulk { posts, comments, authors, .. } = bulk;
    let rate = progress.finish(bulk.documents());
    Ok(format!("{posts} posts by {authors} authors with {comments} comments: {rate}"))
}

/// Fills a database in which there is nobody yet.
///
/// # Errors
/// The database does not answer.
pub async fn if_empty(state: &AppState) -> anyhow::Result<()> {
    if users::queries::is_any(&state.db).await? {
        return Ok(());
    }
    let filled_in = seed_sample(&state.db, &state.site.zone).await?;
    tracing::info!("sample content: {filled_in}");
    Ok(())
}
