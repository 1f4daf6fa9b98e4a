//! `inkstone doctor`: what is right with this site, what is not, and the mend.

use std::io::Write;

use anyhow::bail;

use crate::{
    config::Config,
    doctor::{self, Check, Outcome},
};

#[derive(clap::Args)]
pub(super) struct Arguments {
    /// Print JSON, for machines
    #[arg(long)]
    json: bool,
}

/// An error, and so exit code 1, if any check fails.
pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let checks = doctor::run(config).await;
    let mut out = std::io::stdout();
    if arguments.json {
        serde_json::to_writer_pretty(&mut out, &checks)?;
        writeln!(out)?;
    } else {
        write_list(&mut out, &checks)?;
    }
    match count(&checks, Outcome::Fail) {
        0 => Ok(()),
        1 => bail!("1 check fails"),
        failed => bail!("{failed} checks fail"),
    }
}

fn count(checks: &[Check], outcome: Outcome) -> usize {
    checks.iter().filter(|check| check.outcome == outcome).count()
}

/// Symbol, name and finding in columns; the mend below its finding.
fn write_list(out: &mut impl Write, checks: &[Check]) -> std::io::Result<()> {
    let width = checks.iter().map(|check| check.name.len()).max().unwrap_or_default();
    for Check { name, outcome, finding, mend } in checks {
        let symbol = match outcome {
            Outcome::Pass => '✓',
            Outcome::Fail => '✗',
            Outcome::CannotTell => '?',
        };
        writeln!(out, "{symbol} {name:width$}  {finding}")?;
        if !mend.is_empty() {
            writeln!(out, "  {:width$}  → {mend}", "")?;
        }
    }
    writeln!(
        out,
        "{} pass, {} fail, {} cannot be told",
        count(checks, Outcome::Pass),
        count(checks, Outcome::Fail),
        count(checks, Outcome::CannotTell),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_stand_in_one_column_and_mends_below_them() {
        let checks = [
            Check::pass("ping", "1 ms"),
            Check::fail("indexes", "posts.newest is missing", "run inkstone init"),
            Check::cannot_tell("auth", "not asked", ""),
        ];
        let mut text = Vec::new();
        write_list(&mut text, &checks).unwrap();
        assert_eq!(
            String::from_utf8(text).unwrap(),
            concat!(
                "✓ ping     1 ms\n",
                "✗ indexes  posts.newest is missing\n",
                "           → run inkstone init\n",
                "? auth     not asked\n",
                "1 pass, 1 fail, 1 cannot be told\n",
            )
        );
    }
}
