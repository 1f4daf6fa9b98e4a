//! What the server says of itself. Asked once, then judged without it, so that
//! the judgement of deployments that are not at hand can be tested.

use std::time::{Duration, Instant};

use mongodb::bson::{Bson, Document, doc};

use super::Check;
use crate::{
    db::{Db, DbError, client::ServerKind, embedded_engine::VERSION},
    state::Clock,
};

/// The oldest releases that Inkstone is written for.
const OLDEST: &str = "7.0.28 or 8.0.17";

/// Clocks further apart than this make publishing times and leases wrong.
const CLOCK_LIMIT_MILLIS: i64 = 1000;

pub struct Server {
    /// What we take it for.
    pub kind: ServerKind,
    pub hello: Document,
    pub build: Document,
    pub ping: Duration,
    /// The server's clock, less ours.
    pub clock_ahead_millis: i64,
}

impl Server {
    /// # Errors
    /// [`DbError`] when the server does not answer.
    pub async fn ask(db: &Db) -> Result<Self, DbError> {
        let admin = db.client().database("admin");
        let build = admin.run_command(doc! { "buildInfo": 1 }).await?;
        let mut ping = Duration::MAX;
        // The first may open a connection.
        for _ in 0..3 {
            let start = Instant::now();
            admin.run_command(doc! { "ping": 1 }).await?;
            ping = ping.min(start.elapsed());
        }
        let before = Clock::System.now().timestamp_millis();
        let hello = admin.run_command(doc! { "hello": 1 }).await?;
        let after = Clock::System.now().timestamp_millis();
        // The server looked at its clock somewhere between: take the middle.
        let ours = before.midpoint(after);
        let theirs = hello.get_datetime("localTime").map_or(ours, |time| time.timestamp_millis());
        Ok(Self { kind: db.kind(), hello, build, ping, clock_ahead_millis: theirs - ours })
    }

    /// The release of the embedded engine, however it is reached.
    pub fn engine_version(&self) -> Option<&str> {
        self.build.get_str("secantusVersion").ok()
    }

    fn is_sharded(&self) -> bool {
        self.hello.get_str("msg").ok() == Some("isdbgrid")
    }

    fn names(&self, field: &str) -> Vec<&str> {
        let names = self.hello.get_array(field).map_or(&[][..], Vec::as_slice);
        names.iter().filter_map(Bson::as_str).collect()
    }
}

pub fn checks(server: &Server) -> Vec<Check> {
    let mut checks = vec![program(server)];
    checks.extend(engine(server));
    checks.extend([members(server), clock(server)]);
    checks
}

fn program(server: &Server) -> Check {
    const NAME: &str = "server";
    if let Some(version) = server.engine_version() {
        return Check::pass(
            NAME,
            format!("embedded engine {version}, for trying out and small sites"),
        );
    }
    let version = server.build.get_str("version").unwrap_or("of unknown version");
    let kind = if server.is_sharded() { "sharded cluster" } else { "replica set" };
    let finding = format!("MongoDB {version}, {kind}");
    match server.build.get_array("versionArray").ok().and_then(|parts| release(parts)) {
        Some(release) if is_supported(release) => Check::pass(NAME, finding),
        Some(_) => Check::fail(NAME, finding, format!("update to at least {OLDEST}")),
        None => Check::cannot_tell(NAME, finding, format!("see that it is at least {OLDEST}")),
    }
}

fn release(parts: &[Bson]) -> Option<(i32, i32, i32)> {
    let mut numbers = parts.iter().map(Bson::as_i32);
    Some((numbers.next()??, numbers.next()??, numbers.next()??))
}

fn is_supported(release: (i32, i32, i32)) -> bool {
    match release {
        (7, 0, patch) => patch >= 28,
        _ => release >= (8, 0, 17),
    }
}

/// Nothing to say of MongoDB.
fn engine(server: &Server) -> Option<Check> {
    const NAME: &str = "engine";
    let version = server.engine_version()?;
    Some(if version != VERSION {
        let mend = "run script/bootstrap and leave the setting engine empty";
        Check::fail(NAME, format!("release {version}; Inkstone is tried with {VERSION}"), mend)
    } else if server.kind == ServerKind::Embedded {
        Check::pass(NAME, format!("release {version} with the flags that Inkstone is tried with"))
    } else {
        let mend = "leave mongodb.uri empty, and Inkstone starts it so that no write is lost";
        Check::cannot_tell(NAME, "started by somebody else: its flags cannot be seen", mend)
    })
}

