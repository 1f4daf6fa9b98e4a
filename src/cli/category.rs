//! `inkstone category`: the shelves, until there are pages for it.

use std::io::Write;

use clap::Subcommand;

use crate::{
    categories::{
        actions::{self, Change, Refusal},
        queries,
    },
    config::Config,
    db::{Db, transaction::TxError},
    schema, startup,
    state::Clock,
};

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make a category; its address is made from its name
    Add { name: String },
    /// Give a category another name, another address, or both. The old address goes
    /// on leading to it
    #[command(arg_required_else_help = true)]
    Rename {
        /// The last part of its address: /categories/SLUG
        slug: String,
        #[arg(long, required_unless_present = "to_slug")]
        name: Option<String>,
        #[arg(long = "slug", value_name = "SLUG")]
        to_slug: Option<String>,
    },
    /// Print all categories: address, posts, name
    List,
}

pub(super) async fn run(config: &Config, arguments: &Arguments) -> anyhow::Result<()> {
    let open = startup::reach_database(config).await?;
    let outcome = run_on(&open.db, config, &arguments.command).await;
    open.close().await;
    write!(std::io::stdout(), "{}", outcome?)?;
    Ok(())
}

/// Gives what is to be printed.
async fn run_on(db: &Db, config: &Config, command: &Command) -> anyhow::Result<String> {
    schema::init(db, config.validation).await?;
    let state = startup::state(config, db.clone(), Clock::System).await?;
    match command {
        Command::Add { name } => {
            let category = actions::create(&state, name).await.map_err(sentence)?;
            Ok(format!("{} is at /categories/{}\n", category.name, category.slug))
        }
        Command::Rename { slug, name, to_slug } => {
            let change = Change { name: name.clone(), slug: to_slug.clone() };
            actions::rename(&state.db, slug, change).await.map_err(sentence)?;
            Ok("renamed\n".to_owned())
        }
        Command::List => {
            let categories = queries::all(&state.db).await?;
            let lines = categories.iter().map(|category| {
                format!("{}\t{}\t{}\n", category.slug, category.post_count, category.name)
            });
            Ok(lines.collect())
        }
    }
}

fn sentence(error: TxError<Refusal>) -> anyhow::Error {
    match error {
        TxError::Refused(refusal) => refusal.into(),
        TxError::Db(error) => error.into(),
    }
}
