//! `init`: what is missing is made, what differs is refused.

use inkstone::{db::schema::Validation, domain::site_time::SiteZone, schema, seed::sample::Sample};
use mongodb::{
    IndexModel,
    bson::{Document, doc},
};

use crate::support::database::{documents, drop_database, engine_uri, new_database};

#[tokio::test(flavor = "multi_thread")]
async fn running_it_again_changes_nothing() {
    let (db, _) = new_database(engine_uri()).await;
    let first = schema::init(&db, Validation::Error).await.unwrap();
    assert!(first.made.iter().any(|made| made == "index posts.newest"));
    assert!(first.made.iter().any(|made| made == "view users_public"));
    let again = schema::init(&db, Validation::Error).await.unwrap();
    assert_eq!((again.made, again.unknown), (vec![], vec![]));
    // Another strictness changes the validators and nothing else.
    let looser = schema::init(&db, Validation::Warn).await.unwrap();
    assert!(!looser.made.is_empty());
    assert!(looser.made.iter().all(|made| made.starts_with("validator of ")), "{:?}", looser.made);
    drop_database(&db).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_missing_index_is_made_a_different_one_refused_an_unknown_one_told() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let posts = db.collection::<Document>("posts");
    posts.drop_index("newest").await.unwrap();
    posts.create_index(IndexModel::builder().keys(doc! { "mood": 1 }).build()).await.unwrap();
    let report = schema::init(&db, Validation::Error).await.unwrap();
    assert_eq!(report.made, ["index posts.newest"]);
    assert_eq!(report.unknown, ["posts.mood_1"]);
    posts.drop_index("newest").await.unwrap();
    let mut options = mongodb::options::IndexOptions::default();
    options.name = Some("newest".to_owned());
    let other = IndexModel::builder().keys(doc! { "status": 1 }).options(options).build();
    posts.create_index(other).await.unwrap();
    let error = schema::init(&db, Validation::Error).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "index posts.newest is there, but different: it is {status:1}, it should be {status:1, \
         publishedAt:-1, _id:-1}; drop it (db.posts.dropIndex(\"newest\")) and run init again"
    );
    drop_database(&db).await;
}

/// A database of an earlier release: the index is made anew, and a slug that a post has
/// given back is free.
#[tokio::test(flavor = "multi_thread")]
async fn indexes_that_were_unique_on_the_embedded_engine_become_plain() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let posts = db.collection::<Document>("posts");
    posts.drop_index("slug").await.unwrap();
    let mut options = mongodb::options::IndexOptions::default();
    options.name = Some("slug".to_owned());
    options.unique = Some(true);
    let unique = IndexModel::builder().keys(doc! { "slug": 1 }).options(options).build();
    posts.create_index(unique).await.unwrap();
    let post = crate::support::factories::post("a");
    inkstone::posts::collection::posts(&db).insert_one(&post).await.unwrap();
    posts.update_one(doc! { "_id": post.id }, doc! { "$set": { "slug": "b" } }).await.unwrap();
    let report = schema::init(&db, Validation::Error).await.unwrap();
    assert_eq!(report.made, ["index posts.slug anew"]);
    assert!(schema::init(&db, Validation::Error).await.unwrap().made.is_empty());
    let heir = crate::support::factories::post("a");
    inkstone::posts::collection::posts(&db).insert_one(heir).await.unwrap();
    drop_database(&db).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn validators_refuse_what_is_wrong() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let post = crate::support::factories::post("right");
    let mut document = mongodb::bson::serialize_to_document(&post).unwrap();
    let posts = db.collection::<Document>("posts");
    posts.insert_one(&document).await.unwrap();
    document.insert("slug", "wrong");
    document.insert("_id", mongodb::bson::oid::ObjectId::new());
    document.get_document_mut("stats").unwrap().insert("comments", -1_i64);
    assert!(posts.insert_one(&document).await.is_err());
    drop_database(&db).await;
}

/// The sample content meets every validator; writing it twice changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn sample_content_fits_and_can_be_written_again() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let zone = SiteZone::parse("Asia/Shanghai").unwrap();
    Sample::load().unwrap().write(&db, &zone).await.unwrap();
    let before = everything(&db).await;
    Sample::load().unwrap().write(&db, &zone).await.unwrap();
    assert_eq!(everything(&db).await, before);
    // What reports may read of users holds no secret field.
    let public = documents(&db, "users_public").await;
    assert_eq!(public.len(), 6);
    assert!(
        public.iter().all(|user| user.contains_key("name") && !user.contains_key("usernameKey"))
    );
    drop_database(&db).await;
}

async fn everything(db: &inkstone::db::Db) -> Vec<Document> {
    let mut all = Vec::new();
    for collection in schema::collections() {
        all.extend(documents(db, collection.name).await);
    }
    all
}
