//! The command line: one file per subcommand.

mod category;
mod config;
mod doctor;
mod init;
mod job;
mod progress;
mod render;
pub mod seed;
mod serve;
mod user;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

use crate::config::Config;

/// Inkstone, a blog and content community.
#[derive(Parser)]
#[command(version, about)]
pub struct Cli {
    /// Settings file; inkstone.toml if it is there
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the site (and the embedded database, if no other is named)
    Serve(serve::Arguments),
    /// Make missing collections, validators and indexes, run new migrations
    Init,
    /// Fill an empty database with sample content, or any with bulk content
    Seed(seed::Arguments),
    /// Make users, change their roles and passwords
    User(user::Arguments),
    /// Print the HTML of a Markdown file as the site would show it
    Render(render::Arguments),
    /// Look the site over, name what is wrong and how to mend it; changes nothing
    Doctor(doctor::Arguments),
    /// Make, rename and list categories
    Category(category::Arguments),
    /// Run a job of the schedule now, or print how each went last
    Job(job::Arguments),
    /// Print the settings in force, secrets hidden
    Config,
}

impl Cli {
    /// Runs the subcommand to its end.
    ///
    /// # Errors
    /// Sentences for the person at the terminal.
    pub fn run(self) -> anyhow::Result<()> {
        let config = Config::load(self.config.as_deref(), |name| std::env::var_os(name))?;
        match self.command {
            Command::Config => config::run(&config),
            Command::Render(arguments) => render::run(&arguments),
            Command::Init => block_on(init::run(&config)),
            Command::Seed(arguments) => block_on(seed::run(&config, &arguments)),
            Command::User(arguments) => block_on(user::run(&config, arguments)),
            Command::Doctor(arguments) => block_on(doctor::run(&config, &arguments)),
            Command::Category(arguments) => block_on(category::run(&config, &arguments)),
            Command::Job(arguments) => block_on(job::run(&config, &arguments)),
            Command::Serve(arguments) => block_on(serve::run(&config, &arguments)),
        }
    }
}

/// Sets up the log on standard error (`RUST_LOG` chooses what is said) and runs
/// the work on a runtime of its own.
fn block_on(work: impl Future<Output = anyhow::Result<()>>) -> anyhow::Result<()> {
    let filter = tracing_subscriber::EnvFilter::try_from_default_env()
        .unwrap_or_else(|_| tracing_subscriber::EnvFilter::new("warn,inkstone=info"));
    tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        // A line that cannot be written would be complained of on standard error,
        // by a macro that panics if that fails too: whoever read the log may be gone.
        .log_internal_errors(false)
        .init();
    tokio::runtime::Builder::new_multi_thread().enable_all().build()?.block_on(work)
}
