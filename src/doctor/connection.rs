//! How we speak with the server: durability, retries, secrecy, the pool.

use std::{net::IpAddr, time::Duration};

use mongodb::{
    Client,
    bson::doc,
    error::ErrorKind,
    options::{Acknowledgment, ClientOptions, ServerAddress, Tls},
};

use super::{Check, server::Server};
use crate::db::{Db, client::ServerKind};

pub const NAME: &str = "connection";

/// MongoDB's code for a command that one must sign in for.
const UNAUTHORIZED: i32 = 13;

/// With fewer connections, requests of a busy minute wait for each other.
const SMALLEST_POOL: u32 = 20;

/// The driver's own default.
const DRIVER_POOL: u32 = 10;

/// A page that waits longer for a server is given up by its reader.
const LONGEST_SELECTION: Duration = Duration::from_secs(5);

/// The driver's own default.
const DRIVER_SELECTION: Duration = Duration::from_secs(30);

pub fn answers(db: &Db, server: &Server) -> Check {
    let finding = format!("{} answers in {:.1} ms", hosts(db.options()), millis(server.ping));
    Check::pass(NAME, finding)
}

/// What can be said from the settings alone.
pub fn settings(options: &ClientOptions) -> Vec<Check> {
    vec![write_concern(options), retries(options), pool(options), tls(options)]
}

fn write_concern(options: &ClientOptions) -> Check {
    const NAME: &str = "write concern";
    let mend =
        "leave w, journal and wtimeoutMS out of mongodb.uri, or give w=majority&journal=true";
    let Some(concern) = &options.write_concern else {
        return Check::fail(NAME, "none set", mend);
    };
    let (is_majority, w) = match &concern.w {
        Some(Acknowledgment::Majority) => (true, "majority".to_owned()),
        Some(Acknowledgment::Nodes(count)) => (false, count.to_string()),
        Some(Acknowledgment::Custom(name)) => (false, name.clone()),
        _ => (false, "not set".to_owned()),
    };
    let is_journalled = concern.journal == Some(true);
    let journal = if is_journalled { "on" } else { "not asked for" };
    let finding = format!("w {w}, journal {journal}");
    if is_majority && is_journalled {
        Check::pass(NAME, finding)
    } else {
        Check::fail(NAME, format!("{finding}: an acknowledged write may be lost"), mend)
    }
}

fn retries(options: &ClientOptions) -> Check {
    const NAME: &str = "retries";
    let off: Vec<&str> = [("reads", options.retry_reads), ("writes", options.retry_writes)]
        .into_iter()
        .filter_map(|(what, is_on)| (is_on == Some(false)).then_some(what))
        .collect();
    if off.is_empty() {
        return Check::pass(NAME, "reads and writes are tried again after an election");
    }
    let finding = format!("{} are not tried again after an election", off.join(" and "));
    Check::fail(NAME, finding, "take retryReads and retryWrites out of mongodb.uri")
}

fn pool(options: &ClientOptions) -> Check {
    const NAME: &str = "pool";
    let largest = options.max_pool_size.unwrap_or(DRIVER_POOL);
    let selection = options.server_selection_timeout.unwrap_or(DRIVER_SELECTION);
    let finding = format!(
        "{} to {largest} connections; without a server, an error after {} s",
        options.min_pool_size.unwrap_or(0),
        selection.as_secs_f64(),
    );
    if largest >= SMALLEST_POOL && selection <= LONGEST_SELECTION {
        return Check::pass(NAME, finding);
    }
    let mend = format!(
        "leave maxPoolSize and serverSelectionTimeoutMS out of mongodb.uri, or give at least \
         {SMALLEST_POOL} and at most {}",
        LONGEST_SELECTION.as_millis()
    );
    Check::fail(NAME, finding, mend)
}

fn tls(options: &ClientOptions) -> Check {
    const NAME: &str = "encryption";
    if let Some(Tls::Enabled(tls)) = &options.tls {
        return if tls.allow_invalid_certificates == Some(true) {
            let mend = "take tlsInsecure and tlsAllowInvalidCertificates out of mongodb.uri; name the CA with tlsCAFile";
            Check::fail(NAME, "TLS, but certificates are not checked", mend)
        } else {
            Check::pass(NAME, "TLS")
        };
    }
    let outside: Vec<&ServerAddress> =
        options.hosts.iter().filter(|host| !is_on_this_machine(host)).collect();
    if outside.is_empty() {
        return Check::pass(NAME, "no TLS; nothing leaves this machine");
    }
    let finding = format!("no TLS to {}", hosts(options));
    let mend = "add tls=true to mongodb.uri (and tlsCAFile for a CA of your own)";
    // Names without a dot are those of a container network or a hosts file.
    if outside.iter().all(|address| host(address).is_some_and(|name| !name.contains(['.', ':']))) {
        let mend = format!("if that network is not private, {mend}");
        return Check::cannot_tell(
            NAME,
            format!("{finding}, which are names of a local network"),
            mend,
        );
    }
    Check::fail(NAME, finding, mend)
}

