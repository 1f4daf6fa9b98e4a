//! Migrations: in order, once each, whatever happens meanwhile.

use futures_util::{FutureExt, future::BoxFuture};
use inkstone::{
    db::{
        Db, DbError,
        client::{ConnectOptions, ServerKind},
        migrations::{self, Migration, are_numbered},
        schema::Validation,
    },
    schema,
};
use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use crate::support::database::{documents, engine_uri, new_database};

/// Notes in the database that the migration ran, as a real one would change
/// documents there.
async fn note(db: &Db, number: i32) -> Result<(), DbError> {
    // Long enough for another process to come in between.
    tokio::time::sleep(std::time::Duration::from_millis(150)).await;
    let steps = db.collection::<Document>("steps");
    steps.insert_one(doc! { "_id": ObjectId::new(), "number": number }).await?;
    Ok(())
}

fn first(db: &Db) -> BoxFuture<'_, Result<(), DbError>> {
    note(db, 1).boxed()
}

fn second(db: &Db) -> BoxFuture<'_, Result<(), DbError>> {
    note(db, 2).boxed()
}

/// Fails after its first half as long as `broken` holds a document.
fn fragile(db: &Db) -> BoxFuture<'_, Result<(), DbError>> {
    async {
        note(db, 2).await?;
        if documents(db, "broken").await.is_empty() {
            return Ok(());
        }
        db.database().run_command(doc! { "noSuchCommand": 1 }).await?;
        Ok(())
    }
    .boxed()
}

const FIRST: Migration = Migration { number: 1, name: "first", run: first };
const SECOND: Migration = Migration { number: 2, name: "second", run: second };
const FRAGILE: Migration = Migration { number: 2, name: "fragile", run: fragile };

/// The numbers of the migrations that ran, in the order of running.
async fn steps(db: &Db) -> Vec<i32> {
    documents(db, "steps").await.iter().map(|step| step.get_i32("number").unwrap()).collect()
}

fn numbers(ran: &[&Migration]) -> Vec<i32> {
    ran.iter().map(|migration| migration.number).collect()
}

#[test]
fn numbers_count_from_one_without_gaps() {
    assert!(are_numbered(&[]));
    assert!(are_numbered(&[FIRST, SECOND]));
    assert!(!are_numbered(&[SECOND]));
    assert!(!are_numbered(&[SECOND, FIRST]));
    assert!(!are_numbered(&[FIRST, FIRST]));
}

