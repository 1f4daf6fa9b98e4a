//! `inkstone config`: the settings in force and where each comes from.

use std::io::Write;

use crate::config::Config;

pub(super) fn run(config: &Config) -> anyhow::Result<()> {
    write!(std::io::stdout(), "{config}")?;
    Ok(())
}
