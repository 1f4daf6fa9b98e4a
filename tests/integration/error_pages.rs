//! Errors as pages, with an id and without a cause.

use std::time::{Duration, Instant};

use mongodb::bson::doc;

use crate::support::{app::TestApp, factories::published};

#[tokio::test(flavor = "multi_thread")]
async fn what_is_not_there_is_a_page_with_404() {
    let app = TestApp::start().await;
    for path in [
        "/nowhere",
        "/posts/none",
        "/tags/none",
        "/categories/none",
        "/@nobody",
        "/posts/none/comments",
        "/posts/none/comments/65f000000000000000000000",
        "/static/none.css",
    ] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 404, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        assert_eq!(answer.html().text("h1"), "没有找到这一页", "{path}");
        assert_eq!(answer.header("cache-control"), "private, no-store");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_verb_is_405_and_says_which_are_right() {
    let app = TestApp::start().await;
    let request =
        app.client.delete(format!("{}/", app.url)).header("sec-fetch-site", "same-origin");
    let answer = request.send().await.unwrap();
    assert_eq!(answer.status().as_u16(), 405);
    assert_eq!(answer.headers()["allow"], "GET, HEAD");
    app.finish().await;
}

/// A stored document that cannot be read is our fault: 500, an id, no cause.
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_shows_its_id_and_no_cause() {
    let app = TestApp::start().await;
    let post = published(&app.db, "torn").await;
    let break_it = doc! { "update": "posts", "bypassDocumentValidation": true, "updates": [
        { "q": { "_id": post.id }, "u": { "$set": { "stats": "SECRET-MARKER" } } },
    ] };
    app.db.database().run_command(break_it).await.unwrap();
    for path in ["/", "/posts/torn", "/posts/torn/comments"] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 500, "{path}");
        let id = answer.header("x-request-id");
        assert_eq!(answer.html().text(".mono"), id);
        for word in ["SECRET-MARKER", "stats", "bson", "mongodb", "src/"] {
            assert!(!answer.body.contains(word), "{path} shows {word}");
        }
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_pages_answer_503() {
    let mut app = TestApp::start_with_own_engine().await;
    published(&app.db, "one").await;
    app.page("/posts/one").await;
    app.stop_engine().await;
    for path in ["/", "/posts/one", "/@linmo"] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 503, "{path}");
        assert_eq!(answer.header("retry-after"), "5");
        assert_eq!(answer.html().text("h1"), "暂时连不上，马上回来");
    }
    // A comment keeps its text, and its form can be sent again.
    let fields = [("name", "A"), ("body", "my words"), ("parent", "65f000000000000000000000")];
    let answer = app.post("/posts/one/comments", &fields).await;
    assert_eq!(answer.status, 503);
    assert_eq!(answer.header("retry-after"), "5");
    let page = answer.html();
    assert_eq!(page.text("#body"), "my words");
    assert_eq!(page.attribute("input[name=parent]", "value"), "65f000000000000000000000");
    assert_eq!(page.attribute("#reply", "action"), "/posts/one/comments#reply");
    app.stop_server().await;
}

/// A visitor waits for a missing server only until it is known to be missing.
#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_known_to_be_away_nobody_waits_for_it() {
    let mut app = TestApp::start_with_own_engine().await;
    published(&app.db, "one").await;
    app.page("/posts/one").await;
    app.stop_engine().await;
    for _ in 0..3 {
        assert_eq!(app.get("/posts/one").await.status, 503);
    }
    // One of them may be the call that looks whether the database is back.
    let mut waits = Vec::new();
    for _ in 0..20 {
        let start = Instant::now();
        assert_eq!(app.get("/posts/one").await.status, 503);
        waits.push(start.elapsed());
    }
    waits.sort();
    let (median, longest) = (waits[10], waits[19]);
    println!("database away, 20 requests: median {median:?}, longest {longest:?}");
    assert!(median < Duration::from_millis(100), "{waits:?}");
    app.stop_server().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_its_own_request_id() {
    let app = TestApp::start().await;
    let (a, b) = (app.get("/").await, app.get("/nowhere").await);
    assert_eq!(a.header("x-request-id").len(), 36);
    assert_ne!(a.header("x-request-id"), b.header("x-request-id"));
    app.finish().await;
}
