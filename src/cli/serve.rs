//! `inkstone serve`: the site, until Ctrl-C or SIGTERM.

use std::io::Write;

use super::{seed, wait_for_stop};
use crate::{
    config::Config,
    startup::{Application, open_database},
    state::Clock,
};

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Fill in sample content if there is none yet
    #[arg(long)]
    seed_if_empty: bool,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let listener = Application::listen(config.bind)?;
    let open = open_database(config, None).await?;
    let served = serve(config, arguments, listener, open.db.clone()).await;
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
    let handle = application.handle();
    tokio::spawn(async move {
        wait_for_stop().await;
        tracing::info!("stopping");
        handle.stop(true).await;
    });
    let mut out = std::io::stdout();
    for address in application.addresses() {
        writeln!(out, "Inkstone is at http://{address} (Ctrl-C stops it)")?;
    }
    out.flush()?;
    application.run_until_stopped().await?;
    Ok(())
}
