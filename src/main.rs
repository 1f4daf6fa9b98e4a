//! Command line in, exit code out.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let cli = inkstone::cli::Cli::parse();
    match cli.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // `{:#}` and not `{:?}`: the causes on one line, never a backtrace.
            eprintln!("inkstone: {error:#}");
            ExitCode::FAILURE
        }
    }
}
