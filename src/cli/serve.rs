//! `inkstone serve`: the site, until Ctrl-C or SIGTERM.
//!
//! It stops in this order: not ready, a pause in which balancers notice and leases
//! are given back, no new connections, requests under way finish, what memory holds is written, the
//! database, the engine.

use std::{io::Write, time::Duration};

use actix_web::dev::ServerHandle;
use futures_util::future::join;
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::seed;
use crate::{
    config::Config,
    operations::{metrics, readiness::Readiness},
    startup::{Application, Background, open_database},
    state::Clock,
};

/// As shells say of a program that Ctrl-C ended.
const STOPPED_AT_ONCE: i32 = 130;

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Fill in sample content if there is none yet
    #[arg(long)]
    seed_if_empty: bool,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let listener = Application::listen(config.bind)?;
    let open = open_database(config, Some(metrics::database_observer())).await?;
    let served = serve(config, arguments, listener, open.db.clone()).await;
    // What is counted in memory only (views) is to be written here, while there
    // is a database and nobody asks any more.
    open.close().await;
    served
}

async fn serve(
    config: &Config,
    arguments: &Arguments,
    listener: std::net::TcpListener,
    db: crate::db::Db,
) -> anyhow::Result<()> {
    let application = Application::start(listener, config, db, Clock::System).await?;
    if arguments.seed_if_empty {
        seed::if_empty(&application.state).await?;
    }
    // Before the address is told, or a signal might come too early.
    let signals = StopSignals::listen()?;
    let readiness = application.state.readiness.clone();
    let background = Background::start(&application.state)?;
    let stopping = Stopping { server: application.handle(), background, readiness };
    let stopped = tokio::spawn(stopping.when_asked(signals, config.drain));
    tokio::spawn(metrics::keep_up());
    let mut out = std::io::stdout();
    for address in application.addresses() {
        writeln!(out, "Inkstone is at http://{address} (Ctrl-C stops it)")?;
    }
    out.flush()?;
    application.run_until_stopped().await?;
    // The server has stopped because it was asked to.
    stopped.await?;
    Ok(())
}

/// What is to be stopped.
struct Stopping {
    server: ServerHandle,
    background: Background,
    readiness: Readiness,
}

impl Stopping {
    async fn when_asked(self, mut signals: StopSignals, drain: Duration) {
        signals.next().await;
        self.readiness.drain();
        tracing::info!(drain_secs = drain.as_secs(), "stopping (once more stops at once)");
        tokio::spawn(async move {
            signals.next().await;
            tracing::warn!("stopped at once");
            // The kernel ends the engine; every acknowledged write is on disk.
            std::process::exit(STOPPED_AT_ONCE);
        });
        // Other processes take the leases over while this one drains.
        join(self.background.stop(), tokio::time::sleep(drain)).await;
        self.server.stop(true).await;
    }
}

/// Ctrl-C and SIGTERM.
pub(super) struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
}

impl StopSignals {
    pub(super) fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
        }
    }
}
