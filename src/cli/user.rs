//! `inkstone user`: the first administrator, and help for people who are locked out.

use std::io::{BufRead, IsTerminal, Write};

use anyhow::{Context, bail};

use crate::{
    config::Config,
    db::transaction::TxError,
    domain::{
        email,
        names::UserName,
        password_rules::{self, Weakness},
        permission::Role,
    },
    schema, startup,
    state::{AppState, Clock},
    urls,
    users::{
        actions::{self, NewUser, Refusal},
        commands::Change,
        model::{Credentials, Purpose, UserStatus},
        queries,
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
    /// Give a user another role; signs them out everywhere
    Role {
        name: String,
        #[arg(value_parser = role)]
        role: Role,
    },
    /// Give a user another password, asked for or read from standard input; signs
    /// them out everywhere
    Password { name: String },
    /// Print a link by which one person can sign up, once, within an hour
    Invite,
    /// Shut a user out; signs them out everywhere
    Suspend { name: String },
    /// Let a suspended user in again
    Restore { name: String },
}

fn role(text: &str) -> Result<Role, String> {
    Role::named(text).ok_or_else(|| "a role is reader, author, editor or admin".to_owned())
}

pub(super) async fn run(config: &Config, arguments: Arguments) -> anyhow::Result<()> {
    let open = startup::reach_database(config).await?;
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
            if role != Role::Admin {
                not_the_last_admin(state, &user).await?;
            }
            actions::change(&state.db, user.id, Change::Role(role)).await?;
            Ok(format!("{name} is {} now, and signed out everywhere", role.name()))
        }
        Command::Password { name } => {
            let user = existing(state, &name).await?;
            let hash = new_password(state, &name, user.role).await?;
            actions::change(&state.db, user.id, Change::Password(hash)).await?;
            Ok(format!("{name} has another password, and is signed out everywhere"))
        }
        Command::Invite => {
            let token = actions::make_link(state, Purpose::Invitation, None).await?;
            Ok(format!("{}{}", state.site.url, urls::invitation(token.as_str())))
        }
        Command::Suspend { name } => {
            let user = existing(state, &name).await?;
            not_the_last_admin(state, &user).await?;
            actions::change(&state.db, user.id, Change::Status(UserStatus::Suspended)).await?;
            Ok(format!("{name} is suspended, and signed out everywhere"))
        }
        Command::Restore { name } => {
            let user = existing(state, &name).await?;
            actions::change(&state.db, user.id, Change::Status(UserStatus::Active)).await?;
            Ok(format!("{name} may sign in again"))
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
    let password_hash = Some(new_password(state, name, role).await?);
    let new = NewUser { username, email, password_hash, role, invitation: None };
    match actions::create(state, new).await {
        Ok(_) => Ok(format!("{name} is there now, as {}", role.name())),
        Err(TxError::Refused(Refusal::EmailTaken)) => {
            bail!("another user has this e-mail address")
        }
        Err(TxError::Refused(_)) => {
            bail!("the name {name:?}, or one that looks like it, is taken")
        }
        Err(TxError::Db(error)) => Err(error.into()),
    }
}

/// Somebody who is there and was not deleted.
async fn existing(state: &AppState, name: &str) -> anyhow::Result<Credentials> {
    let found = queries::find_credentials(&state.db, name).await?;
    found
        .filter(|user| user.status != UserStatus::Deleted)
        .with_context(|| format!("there is no user {name:?}"))
}

async fn not_the_last_admin(state: &AppState, user: &Credentials) -> anyhow::Result<()> {
    if queries::is_last_admin(&state.db, user.id).await? {
        bail!("this is the only administrator; make somebody else one first");
    }
    Ok(())
}

/// Never an argument: those are seen by everybody on the machine, and remembered.
async fn new_password(state: &AppState, name: &str, role: Role) -> anyhow::Result<String> {
    let password = if std::io::stdin().is_terminal() {
        rpassword::prompt_password("Password: ")?
    } else {
        let mut line = String::new();
        std::io::stdin().lock().read_line(&mut line)?;
        line.trim_end_matches(['\r', '\n']).to_owned()
    };
    match password_rules::check(&password, role, &[name, &state.site.title]) {
        Ok(()) => state.passwords.hash(password).await,
        Err(Weakness::TooShort) => {
            bail!("this role needs a password of {} characters", password_rules::min_chars(role))
        }
        Err(Weakness::TooLong) => {
            bail!("a password has at most {} characters", password_rules::MAX_CHARS)
        }
        Err(Weakness::Common) => bail!("everybody tries this password first"),
        Err(Weakness::Name) => bail!("a password must not be the user's name or the site's"),
    }
}
