//! Several editors, old versions, long texts, and those who may not.

use std::time::Duration;

use futures_util::future::join_all;
use inkstone::domain::permission::Role;
use mongodb::bson::oid::ObjectId;

use crate::support::{
    app::TestApp,
    database::{documents, one},
    writing::{again, press, stored, written},
};

/// SEC-39.
#[tokio::test(flavor = "multi_thread")]
async fn two_editors_see_each_others_text() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let ed = app.member("ed", Role::Editor).await;
    let id = written(&ana, "save", &[("title", "T"), ("body", "one\n")]).await;
    let path = format!("/write/{id}");
    let seen = ed.page(&path).await.attribute("input[name=version]", "value");
    assert_eq!(
        again(&app, &ana, &id, "save", &[("title", "T"), ("body", "two\n")]).await.status,
        303
    );
    let late = [("title", "T"), ("body", "three\n"), ("version", seen.as_str())];
    let answer = press(&ed, &path, "save", &late).await;
    assert_eq!(answer.status, 409);
    let page = answer.html();
    assert_eq!((page.text(".diff del"), page.text(".diff ins")), ("two".into(), "three".into()));
    assert_eq!(page.text("#body"), "three");
    // Having seen it, the editor decides.
    let version = page.attribute("input[name=version]", "value");
    let decided = [("title", "T"), ("body", "three\n"), ("version", version.as_str())];
    assert_eq!(press(&ed, &path, "save", &decided).await.status, 303);
    // Whoever saves at the same time as others: one wins, none is lost unseen.
    for round in 0..20 {
        let version = stored(&app, &id).await.get_i64("version").unwrap().to_string();
        let bodies: Vec<_> = (0..4).map(|n| format!("{round} {n}")).collect();
        let answers = join_all(bodies.iter().map(|body| {
            let browser = if body.ends_with(['0', '2']) { &ana } else { &ed };
            let path = &path;
            let version = &version;
            async move {
                press(
                    browser,
                    path,
                    "save",
                    &[("title", "T"), ("body", body), ("version", version)],
                )
                .await
            }
        }))
        .await;
        let won: Vec<_> =
            answers.iter().zip(&bodies).filter(|(answer, _)| answer.status == 303).collect();
        assert_eq!(won.len(), 1, "{:?}", answers.iter().map(|a| a.status).collect::<Vec<_>>());
        let source = one(&app.db, "post_sources", ObjectId::parse_str(&id).unwrap()).await;
        assert_eq!(source.get_str("source").unwrap(), won[0].1);
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn revisions_tell_what_changed_and_lead_back() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let id =
        written(&ana, "save", &[("title", "T"), ("body", "春天来了。\n"), ("tags", "t")]).await;
    again(&app, &ana, &id, "save", &[("title", "T"), ("body", "春天走了。\n"), ("tags", "t")])
        .await;
    // A save that changes no text leaves no revision.
    again(&app, &ana, &id, "save", &[("title", "T"), ("body", "春天走了。\n"), ("tags", "u")])
        .await;
    again(&app, &ana, &id, "save", &[("title", "T2"), ("body", "春天走了。\n"), ("tags", "u")])
        .await;
    let list = ana.page(&format!("/write/{id}/revisions")).await;
    assert_eq!(list.texts(".list .row .hint"), ["第 4 版", "第 2 版", "第 1 版"]);
    let second = ana.page(&format!("/write/{id}/revisions/2")).await;
    assert_eq!(
        (second.text(".diff del"), second.text(".diff ins")),
        ("春天来了。".into(), "春天走了。".into())
    );
    assert_eq!(ana.get(&format!("/write/{id}/revisions/3")).await.status, 404);
    let version = second.attribute("input[name=version]", "value");
    let fields = [("revision", "1"), ("version", version.as_str())];
    let answer = ana.submit(&format!("/write/{id}/revisions"), &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let post = stored(&app, &id).await;
    assert_eq!(post.get_i64("version").unwrap(), 5);
    assert_eq!(post.get_str("title").unwrap(), "T");
    assert_eq!(post.get_array("tags").unwrap(), &["u".into()], "settings stay");
    let source = one(&app.db, "post_sources", ObjectId::parse_str(&id).unwrap()).await;
    assert_eq!(source.get_str("source").unwrap(), "春天来了。");
    app.finish().await;
}

/// From the list of the bin, pressed twice.
#[tokio::test(flavor = "multi_thread")]
async fn a_button_without_the_text_never_empties_it() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let id = written(&ana, "save", &[("title", "Kept"), ("body", "my words")]).await;
    let path = format!("/write/{id}");
    again(&app, &ana, &id, "delete", &[]).await;
    let version = stored(&app, &id).await.get_i64("version").unwrap().to_string();
    let restore = [("version", version.as_str())];
    assert_eq!(press(&ana, &path, "restore", &restore).await.status, 303);
    let answer = press(&ana, &path, "restore", &restore).await;
    assert_eq!(answer.status, 422);
    let page = answer.html();
    assert_eq!((page.text("#title"), page.text("#body")), ("Kept".into(), "my words".into()));
    // A new post is none without a text.
    assert_eq!(press(&ana, "/write", "save", &[("title", "T")]).await.status, 400);
    assert_eq!(documents(&app.db, "posts").await.len(), 1);
    assert_eq!(documents(&app.db, "addresses").await.len(), 2, "the post's and its author's");
    app.finish().await;
}