/// Those that bear data: arbiters are not among `hosts`, hidden members neither.
fn members(server: &Server) -> Check {
    const NAME: &str = "replica set";
    let mend = "add members until there are three that bear data, on three machines";
    if server.engine_version().is_some() {
        let finding = "the embedded engine is alone: this machine's end is the site's";
        return Check::cannot_tell(NAME, finding, "back up the data folder, or use MongoDB");
    }
    if server.is_sharded() {
        let finding = "a mongos does not say how many members each shard has";
        return Check::cannot_tell(NAME, finding, "see that each shard has three");
    }
    let mut members = server.names("hosts");
    members.extend(server.names("passives"));
    let finding = format!("{} with data: {}", members.len(), members.join(", "));
    if members.len() >= 3 { Check::pass(NAME, finding) } else { Check::fail(NAME, finding, mend) }
}

fn clock(server: &Server) -> Check {
    const NAME: &str = "clock";
    let millis = server.clock_ahead_millis;
    let way = if millis < 0 { "behind" } else { "ahead of" };
    let finding = format!("the server is {} ms {way} this machine", millis.abs());
    if millis.abs() < CLOCK_LIMIT_MILLIS {
        Check::pass(NAME, finding)
    } else {
        Check::fail(NAME, finding, "let NTP (chrony, systemd-timesyncd) set the clock on both")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::Outcome;

    fn mongodb(version: [i32; 3], hello: Document) -> Server {
        let [major, minor, patch] = version;
        Server {
            kind: ServerKind::MongoDb,
            hello,
            build: doc! {
                "version": format!("{major}.{minor}.{patch}"),
                "versionArray": [major, minor, patch, 0],
            },
            ping: Duration::from_millis(1),
            clock_ahead_millis: 0,
        }
    }

    fn outcomes(server: &Server) -> Vec<(&'static str, Outcome)> {
        checks(server).iter().map(|check| (check.name, check.outcome)).collect()
    }

    #[test]
    fn old_releases_fail() {
        for (release, is_right) in [
            ((6, 0, 30), false),
            ((7, 0, 27), false),
            ((7, 0, 28), true),
            ((7, 3, 1), false),
            ((8, 0, 16), false),
            ((8, 0, 17), true),
            ((8, 2, 0), true),
            ((9, 0, 0), true),
        ] {
            assert_eq!(is_supported(release), is_right, "{release:?}");
        }
    }

    #[test]
    fn three_members_with_data_pass_and_an_arbiter_is_none() {
        let three = doc! { "setName": "rs0", "hosts": ["a:1", "b:1"], "passives": ["c:1"] };
        assert_eq!(
            outcomes(&mongodb([8, 0, 17], three)),
            [("server", Outcome::Pass), ("replica set", Outcome::Pass), ("clock", Outcome::Pass)]
        );
        let two = doc! { "setName": "rs0", "hosts": ["a:1", "b:1"], "arbiters": ["c:1"] };
        let found = members(&mongodb([8, 0, 17], two));
        assert_eq!(
            (found.outcome, found.finding.as_str()),
            (Outcome::Fail, "2 with data: a:1, b:1")
        );
        let mongos = members(&mongodb([8, 0, 17], doc! { "msg": "isdbgrid" }));
        assert_eq!(mongos.outcome, Outcome::CannotTell);
    }

    #[test]
    fn clocks_apart_fail_in_both_directions() {
        let mut server = mongodb([8, 0, 17], doc! {});
        for (millis, wanted) in [
            (999, Outcome::Pass),
            (-999, Outcome::Pass),
            (1000, Outcome::Fail),
            (-5000, Outcome::Fail),
        ] {
            server.clock_ahead_millis = millis;
            assert_eq!(clock(&server).outcome, wanted, "{millis}");
        }
    }

    #[test]
    fn an_engine_of_another_release_fails_and_one_started_by_others_cannot_be_told() {
        let mut server = mongodb([8, 2, 11], doc! {});
        server.build.insert("secantusVersion", "0.0.1");
        assert_eq!(engine(&server).unwrap().outcome, Outcome::Fail);
        server.build.insert("secantusVersion", VERSION);
        assert_eq!(engine(&server).unwrap().outcome, Outcome::CannotTell);
        server.kind = ServerKind::Embedded;
        assert_eq!(engine(&server).unwrap().outcome, Outcome::Pass);
    }
}
