//! Counts of tags, categories and months, as publishing will move them.

use std::sync::Arc;

use inkstone::{
    archive, categories,
    db::{
        Db, DbError,
        schema::Validation,
        transaction::{self, Steps, Tx, TxError},
    },
    domain::month::Month,
    schema,
    tags::{self, model::TagName},
};
use mongodb::bson::{doc, oid::ObjectId};

use crate::support::database::{documents, engine_uri, new_database};

/// What a post brings into the counts.
#[derive(Clone)]
struct Counted {
    tags: Vec<TagName>,
    category: ObjectId,
    month: Month,
}

enum Change {
    Publish,
    TakeBack,
    /// Counts, then says no.
    PublishAndRefuse,
}

struct Count(Counted, Change);

impl Steps for Count {
    type Done = bool;
    type Refusal = ();

    async fn run(&self, tx: &mut Tx) -> Result<bool, TxError<()>> {
        let Self(post, change) = self;
        let ids: Vec<String> = post.tags.iter().map(|tag| tag.id.clone()).collect();
        if matches!(change, Change::TakeBack) {
            tags::commands::remove_post(tx, &ids).await?;
            categories::commands::remove_post(tx, post.category).await?;
            archive::commands::remove_post(tx, post.month).await?;
            return Ok(true);
        }
        tags::commands::add_post(tx, &post.tags).await?;
        let has_category = categories::commands::add_post(tx, post.category).await?;
        archive::commands::add_post(tx, post.month).await?;
        match change {
            Change::PublishAndRefuse => Err(TxError::Refused(())),
            _ => Ok(has_category),
        }
    }
}

fn name(id: &str, display: &str) -> TagName {
    TagName { id: id.to_owned(), display: display.to_owned() }
}

async fn prepared() -> (Db, Counted) {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let category = ObjectId::new();
    let shelf = doc! {
        "_id": category, "slug": "s", "name": "S", "parentId": null, "order": 1,
        "postCount": 0_i64,
    };
    db.collection("categories").insert_one(shelf).await.unwrap();
    let tags = vec![name("rust", "Rust"), name("排版", "排版")];
    (db, Counted { tags, category, month: Month::from_id("2026-11").unwrap() })
}

async fn counts(db: &Db) -> Vec<(String, i64)> {
    let mut counts = Vec::new();
    for collection in ["tags", "categories", "archive_months"] {
        for document in documents(db, collection).await {
            let id = document.get_str("_id").unwrap_or(collection).to_owned();
            // A 64-bit number, or this fails.
            counts.push((id, document.get_i64("postCount").unwrap()));
        }
    }
    counts
}

fn all_at(n: i64) -> Vec<(String, i64)> {
    ["rust", "排版", "categories", "2026-11"].map(|id| (id.to_owned(), n)).into()
}

#[tokio::test(flavor = "multi_thread")]
async fn counts_go_up_and_down_and_never_below_none() {
    let (db, post) = prepared().await;
    let change = async |change| transaction::run(&db, &Count(post.clone(), change)).await.unwrap();
    assert!(change(Change::Publish).await);
    assert_eq!(counts(&db).await, all_at(1));
    change(Change::Publish).await;
    assert_eq!(counts(&db).await, all_at(2));
    for left in [1, 0, 0] {
        change(Change::TakeBack).await;
        assert_eq!(counts(&db).await, all_at(left));
    }
    change(Change::Publish).await;
    assert_eq!(counts(&db).await, all_at(1));
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refused_transaction_counts_nothing() {
    let (db, post) = prepared().await;
    let refused = transaction::run(&db, &Count(post, Change::PublishAndRefuse)).await;
    assert!(matches!(refused, Err(TxError::Refused(()))));
    assert_eq!(counts(&db).await, [("categories".to_owned(), 0)]);
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tag_keeps_its_first_spelling_and_a_missing_category_is_told() {
    let (db, mut post) = prepared().await;
    transaction::run(&db, &Count(post.clone(), Change::Publish)).await.unwrap();
    post.tags = vec![name("rust", "RUST")];
    post.category = ObjectId::new();
    assert!(!transaction::run(&db, &Count(post, Change::Publish)).await.unwrap());
    let tags = documents(&db, "tags").await;
    assert_eq!(tags[0].get_str("display").unwrap(), "Rust");
    assert_eq!(tags[0].get_i64("postCount").unwrap(), 2);
    db.database().drop().await.unwrap();
}

/// Authors who publish at once, the first of them all making the same documents.
#[tokio::test(flavor = "multi_thread")]
async fn posts_published_at_once_are_all_counted() {
    let (db, post) = prepared().await;
    let db = Arc::new(db);
    let publish = |_| {
        let (db, post) = (db.clone(), post.clone());
        tokio::spawn(async move {
            let steps = Count(post, Change::Publish);
            loop {
                match transaction::run(&db, &steps).await {
                    // As the command says.
                    Err(TxError::Db(DbError::Duplicate { .. })) => {}
                    outcome => return outcome.unwrap(),
                }
            }
        })
    };
    let tasks: Vec<_> = (0..12).map(publish).collect();
    for task in tasks {
        assert!(task.await.unwrap());
    }
    assert_eq!(counts(&db).await, all_at(12));
    db.database().drop().await.unwrap();
}
