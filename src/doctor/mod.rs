//! Looks a site over: its database server, its connection, its schema and its
//! settings. Each check passes, fails or cannot be told, and says how to mend
//! what fails. Nothing here changes anything in the database.

mod connection;
mod database;
mod server;
mod site;

use serde::Serialize;

use crate::{
    config::Config,
    db::{Db, DbError, client::ServerKind},
    startup,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    Pass,
    Fail,
    /// It cannot be seen from here, or is for a person to judge.
    CannotTell,
}

/// One thing looked at.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    pub name: &'static str,
    pub outcome: Outcome,
    pub finding: String,
    /// What to do about it; empty if there is nothing to do.
    pub mend: String,
}

impl Check {
    pub fn pass(name: &'static str, finding: impl Into<String>) -> Self {
        Self { name, outcome: Outcome::Pass, finding: finding.into(), mend: String::new() }
    }

    pub fn fail(name: &'static str, finding: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { name, outcome: Outcome::Fail, finding: finding.into(), mend: mend.into() }
    }

    pub fn cannot_tell(
        name: &'static str,
        finding: impl Into<String>,
        mend: impl Into<String>,
    ) -> Self {
        Self { name, outcome: Outcome::CannotTell, finding: finding.into(), mend: mend.into() }
    }

    /// The database gave an error instead of an answer.
    fn no_answer(name: &'static str, error: impl Into<DbError>) -> Self {
        let error = anyhow::Error::from(error.into());
        Self::cannot_tell(
            name,
            format!("{error:#}"),
            "give the user the rights to look, or see the server's log",
        )
    }
}

/// Opens the database that the settings name and checks everything.
pub async fn run(config: &Config) -> Vec<Check> {
    // An engine started on an empty folder would make a new database.
    if config.mongodb_uri.is_none() && !config.engine_folder().is_dir() {
        let finding = format!("there is no database in {} yet", config.data.display());
        return without_connection(
            config,
            Check::fail(connection::NAME, finding, "run inkstone init"),
        );
    }
    match startup::reach_database(config).await {
        Ok(open) => {
            let checks = examine(&open.db, config).await;
            open.close().await;
            checks
        }
        Err(error) => {
            let mend = match config.mongodb_uri {
                Some(_) => "start the server, or correct mongodb.uri",
                None => "see the log of the engine; another program may hold its folder",
            };
            without_connection(config, Check::fail(connection::NAME, error.to_string(), mend))
        }
    }
}

/// Checks everything over an open connection.
pub async fn examine(db: &Db, config: &Config) -> Vec<Check> {
    let server = match server::Server::ask(db).await {
        Ok(server) => server,
        Err(error) => return without_connection(config, Check::no_answer(connection::NAME, error)),
    };
    let mut checks = vec![connection::answers(db, &server)];
    checks.extend(server::checks(&server));
    checks.extend(connection::settings(db.options()));
    checks.push(connection::authentication(db).await);
    checks.extend(database::checks(db, config.validation).await);
    checks.push(site::pages(db).await);
    checks.push(match db.kind() {
        ServerKind::Embedded => site::disk_of_data(config),
        ServerKind::MongoDb => site::disk_of_server(db).await,
    });
    checks.push(site::address(config));
    checks
}

/// What can be said all the same. A full disk may be why there is none.
fn without_connection(config: &Config, connection: Check) -> Vec<Check> {
    let rest = Check::cannot_tell("the rest", "cannot be seen without a connection", "");
    let mut checks = vec![connection, rest];
    if config.mongodb_uri.is_none() {
        checks.push(site::disk_of_data(config));
    }
    checks.push(site::address(config));
    checks
}
