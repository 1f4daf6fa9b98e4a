//! Every read explained by the engine: it uses the index that it names.

use inkstone::{
    access_patterns::reads,
    db::{DbError, find::NATURAL, schema::Validation},
    domain::site_time::SiteZone,
    schema,
    seed::sample::Sample,
};
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};

use crate::support::{
    database::{drop_database, engine_uri, new_database},
    factories::post,
};

/// Every value of a field, at any depth.
fn values<'a>(document: &'a Document, field: &str) -> Vec<&'a str> {
    let mut found = Vec::new();
    for (key, value) in document {
        match value {
            Bson::String(text) if key == field => found.push(text.as_str()),
            Bson::Document(inner) => found.extend(values(inner, field)),
            Bson::Array(inner) => {
                let inner = inner.iter().filter_map(Bson::as_document);
                found.extend(inner.flat_map(|inner| values(inner, field)));
            }
            _ => {}
        }
    }
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn every_read_uses_the_index_that_it_names() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let zone = SiteZone::parse("Asia/Shanghai").unwrap();
    Sample::load().unwrap().write(&db, &zone).await.unwrap();
    let mut breaches = Vec::new();
    for spec in reads() {
        let explained = spec.explain(&db).await.unwrap();
        let plan = explained.get_document("queryPlanner").unwrap();
        let plan = plan.get_document("winningPlan").unwrap();
        let (stages, indexes) = (values(plan, "stage"), values(plan, "indexName"));
        let is_right = if spec.index == NATURAL {
            indexes.is_empty()
        } else {
            let by_id = spec.index == "_id_" && stages.contains(&"IDHACK");
            let is_named = !indexes.is_empty() && indexes.iter().all(|name| *name == spec.index);
            (by_id || is_named) && !stages.contains(&"COLLSCAN") && !stages.contains(&"SORT")
        };
        if !is_right {
            breaches.push(format!("{} ({}): {plan}", spec.name, spec.index));
        }
    }
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
    drop_database(&db).await;
}

/// The same test without its index: it can fail.
#[tokio::test(flavor = "multi_thread")]
async fn a_read_without_its_index_is_seen_to_scan() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    inkstone::posts::collection::posts(&db).insert_one(post("one")).await.unwrap();
    inkstone::posts::collection::posts(&db).drop_index("slug").await.unwrap();
    let spec = reads().into_iter().find(|spec| spec.name == "posts: metadata by slug").unwrap();
    let explained = spec.explain(&db).await.unwrap();
    assert!(values(&explained, "stage").contains(&"COLLSCAN"), "{explained}");
    drop_database(&db).await;
}

/// The server's own words, by each of the ways in which they reach us.
#[tokio::test(flavor = "multi_thread")]
async fn a_duplicate_names_the_violated_index() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let revisions = db.collection::<Document>("revisions");
    let post = ObjectId::new();
    let revision = |id: i32, version: i64| doc! { "_id": id, "postId": post, "version": version };
    revisions.insert_one(revision(1, 1)).await.unwrap();
    let name = |error: mongodb::error::Error| match DbError::from(error) {
        DbError::Duplicate { index, .. } => index,
        other => panic!("{other:?}"),
    };
    assert_eq!(name(revisions.insert_one(revision(2, 1)).await.unwrap_err()), "post");
    assert_eq!(name(revisions.insert_one(revision(1, 2)).await.unwrap_err()), "_id_");
    assert_eq!(name(revisions.insert_many([revision(2, 1)]).await.unwrap_err()), "post");
    let mut session = db.client().start_session().await.unwrap();
    session.start_transaction().await.unwrap();
    let error = revisions.insert_one(revision(2, 1)).session(&mut session).await.unwrap_err();
    assert_eq!(name(error), "post");
    session.abort_transaction().await.unwrap();
    drop_database(&db).await;
}
