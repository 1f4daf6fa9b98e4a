//! Addresses: each belongs to one target for good, and one of a target's is
//! current.

use inkstone::{
    addresses::{
        commands::{Reservation, make_current, reserve},
        model::Kind,
        queries::{current_of, resolve},
    },
    db::{
        Db,
        schema::Validation,
        transaction::{self, Steps, Tx, TxError},
    },
    schema,
};
use mongodb::bson::oid::ObjectId;

use crate::support::database::{documents, drop_database, engine_uri, new_database};

/// Takes an address and makes it current, as a rename does.
struct Take<'a> {
    key: &'a str,
    target: ObjectId,
}

impl Steps for Take<'_> {
    type Done = ();
    type Refusal = &'static str;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<&'static str>> {
        match reserve(tx, Kind::Category, self.key, self.target).await? {
            Reservation::Ours => {}
            Reservation::Taken => return Err(TxError::Refused("taken")),
        }
        assert!(make_current(tx, Kind::Category, self.key, self.target).await?);
        Ok(())
    }
}

async fn take(db: &Db, key: &str, target: ObjectId) -> bool {
    match transaction::run(db, &Take { key, target }).await {
        Ok(()) => true,
        Err(TxError::Refused(_)) => false,
        Err(TxError::Db(error)) => panic!("{}", error.chain()),
    }
}

async fn current(db: &Db, target: ObjectId) -> String {
    let found = current_of(db, target, Kind::Category).await.unwrap().unwrap();
    assert!(found.at.is_some());
    found.key().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_address_stays_with_its_target() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let (one, other) = (ObjectId::new(), ObjectId::new());
    for key in ["a", "b", "a", "c"] {
        assert!(take(&db, key, one).await);
        assert_eq!(current(&db, one).await, key);
    }
    // Whatever was ever given is not given again, and a refusal changes nothing.
    for key in ["a", "b", "c"] {
        assert!(!take(&db, key, other).await);
        let found = resolve(&db, Kind::Category, key).await.unwrap().unwrap();
        assert_eq!((found.target, found.current), (one, key == "c"));
    }
    assert!(current_of(&db, other, Kind::Category).await.unwrap().is_none());
    // The same word as another kind of address is another address.
    assert!(resolve(&db, Kind::User, "a").await.unwrap().is_none());
    drop_database(&db).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn of_many_at_once_one_gets_the_address() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let targets: Vec<ObjectId> = (0..8).map(|_| ObjectId::new()).collect();
    let taken =
        futures_util::future::join_all(targets.iter().map(|target| take(&db, "a", *target))).await;
    assert_eq!(taken.iter().filter(|taken| **taken).count(), 1, "{taken:?}");
    let rows = documents(&db, "addresses").await;
    let winner = targets[taken.iter().position(|taken| *taken).unwrap()];
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].get_object_id("target").unwrap(), winner);
    assert!(rows[0].get_bool("current").unwrap());
    drop_database(&db).await;
}
