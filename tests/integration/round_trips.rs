//! Row R2: what a page costs in commands, seen by the driver.

use mongodb::bson::doc;

use crate::support::{
    app::TestApp,
    database::Command,
    factories::{insert, post},
};

fn overlap(a: &Command, b: &Command) -> bool {
    a.started < b.ended.unwrap() && b.started < a.ended.unwrap()
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
    app.log.clear();
    app.page("/posts/one").await;
    let commands = app.log.commands();
    let sent: Vec<_> = commands.iter().map(|c| (c.name.as_str(), c.collection.as_str())).collect();
    assert_eq!(sent, [("find", "posts"), ("find", "post_contents"), ("find", "posts")]);
    assert!(overlap(&commands[0], &commands[1]), "{commands:?}");
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
    app.log.clear();
    app.page("/").await;
    let commands = app.log.commands();
    let sent: Vec<_> = commands.iter().map(|c| c.collection.as_str()).collect();
    assert_eq!(sent, ["posts", "tags"]);
    assert!(overlap(&commands[0], &commands[1]), "{commands:?}");
    app.finish().await;
}
