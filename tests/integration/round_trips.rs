//! Row R2: what a page costs in commands, seen by the driver.

use inkstone::domain::permission::Role;
use mongodb::bson::doc;

use crate::support::{
    app::TestApp,
    database::Command,
    factories::{insert, post},
    writing::{again, written},
};

/// Visits a page until its first two reads are seen in flight together. On a
/// busy machine the second may by chance be sent late; reads one after the other
/// would never overlap, however often one looks.
async fn visit_until_overlap(app: &TestApp, path: &str) -> Vec<Command> {
    for _ in 0..50 {
        app.log.clear();
        app.page(path).await;
        let commands = app.log.commands();
        let (a, b) = (&commands[0], &commands[1]);
        if a.started < b.ended.unwrap() && b.started < a.ended.unwrap() {
            return commands;
        }
    }
    panic!("the reads of {path} never overlap: {:?}", app.log.commands());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_post_page_costs_two_reads_at_once_and_one_more() {
    let app = TestApp::start().await;
    let (one, two) = (post("one"), post("two"));
    insert(&app.db, &[one.clone(), two.clone()]).await;
    inkstone::posts::collection::contents(&app.db)
        .update_one(doc! { "_id": one.id }, doc! { "$set": { "next": two.id } })
        .await
        .unwrap();
    // Connections are opened by the first visit; the second shows the cost.
    app.page("/posts/one").await;
    let commands = visit_until_overlap(&app, "/posts/one").await;
    let sent: Vec<_> = commands.iter().map(|c| (c.name.as_str(), c.collection.as_str())).collect();
    assert_eq!(sent, [("find", "posts"), ("find", "post_contents"), ("find", "posts")]);
    assert!(commands[2].started >= commands[0].ended.max(commands[1].ended).unwrap());

    // Without neighbours there is no second wave.
    app.log.clear();
    app.page("/posts/two").await;
    assert_eq!(app.log.commands().len(), 2);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn home_costs_two_reads_at_once() {
    let app = TestApp::start().await;
    insert(&app.db, &[post("one")]).await;
    app.page("/").await;
    let commands = visit_until_overlap(&app, "/").await;
    let sent: Vec<_> = commands.iter().map(|c| c.collection.as_str()).collect();
    assert_eq!(sent, ["posts", "tags"]);
    app.finish().await;
}

/// Data-model rule of slugs: a dead address costs the database nothing for a while,
/// and a former one is found without being looked for.
#[tokio::test(flavor = "multi_thread")]
async fn dead_and_former_addresses_are_remembered() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    assert_eq!(app.get("/posts/rain").await.status, 404);
    app.log.clear();
    for path in ["/posts/rain", "/posts/rain/comments"] {
        assert_eq!(app.get(path).await.status, 404);
    }
    assert!(app.log.commands().is_empty(), "{:?}", app.log.commands());
    // Whoever publishes under it finds it at once.
    let id = written(&ana, "publish", &[("title", "Rain"), ("body", "x")]).await;
    assert_eq!(app.get("/posts/rain").await.status, 200);
    let fields = [("title", "Rain"), ("body", "x"), ("slug", "snow")];
    assert_eq!(again(&app, &ana, &id, "save", &fields).await.status, 303);
    for _ in 0..2 {
        app.log.clear();
        assert_eq!(app.get("/posts/rain").await.header("location"), "/posts/snow");
        let asked: Vec<_> = app.log.commands().iter().map(|c| c.collection.clone()).collect();
        assert!(!asked.contains(&"addresses".to_owned()), "{asked:?}");
    }
    // A draft's slug is not kept: another post may get it.
    let draft = written(&ana, "save", &[("title", "Draft"), ("body", "x")]).await;
    assert_eq!(app.get("/posts/draft").await.status, 404);
    let fields = [("title", "Other"), ("body", "x")];
    again(&app, &ana, &draft, "save", &fields).await;
    let heir = written(&ana, "publish", &[("title", "Draft"), ("body", "y")]).await;
    assert_eq!(app.page("/posts/draft").await.text(".prose"), "y");
    assert_ne!(heir, draft);
    app.finish().await;
}