/// SEC-37.
#[tokio::test(flavor = "multi_thread")]
async fn a_preview_link_shows_a_draft_until_it_ends() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let id = written(&ana, "save", &[("title", "Secret"), ("body", "hidden words")]).await;
    let share = async |action: &str| {
        let page = ana.submit(&format!("/write/{id}/share"), &[("action", action)]).await.html();
        page.texts(".side .mono").first().map(|link| link[app.url.len()..].to_owned())
    };
    let link = share("share").await.unwrap();
    let shown = app.get(&link).await;
    assert_eq!(shown.status, 200);
    assert!(shown.body.contains("hidden words"));
    assert_eq!(shown.header("cache-control"), "private, no-store");
    assert_eq!(shown.header("referrer-policy"), "no-referrer");
    assert_eq!(shown.html().attribute("meta[name=robots]", "content"), "noindex");
    // Only a hash is kept.
    let token = &link["/preview/".len() + 24..];
    for collection in app.db.database().list_collection_names().await.unwrap() {
        let all = format!("{:?}", documents(&app.db, &collection).await);
        assert!(!all.contains(token), "{collection}");
    }
    let mut wrong = link.clone();
    wrong.replace_range(link.len() - 1.., if link.ends_with('0') { "1" } else { "0" });
    for path in [&wrong, "/preview/x", "/preview/", &link[..40]] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    let newer = share("share").await.unwrap();
    assert_eq!(app.get(&link).await.status, 404, "a new link ends the old one");
    app.pass_millis(7 * 24 * 3_600_000 - 1);
    assert_eq!(app.get(&newer).await.status, 200);
    app.pass_millis(1);
    assert_eq!(app.get(&newer).await.status, 404);
    let last = share("share").await.unwrap();
    assert!(share("unshare").await.is_none());
    assert_eq!(app.get(&last).await.status, 404);
    app.finish().await;
}

/// Case C67: a form is not refused for its length alone.
#[tokio::test(flavor = "multi_thread")]
async fn long_posts_are_saved_and_longer_ones_come_back() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let case = std::fs::read_to_string("tests/cases/C67.txt").unwrap();
    let id = written(&ana, "publish", &[("title", "Long"), ("body", &case)]).await;
    assert_eq!(stored(&app, &id).await.get_str("status").unwrap(), "published");
    let million = "字".repeat(340_000);
    written(&ana, "save", &[("title", "Longer"), ("body", &million)]).await;
    let over = "字".repeat(350_000);
    let answer = press(&ana, "/write", "save", &[("title", "T"), ("body", &over)]).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.html().text("#body"), over, "the text is not lost");
    let answer =
        press(&ana, "/write", "save", &[("title", "T"), ("body", &"x".repeat(20 << 20))]).await;
    assert_eq!(answer.status, 413);
    assert_eq!(answer.html().count("h1"), 1);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_the_editor_keeps_the_text() {
    let mut app = TestApp::start_with_own_engine().await;
    let ana = app.member("ana", Role::Author).await;
    let token = ana.token().await;
    app.stop_engine().await;
    let fields =
        [("title", "T"), ("body", "my words"), ("action", "save"), ("csrf", token.as_str())];
    let answer =
        tokio::time::timeout(Duration::from_secs(20), ana.post("/write", &fields)).await.unwrap();
    assert_eq!(answer.status, 503);
    // Who sends it cannot be looked up either, so the page that keeps every text shows it.
    assert!(answer.body.contains("my words"), "{}", answer.body);
    app.stop_server().await;
}

/// A draft's text for those who may not have it, and posts of others.
#[tokio::test(flavor = "multi_thread")]
async fn nobody_edits_what_is_out_of_reach() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let bob = app.member("bob", Role::Author).await;
    let rea = app.member("rea", Role::Reader).await;
    let ed = app.member("ed", Role::Editor).await;
    let adi = app.member("adi", Role::Admin).await;
    let id = written(&ana, "save", &[("title", "T"), ("body", "x")]).await;
    let mut cells = 0;
    for (browser, own, any) in
        [(&ana, 200, 200), (&ed, 200, 200), (&adi, 200, 200), (&bob, 200, 404), (&rea, 403, 404)]
    {
        for (path, wanted) in [
            ("/write".to_owned(), own),
            ("/drafts".to_owned(), own),
            (format!("/write/{id}"), any),
            (format!("/write/{id}/revisions"), any),
            (format!("/write/{id}/revisions/1"), any),
            ("/posts/t".to_owned(), any),
        ] {
            assert_eq!(browser.get(&path).await.status, wanted, "{path}");
            cells += 1;
        }
    }
    for browser in [&bob, &rea] {
        for (path, fields) in [
            (format!("/write/{id}"), vec![("action", "delete"), ("version", "1")]),
            (format!("/write/{id}"), vec![("action", "save"), ("version", "1"), ("body", "mine")]),
            (format!("/write/{id}/share"), vec![("action", "share")]),
            (format!("/write/{id}/revisions"), vec![("revision", "1"), ("version", "1")]),
        ] {
            assert_eq!(browser.submit(&path, &fields).await.status, 404, "{path}");
            cells += 1;
        }
    }
    // Visitors are asked to sign in, and told nothing.
    for path in ["/write", "/drafts", &format!("/write/{id}"), "/write/65f000000000000000000000"] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 303, "{path}");
        assert!(answer.header("location").starts_with("/signin?next="), "{path}");
        cells += 1;
    }
    println!("cells={cells} mismatches=0");
    assert_eq!(stored(&app, &id).await.get_i64("version").unwrap(), 1);
    app.finish().await;
}
