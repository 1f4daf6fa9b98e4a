//! `inkstone user`: the first administrator, and help for people who are locked out.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, bail};

use crate::{
    config::Config,
    db::transaction::TxError,
    domain::{email, names::UserName, permission::Role},
    schema, startup,
    state::{AppState, Clock},
    users::{
        self,
        actions::{NewUser, Taken},
        model::Credentials,
    },
};

#[derive(clap::Args)]
pub(super) struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// Make a user; the password is asked for, or read from standard input
    Create {
        name: String,
        #[arg(long, value_parser = role)]
        role: Role,
        /// Needed to reset a forgotten password
        #[arg(long)]
        email: Option<String>,
    },
    /// Give a user another role; ends their sessions
    Role {
        name: String,
        #[arg(value_parser = role)]
        role: Role,
    },
    /// Give a user another password, asked for or read from standard input; ends
    /// their sessions
    Password { name: String },
}

fn role(text: &str) -> Result<Role, String> {
    Role::named(text).ok_or_else(|| "a role is reader, author, editor or admin".to_owned())
}

pub(super) async fn run(config: &Config, arguments: Arguments) -> anyhow::Result<()> {
    let open = startup::open_database(config, None).await?;
    let done = async {
        schema::init(&open.db, config.validation).await?;
        let state = startup::state(config, open.db.clone(), Clock::System).await?;
        execute(&state, arguments.command).await
    }
    .await;
    open.close().await;
    writeln!(std::io::stdout(), "{}", done?)?;
    Ok(())
}

/// Says what was done.
async fn execute(state: &AppState, command: Command) -> anyhow::Result<String> {
    match command {
        Command::Create { name, role, email } => create(state, &name, role, email).await,
        Command::Role { name, role } => {
            let user = existing(state, &name).await?;
            users::actions::set_role(&state.db, user.id, role).await?;
            Ok(format!("{name} is {} now, and signed out everywhere", role.name()))
        }
        Command::Password { name } => {
            let user = existing(state, &name).await?;
            let hash = new_password(state).await?;
            users::actions::set_password(&state.db, user.id, &hash).await?;
            Ok(format!("{name} has another password, and is signed out everywhere"))
        }
    }
}

async fn create(
    state: &AppState,
    name: &str,
    role: Role,
    email: Option<String>,
) -> anyhow::Result<String> {
    let username = UserName::parse(name).with_context(|| format!("{name:?} cannot be used"))?;
    if let Some(email) = &email
        && !email::is_address(email)
    {
        bail!("{email:?} is no e-mail address");
    }
    let password_hash = Some(new_password(state).await?);
    let new = NewUser { username, email, password_hash, role };
    match users::actions::create(state, new).await {
        Ok(_) => Ok(format!("{name} is there now, as {}", role.name())),
        Err(TxError::Refused(Taken::Username)) => {
            bail!("the name {name:?}, or one that looks like it, is taken")
        }
        Err(TxError::Refused(Taken::Email)) => bail!("another user has this e-mail address"),
        Err(TxError::Db(error)) => Err(error.into()),
    }
}

async fn existing(state: &AppState, name: &str) -> anyhow::Result<Credentials> {
    let found = users::queries::find_credentials(&state.db, name).await?;
    found.with_context(|| format!("there is no user {name:?}"))
}

/// Never an argument: those are seen by everybody on the machine, and remembered.
async fn new_password(state: &AppState) -> anyhow::Result<String> {
    let password = if std::io::stdin().is_terminal() {
        rpassword::prompt_password("Password: ")?
    } else {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        line.trim_end_matches(['\r', '\n']).to_owned()
    };
    if password.chars().count() < 8 {
        bail!("a password has at least 8 characters");
    }
    state.passwords.hash(password).await
}