#[tokio::test(flavor = "multi_thread")]
async fn migrations_run_in_order_and_once_each() {
    let (db, _) = new_database(engine_uri()).await;
    assert_eq!(numbers(&migrations::run(&db, &[FIRST]).await.unwrap()), [1]);
    // A later release brings another.
    let later = [FIRST, SECOND];
    assert_eq!(numbers(&migrations::pending(&db, &later).await.unwrap()), [2]);
    assert_eq!(numbers(&migrations::run(&db, &later).await.unwrap()), [2]);
    assert!(migrations::run(&db, &later).await.unwrap().is_empty());
    assert_eq!(steps(&db).await, [1, 2]);
    for (row, name) in documents(&db, "migrations").await.iter().zip(["first", "second"]) {
        assert_eq!(row.get_str("name").unwrap(), name);
        assert_eq!(row.get_str("version").unwrap(), env!("CARGO_PKG_VERSION"));
        let started = row.get_datetime("startedAt").unwrap();
        assert!(row.get_datetime("finishedAt").unwrap() >= started);
        assert!(row.get_i64("durationMs").unwrap() >= 150, "{row}");
        assert!(!row.contains_key("owner") && !row.contains_key("renewedAt"), "{row}");
    }
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn two_processes_at_once_run_each_migration_once() {
    let (db, _) = new_database(engine_uri()).await;
    let list = [FIRST, SECOND];
    let ran = futures_util::future::join_all(
        (0..4).map(|_| async { migrations::run(&another(&db).await, &list).await.unwrap().len() }),
    )
    .await;
    assert_eq!(ran.iter().sum::<usize>(), 2, "{ran:?}");
    assert_eq!(steps(&db).await, [1, 2]);
    db.database().drop().await.unwrap();
}

/// All of `init` at once: neither trips over what the other has just made.
#[tokio::test(flavor = "multi_thread")]
async fn two_processes_may_start_on_a_new_database() {
    let (db, _) = new_database(engine_uri()).await;
    let other = another(&db).await;
    let (one, two) = futures_util::future::join(
        schema::init(&db, Validation::Error),
        schema::init(&other, Validation::Error),
    )
    .await;
    one.unwrap();
    two.unwrap();
    assert!(schema::init(&db, Validation::Error).await.unwrap().made.is_empty());
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_migration_that_failed_runs_again_and_those_before_it_do_not() {
    let (db, _) = new_database(engine_uri()).await;
    let list = [FIRST, FRAGILE];
    let broken = db.collection::<Document>("broken");
    broken.insert_one(doc! {}).await.unwrap();
    let error = migrations::run(&db, &list).await.unwrap_err();
    assert_eq!(error.to_string(), "migration 2 (fragile) failed; it runs again at the next start");
    assert!(std::error::Error::source(&error).is_some());
    broken.drop().await.unwrap();
    // At once: a failure gives its claim back.
    assert_eq!(numbers(&migrations::run(&db, &list).await.unwrap()), [2]);
    assert_eq!(steps(&db).await, [1, 2, 2]);
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_died_in_the_middle_is_taken_over_and_a_living_one_waited_for() {
    let (db, _) = new_database(engine_uri()).await;
    let ledger = db.collection::<Document>("migrations");
    let claimed_before = |millis: i64| {
        let then = DateTime::from_millis(DateTime::now().timestamp_millis() - millis);
        doc! {
            "_id": 1, "name": "first", "version": "0.0.1", "startedAt": then,
            "owner": ObjectId::new(), "renewedAt": then,
        }
    };
    ledger.insert_one(claimed_before(0)).await.unwrap();
    // Its owner renewed it just now: nobody else touches it.
    let patience = std::time::Duration::from_millis(600);
    let list = [FIRST];
    let waiting = tokio::time::timeout(patience, migrations::run(&db, &list)).await;
    assert!(waiting.is_err(), "the claim of another process was not respected");
    assert!(steps(&db).await.is_empty());
    // Its owner was last heard of 31 s ago.
    ledger.replace_one(doc! { "_id": 1 }, claimed_before(31_000)).await.unwrap();
    assert_eq!(numbers(&migrations::run(&db, &list).await.unwrap()), [1]);
    let row = &documents(&db, "migrations").await[0];
    assert_eq!(row.get_str("version").unwrap(), env!("CARGO_PKG_VERSION"));
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_database_of_a_newer_program_is_refused_untouched() {
    let (db, _) = new_database(engine_uri()).await;
    let newer = doc! {
        "_id": 3, "name": "third", "version": "9.0.0",
        "startedAt": DateTime::now(), "finishedAt": DateTime::now(), "durationMs": 5_i64,
    };
    db.collection::<Document>("migrations").insert_one(newer).await.unwrap();
    let error = migrations::run(&db, &[FIRST, SECOND]).await.unwrap_err().to_string();
    assert!(error.starts_with("this database was used by a newer Inkstone"), "{error}");
    assert!(error.contains("it holds migration 3, this program ends at 2"), "{error}");
    let error = schema::init(&db, Validation::Error).await.unwrap_err().to_string();
    assert!(error.starts_with("this database was used by a newer Inkstone"), "{error}");
    assert_eq!(db.database().list_collection_names().await.unwrap(), ["migrations"]);
    db.database().drop().await.unwrap();
}

/// The same database through a connection of its own, as another process has it.
async fn another(db: &Db) -> Db {
    let options = ConnectOptions {
        uri: engine_uri(),
        database: db.database().name().to_owned(),
        kind: ServerKind::Embedded,
        on_command: None,
    };
    Db::connect(options).await.unwrap()
}
