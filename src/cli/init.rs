//! `inkstone init`: the database as it should be.

use std::io::Write;

use crate::{config::Config, schema, startup};

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let open = startup::reach_database(config).await?;
    let report = schema::init(&open.db, config.validation).await;
    open.close().await;
    let report = report?;
    let mut out = std::io::stdout();
    for made in &report.made {
        writeln!(out, "made {made}")?;
    }
    for (number, name) in &report.ran {
        writeln!(out, "ran migration {number} ({name})")?;
    }
    for unknown in &report.unknown {
        writeln!(out, "warning: no query of Inkstone names index {unknown}")?;
    }
    if report.made.is_empty() && report.ran.is_empty() {
        writeln!(out, "everything was there")?;
    }
    Ok(())
}