/// Whether the server turns away people who have not signed in: found out by
/// asking without the user of the settings.
pub async fn authentication(db: &Db) -> Check {
    const NAME: &str = "authentication";
    if db.kind() == ServerKind::Embedded {
        let finding = "the embedded engine asks for none; it listens on loopback only";
        let mend = "if others have accounts on this machine, use MongoDB with authentication";
        return Check::cannot_tell(NAME, finding, mend);
    }
    let mut options = db.options().clone();
    options.credential = None;
    options.command_event_handler = None;
    options.min_pool_size = None;
    let client = match Client::with_options(options) {
        Ok(client) => client,
        Err(error) => return Check::no_answer(NAME, error),
    };
    let command = doc! { "listDatabases": 1, "nameOnly": true };
    let answer = client.database("admin").run_command(command).await;
    client.shutdown().immediate(true).await;
    match answer {
        Ok(_) => Check::fail(
            NAME,
            "the server answers people who have not signed in",
            "start every mongod with --keyFile or security.authorization, and name a user in mongodb.uri",
        ),
        Err(error) => match error.kind.as_ref() {
            ErrorKind::Command(refusal) if refusal.code == UNAUTHORIZED => {
                Check::pass(NAME, "the server turns away people who have not signed in")
            }
            _ => Check::no_answer(NAME, error),
        },
    }
}

fn hosts(options: &ClientOptions) -> String {
    options.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// `None` for a socket in the file system.
fn host(address: &ServerAddress) -> Option<&str> {
    match address {
        ServerAddress::Tcp { host, .. } => Some(host.trim_matches(['[', ']'])),
        _ => None,
    }
}

fn is_on_this_machine(address: &ServerAddress) -> bool {
    host(address).is_none_or(|host| {
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    })
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Outcome;

    async fn options(uri: &str) -> ClientOptions {
        ClientOptions::parse(uri).await.unwrap()
    }

    #[tokio::test]
    async fn only_majority_with_journal_is_durable() {
        for (uri, wanted) in [
            ("mongodb://h/?w=majority&journal=true", Outcome::Pass),
            ("mongodb://h/?w=majority", Outcome::Fail),
            ("mongodb://h/?w=1&journal=true", Outcome::Fail),
            ("mongodb://h/?journal=true", Outcome::Fail),
            ("mongodb://h/", Outcome::Fail),
        ] {
            assert_eq!(write_concern(&options(uri).await).outcome, wanted, "{uri}");
        }
    }

    #[tokio::test]
    async fn retries_switched_off_are_named() {
        let off = retries(&options("mongodb://h/?retryWrites=false").await);
        assert_eq!(off.outcome, Outcome::Fail);
        assert_eq!(off.finding, "writes are not tried again after an election");
        assert_eq!(retries(&options("mongodb://h/").await).outcome, Outcome::Pass);
    }

    #[tokio::test]
    async fn a_small_pool_and_a_long_wait_fail() {
        for (uri, wanted) in [
            ("mongodb://h/?maxPoolSize=50&serverSelectionTimeoutMS=2000", Outcome::Pass),
            ("mongodb://h/?maxPoolSize=5&serverSelectionTimeoutMS=2000", Outcome::Fail),
            ("mongodb://h/?maxPoolSize=50", Outcome::Fail),
        ] {
            assert_eq!(pool(&options(uri).await).outcome, wanted, "{uri}");
        }
    }

    #[tokio::test]
    async fn without_tls_nothing_may_leave_the_machine() {
        for (uri, wanted) in [
            ("mongodb://localhost,127.0.0.1:1,[::1]:2/", Outcome::Pass),
            ("mongodb://db.example.org/", Outcome::Fail),
            ("mongodb://localhost,192.0.2.7/", Outcome::Fail),
            ("mongodb://[2001:db8::1]/", Outcome::Fail),
            ("mongodb://mongo1,mongo2,mongo3/", Outcome::CannotTell),
            ("mongodb://mongo1,db.example.org/", Outcome::Fail),
            ("mongodb://db.example.org/?tls=true", Outcome::Pass),
            ("mongodb://db.example.org/?tls=true&tlsInsecure=true", Outcome::Fail),
        ] {
            let check = tls(&options(uri).await);
            assert_eq!(check.outcome, wanted, "{uri}: {}", check.finding);
        }
    }
}
