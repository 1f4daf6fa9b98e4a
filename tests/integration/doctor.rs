//! `inkstone doctor`: a healthy site has no failure, and each ill is found,
//! named and given its mend.

use inkstone::{
    config::Config,
    db::{
        Db,
        client::{ConnectOptions, ServerKind},
        schema::Validation,
    },
    doctor::{self, Check, Outcome},
    schema,
};
use mongodb::{
    IndexModel,
    bson::{DateTime, Document, doc},
    options::IndexOptions,
};

use crate::{
    start::{inkstone, server_with},
    support::{
        database::{documents, engine_uri, new_database, scratch},
        factories,
    },
};

/// A database as `init` leaves it, with one post.
async fn healthy() -> Db {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    factories::published(&db, "sample").await;
    db
}

async fn examine(db: &Db) -> Vec<Check> {
    let data = env!("CARGO_TARGET_TMPDIR");
    let config = Config::load(None, |name| (name == "INKSTONE_DATA").then(|| data.into())).unwrap();
    doctor::examine(db, &config).await
}

/// How full the disk of this machine is, and how busy it is, is not what these
/// tests are about.
fn failures(checks: &[Check]) -> Vec<(&str, &str, &str)> {
    checks
        .iter()
        .filter(|check| check.outcome == Outcome::Fail && !["disk", "pages"].contains(&check.name))
        .map(|check| (check.name, check.finding.as_str(), check.mend.as_str()))
        .collect()
}

fn find<'a>(checks: &'a [Check], name: &str) -> &'a Check {
    let found: Vec<&Check> = checks.iter().filter(|check| check.name == name).collect();
    assert_eq!(found.len(), 1, "{name}: {checks:#?}");
    found[0]
}

