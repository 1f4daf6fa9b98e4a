//! Categories are made and renamed, and their old addresses lead to them.

use inkstone::{
    categories::actions::{Change, Refusal, create, rename},
    db::transaction::TxError,
};

use crate::{
    start::inkstone,
    support::{
        app::TestApp,
        database::{documents, scratch},
    },
};

fn to_slug(slug: &str) -> Change {
    Change { name: None, slug: Some(slug.to_owned()) }
}

fn refused<T>(outcome: Result<T, TxError<Refusal>>) -> Refusal {
    match outcome {
        Err(TxError::Refused(refusal)) => refusal,
        Err(TxError::Db(error)) => panic!("{}", error.chain()),
        Ok(_) => panic!("not refused"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slug_belongs_to_its_category_for_good() {
    let app = TestApp::start().await;
    let first = create(&app.state, "重庆").await.unwrap();
    assert_eq!(first.slug, "chong-qing");
    // The same name, at the same time too, is another shelf.
    let (second, third) =
        futures_util::future::join(create(&app.state, "重庆"), create(&app.state, "Chong Qing"))
            .await;
    let mut slugs = [second.unwrap().slug, third.unwrap().slug];
    slugs.sort_unstable();
    assert_eq!(slugs, ["chong-qing-2", "chong-qing-3"]);
    rename(&app.db, "chong-qing", to_slug("hot-pot")).await.unwrap();
    rename(&app.db, "hot-pot", to_slug("spicy")).await.unwrap();
    for old in ["chong-qing", "hot-pot"] {
        let answer = app.get(&format!("/categories/{old}?q=%E5%AD%97&x")).await;
        assert_eq!(answer.status, 301);
        assert_eq!(answer.header("location"), "/categories/spicy?q=%E5%AD%97&x");
        // Nobody else gets it.
        assert_eq!(
            refused(rename(&app.db, "chong-qing-2", to_slug(old)).await),
            Refusal::SlugTaken
        );
    }
    assert_eq!(app.get("/categories/spicy").await.status, 200);
    assert_eq!(app.get("/categories/never").await.status, 404);
    // Except the category itself.
    rename(&app.db, "spicy", to_slug("chong-qing")).await.unwrap();
    assert_eq!(app.get("/categories/chong-qing").await.status, 200);
    assert_eq!(app.get("/categories/spicy").await.header("location"), "/categories/chong-qing");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_name_or_an_address_is_refused_and_changes_nothing() {
    let app = TestApp::start().await;
    let shelf = create(&app.state, "Admin").await.unwrap();
    assert_eq!(shelf.slug, "admin-1");
    let before = documents(&app.db, "categories").await;
    for slug in ["admin", "feed", "A", "a--b", "", "火锅", "a/b"] {
        assert_eq!(refused(rename(&app.db, "admin-1", to_slug(slug)).await), Refusal::BadSlug);
    }
    for name in ["", "   ", "\u{200b}"] {
        assert_eq!(refused(create(&app.state, name).await), Refusal::BadName);
        let change = Change { name: Some(name.to_owned()), slug: None };
        assert_eq!(refused(rename(&app.db, "admin-1", change).await), Refusal::BadName);
    }
    assert_eq!(refused(rename(&app.db, "nothing", to_slug("x")).await), Refusal::NotFound);
    assert_eq!(documents(&app.db, "categories").await, before);
    assert_eq!(documents(&app.db, "addresses").await.len(), 1);
    app.finish().await;
}

/// At the terminal, jobs beside it.
#[test]
fn commands_make_rename_and_list_categories_and_run_jobs() {
    let folder = scratch("category-command");
    let run = |arguments: &[&str]| {
        let output = inkstone(&folder, arguments).output().unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        (output.status.success(), String::from_utf8(output.stdout).unwrap(), error)
    };
    let (_, said, error) = run(&["category", "add", "读书"]);
    assert_eq!(said, "读书 is at /categories/du-shu\n", "{error}");
    let (done, _, error) = run(&["category", "rename", "du-shu", "--name", "书", "--slug", "shu"]);
    assert!(done, "{error}");
    assert_eq!(run(&["category", "list"]).1, "shu\t0\t书\n");
    let (done, _, error) = run(&["category", "rename", "shu", "--slug", "admin"]);
    assert!(!done && error.contains("inkstone: an address is made of"), "{error}");
    assert_eq!(run(&["job"]).1, "copies-check\tnot yet\npublish-due\tnot yet\n");
    let (_, said, error) = run(&["job", "copies-check"]);
    assert_eq!(said, "author card: 0\ncategory card: 0\n", "{error}");
    assert!(run(&["job"]).1.contains(" ms\t{ \"author card\": 0, \"category card\": 0 }"));
    let (done, _, error) = run(&["job", "tea"]);
    assert!(
        !done && error.contains("there is no job \"tea\"; there are: copies-check, publish-due"),
        "{error}"
    );
}