#[tokio::test(flavor = "multi_thread")]
async fn a_healthy_site_has_no_failure_and_is_left_as_it_was() {
    let db = healthy().await;
    let before = everything(&db).await;
    let checks = examine(&db).await;
    assert_eq!(failures(&checks), []);
    for name in [
        "connection",
        "server",
        "engine",
        "clock",
        "write concern",
        "retries",
        "pool",
        "encryption",
        "collections",
        "validators",
        "indexes",
        "migrations",
        "site.url",
    ] {
        assert_eq!(find(&checks, name).outcome, Outcome::Pass, "{name}");
    }
    assert_eq!(find(&checks, "replica set").outcome, Outcome::CannotTell);
    assert_eq!(find(&checks, "authentication").outcome, Outcome::CannotTell);
    assert_ne!(find(&checks, "disk").outcome, Outcome::CannotTell);
    assert_ne!(find(&checks, "pages").outcome, Outcome::CannotTell);
    assert_eq!(everything(&db).await, before);
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_without_a_schema_is_left_without_one() {
    let (db, _) = new_database(engine_uri()).await;
    let checks = examine(&db).await;
    assert!(find(&checks, "collections").finding.contains("posts is missing"));
    assert!(find(&checks, "collections").finding.contains("users_public is missing"));
    assert_eq!(find(&checks, "pages").outcome, Outcome::CannotTell);
    assert!(db.database().list_collection_names().await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_different_and_unknown_indexes_are_named() {
    let db = healthy().await;
    let posts = db.collection::<Document>("posts");
    posts.create_index(IndexModel::builder().keys(doc! { "mood": 1 }).build()).await.unwrap();
    let checks = examine(&db).await;
    let indexes = find(&checks, "indexes");
    assert_eq!(indexes.outcome, Outcome::CannotTell);
    assert_eq!(indexes.finding, "no query of Inkstone names posts.mood_1");

    posts.drop_index("mood_1").await.unwrap();
    posts.drop_index("newest").await.unwrap();
    let missing = examine(&db).await;
    let wanted = ("indexes", "posts.newest is missing", "run inkstone init");
    assert_eq!(failures(&missing), [wanted]);

    let options = IndexOptions::builder().name("newest".to_owned()).build();
    let other = IndexModel::builder().keys(doc! { "status": 1 }).options(options).build();
    posts.create_index(other).await.unwrap();
    let different = examine(&db).await;
    let finding = "posts.newest is {status:1}, not {status:1, publishedAt:-1, _id:-1}";
    let wanted = ("indexes", finding, "drop what is different, then run inkstone init");
    assert_eq!(failures(&different), [wanted]);
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn missing_and_loosened_validators_are_named() {
    let db = healthy().await;
    let change = |change: Document| {
        let mut command = doc! { "collMod": "posts" };
        command.extend(change);
        db.database().run_command(command)
    };
    change(doc! { "validationAction": "warn" }).await.unwrap();
    let loosened = examine(&db).await;
    let wanted = ("validators", "posts says warn, not error", "run inkstone init");
    assert_eq!(failures(&loosened), [wanted]);
    change(doc! { "validator": {}, "validationAction": "error" }).await.unwrap();
    let missing = examine(&db).await;
    assert_eq!(failures(&missing), [("validators", "posts has none", "run inkstone init")]);
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_ledger_of_a_newer_program_is_named() {
    let db = healthy().await;
    let newer = doc! { "_id": 1000, "name": "later", "version": "9", "startedAt": DateTime::now() };
    db.collection::<Document>("migrations").insert_one(newer).await.unwrap();
    let checks = examine(&db).await;
    let ledger = find(&checks, "migrations");
    assert_eq!(ledger.outcome, Outcome::Fail);
    assert!(ledger.finding.starts_with("this database was used by a newer Inkstone"));
    assert_eq!(failures(&checks).len(), 1, "{checks:#?}");
    db.database().drop().await.unwrap();
}

/// The engine stands for a server of somebody else's.
#[tokio::test(flavor = "multi_thread")]
async fn whether_a_server_asks_for_a_user_is_found_out_by_asking() {
    let folder = scratch("doctor-auth");
    for (flags, wanted) in [(&[][..], Outcome::Fail), (&["--auth"], Outcome::Pass)] {
        let server = server_with(&folder, flags);
        let db = Db::connect(ConnectOptions {
            uri: format!("mongodb://{}/?replicaSet=secantus", server.address),
            database: "inkstone".to_owned(),
            kind: ServerKind::MongoDb,
            on_command: None,
        })
        .await
        .unwrap();
        let checks = examine(&db).await;
        let authentication = find(&checks, "authentication");
        assert_eq!(authentication.outcome, wanted, "{flags:?}: {}", authentication.finding);
    }
}

#[test]
fn an_unreachable_server_is_named_on_the_command_line() {
    let folder = scratch("doctor-unreachable");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = inkstone(&folder, &["doctor"]);
    command.env("MONGODB_URI", format!("mongodb://ink:s3cret@{closed}/?replicaSet=rs0"));
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.starts_with(&format!("✗ connection  no MongoDB server answers at {closed}")),
        "{text}"
    );
    assert!(text.contains("→ start the server, or correct mongodb.uri"), "{text}");
    assert!(!text.contains("s3cret"), "{text}");
    assert!(String::from_utf8(output.stderr).unwrap().ends_with("inkstone: 1 check fails\n"));
}

/// From nothing to a site, by the commands that a person types.
#[test]
fn the_doctor_makes_no_database_and_finds_a_new_one_healthy() {
    let folder = scratch("doctor-embedded");
    // Wherever the tests bind, a site is told its address.
    let run = |arguments: &[&str]| {
        let output = inkstone(&folder, arguments).output().unwrap();
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    };
    let (code, text) = run(&["doctor"]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("there is no database in"), "{text}");
    assert!(text.contains("→ run inkstone init"), "{text}");
    assert!(!folder.join("data").exists(), "the doctor made a database");
    assert_eq!(run(&["init"]).0, Some(0));
    let (_, text) = run(&["doctor", "--json"]);
    let checks: Vec<serde_json::Value> = serde_json::from_str(&text).unwrap();
    let failed: Vec<_> = checks
        .iter()
        .filter(|check| check["outcome"] == "fail" && check["name"] != "disk")
        .collect();
    assert!(failed.is_empty(), "{failed:#?}");
    assert!(checks.iter().any(|c| c["name"] == "indexes" && c["outcome"] == "pass"), "{text}");
}

async fn everything(db: &Db) -> Vec<(String, Vec<Document>)> {
    let mut names = db.database().list_collection_names().await.unwrap();
    names.sort();
    let mut all = Vec::new();
    for name in names {
        let found = documents(db, &name).await;
        all.push((name, found));
    }
    all
}
