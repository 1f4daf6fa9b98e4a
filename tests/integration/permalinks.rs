//! Row K4: an address that was given once leads to its post for good.

use std::collections::BTreeSet;

use futures_util::future::join_all;
use inkstone::domain::permission::Role;
use mongodb::bson::oid::ObjectId;

use crate::support::{
    app::TestApp,
    browser::Browser,
    database::{documents, one},
    writing::{again, press, stored, written},
};

async fn slug_of(app: &TestApp, id: &str) -> String {
    stored(app, id).await.get_str("slug").unwrap().to_owned()
}

async fn rename(app: &TestApp, browser: &Browser, id: &str, slug: &str) {
    let title = stored(app, id).await.get_str("title").unwrap().to_owned();
    let fields = [("title", title.as_str()), ("body", "x"), ("slug", slug)];
    let answer = again(app, browser, id, "save", &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
}

/// Follows one redirect, and no second.
async fn lands(app: &TestApp, path: &str) -> String {
    let answer = app.get(path).await;
    assert_eq!(answer.status, 301, "{path}");
    let location = answer.header("location").to_owned();
    assert!(location.is_ascii(), "{location}");
    assert_eq!(app.get(&location).await.status, 200, "{path} -> {location}");
    location
}

fn lines_of_case(name: &str) -> Vec<String> {
    let text = std::fs::read_to_string(format!("tests/cases/{name}.txt")).unwrap();
    text.lines()
        .filter(|line| !line.starts_with("# ") && !line.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Case C02, written all at once.
#[tokio::test(flavor = "multi_thread")]
async fn titles_that_sound_alike_get_addresses_of_their_own() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let titles: Vec<String> = lines_of_case("C02").iter().cycle().take(20).cloned().collect();
    assert!(titles.len() == 20);
    let ids =
        join_all(titles.iter().map(async |title| {
            written(&ana, "publish", &[("title", title), ("body", title)]).await
        }))
        .await;
    let mut slugs = BTreeSet::new();
    for (id, title) in ids.iter().zip(&titles) {
        let slug = slug_of(&app, id).await;
        assert_eq!(app.page(&format!("/posts/{slug}")).await.text("h1"), *title);
        slugs.insert(slug);
    }
    assert_eq!(slugs.len(), 20);
    let wanted: BTreeSet<_> = std::iter::once("shi-shi".to_owned())
        .chain((2..=20).map(|n| format!("shi-shi-{n}")))
        .collect();
    assert_eq!(slugs, wanted);
    // One deleted, the others stay; its address is given to nobody else.
    let gone = slug_of(&app, &ids[0]).await;
    assert_eq!(again(&app, &ana, &ids[0], "delete", &[]).await.status, 303);
    let next = written(&ana, "publish", &[("title", &titles[0]), ("body", "x")]).await;
    assert_eq!(slug_of(&app, &next).await, "shi-shi-21");
    assert_eq!(app.get(&format!("/posts/{gone}")).await.status, 410);
    for id in &ids[1..] {
        let slug = slug_of(&app, id).await;
        assert_eq!(app.get(&format!("/posts/{slug}")).await.status, 200);
    }
    app.finish().await;
}

/// Case C03: each post opens by the link that the list shows.
#[tokio::test(flavor = "multi_thread")]
async fn no_title_hides_a_page_or_is_hidden_by_one() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let titles = lines_of_case("C03");
    assert!(titles.len() > 30, "{titles:?}");
    for title in &titles {
        let id =
            written(&ana, "publish", &[("title", title), ("body", "x"), ("tags", title)]).await;
        let slug = slug_of(&app, &id).await;
        app.pass_millis(1000);
        let home = app.page("/").await;
        let link = home.attributes(".card h2 a", "href")[0].clone();
        assert_eq!(link, format!("/posts/{slug}"), "{title}");
        assert_eq!(app.page(&link).await.text("h1"), *title);
        for tag in home.attributes(".card .meta a[rel=tag]", "href") {
            assert_eq!(app.get(&tag).await.status, 200, "{title}: {tag}");
        }
    }
    for path in ["/", "/tags", "/categories", "/archive", "/signin", "/healthz"] {
        assert_eq!(app.get(path).await.status, 200, "{path}");
    }
    app.finish().await;
}

/// Case C05, as row K4 decides it.
#[tokio::test(flavor = "multi_thread")]
async fn renamed_and_renamed_back() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let first =
        written(&ana, "publish", &[("title", "A post"), ("body", "x"), ("slug", "a")]).await;
    for slug in ["b", "c", "a"] {
        rename(&app, &ana, &first, slug).await;
    }
    assert_eq!(app.get("/posts/a").await.status, 200);
    for old in ["b", "c"] {
        assert_eq!(lands(&app, &format!("/posts/{old}")).await, "/posts/a");
        assert_eq!(
            lands(&app, &format!("/posts/{old}?x=%E4%B8%AD&y")).await,
            "/posts/a?x=%E4%B8%AD&y"
        );
        assert_eq!(lands(&app, &format!("/posts/{old}/comments")).await, "/posts/a/comments");
    }
    // The address of one is never another's.
    let second =
        written(&ana, "publish", &[("title", "B post"), ("body", "y"), ("slug", "b")]).await;
    assert_eq!(slug_of(&app, &second).await, "b-2");
    again(&app, &ana, &second, "delete", &[]).await;
    assert_eq!(app.get("/posts/b-2").await.status, 410);
    assert_eq!(lands(&app, "/posts/b").await, "/posts/a");
    // A draft that is renamed gives its address back and leaves no redirect.
    let draft = written(&ana, "save", &[("title", "D"), ("body", "z"), ("slug", "d")]).await;
    rename(&app, &ana, &draft, "e").await;
    assert_eq!(app.get("/posts/d").await.status, 404);
    let heir = written(&ana, "publish", &[("title", "Heir"), ("body", "z"), ("slug", "d")]).await;
    assert_eq!(slug_of(&app, &heir).await, "d");
    // A redirect tells nothing of a post that is not public.
    again(&app, &ana, &first, "unpublish", &[]).await;
    for path in ["/posts/a", "/posts/b", "/posts/c"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    assert_eq!(ana.get("/posts/b").await.status, 301, "its author still finds it");
    app.finish().await;
}

/// Every address ever given still leads to its post, in one step.
#[tokio::test(flavor = "multi_thread")]
async fn after_many_renames_every_address_still_leads_to_its_post() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let mut ids = Vec::new();
    for n in 0..3 {
        let title = format!("Post {n}");
        ids.push(written(&ana, "publish", &[("title", &title), ("body", &title)]).await);
    }
    // A fixed sequence that meets: names come round and are wanted by several.
    let mut given: Vec<BTreeSet<String>> = vec![BTreeSet::new(); 3];
    let mut state = 12_345_u32;
    for _ in 0..60 {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let (who, name) = ((state >> 16) as usize % 3, (state >> 20) % 7);
        rename(&app, &ana, &ids[who], &format!("name-{name}")).await;
        given[who].insert(slug_of(&app, &ids[who]).await);
    }
    for (n, id) in ids.iter().enumerate() {
        let current = slug_of(&app, id).await;
        for slug in &given[n] {
            let path = format!("/posts/{slug}");
            if *slug == current {
                assert_eq!(app.page(&path).await.text("h1"), format!("Post {n}"));
            } else {
                assert_eq!(lands(&app, &path).await, format!("/posts/{current}"));
            }
        }
    }
    let all: usize = given.iter().map(BTreeSet::len).sum();
    let distinct: BTreeSet<_> = given.iter().flatten().collect();
    assert_eq!(all, distinct.len(), "an address belongs to one post");
    println!("addresses={all} renames=60");
    app.finish().await;
}

/// The posts beside a post follow when others come, go and move.
#[tokio::test(flavor = "multi_thread")]
async fn neighbours_follow_the_list() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let mut ids = Vec::new();
    for n in 0..4 {
        app.pass_millis(60_000);
        let title = format!("P{n}");
        ids.push(written(&ana, "publish", &[("title", &title), ("body", "x")]).await);
    }
    let beside = async |id: &String| {
        let body = one(&app.db, "post_contents", ObjectId::parse_str(id).unwrap()).await;
        ["prev", "next"].map(|field| body.get_object_id(field).ok().map(ObjectId::to_hex))
    };
    let id = |n: usize| Some(ids[n].clone());
    assert_eq!(beside(&ids[0]).await, [id(1), None]);
    assert_eq!(beside(&ids[2]).await, [id(3), id(1)]);
    again(&app, &ana, &ids[1], "unpublish", &[]).await;
    assert_eq!(beside(&ids[0]).await, [id(2), None]);
    assert_eq!(beside(&ids[2]).await, [id(3), id(0)]);
    // Published anew with an earlier time, it stands at the end.
    let fields = [("title", "P1"), ("body", "x"), ("publish_at", "2020-01-01T00:00")];
    assert_eq!(again(&app, &ana, &ids[1], "publish", &fields).await.status, 303);
    assert_eq!(beside(&ids[1]).await, [id(0), None]);
    assert_eq!(beside(&ids[0]).await, [id(2), id(1)]);
    app.finish().await;
}

/// A slug that was only a draft's leaves no row behind.
#[tokio::test(flavor = "multi_thread")]
async fn only_public_addresses_are_kept() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let id = written(&ana, "save", &[("title", "One"), ("body", "x")]).await;
    for title in ["Two", "Three"] {
        again(&app, &ana, &id, "save", &[("title", title), ("body", "x")]).await;
    }
    let rows = async || {
        let rows = documents(&app.db, "addresses").await;
        rows.iter()
            .map(|row| row.get_str("_id").unwrap().to_owned())
            .filter(|id| id.starts_with("p/"))
            .collect::<Vec<_>>()
    };
    assert_eq!(rows().await, ["p/three"], "a draft's slug follows its title");
    assert_eq!(
        press(
            &ana,
            &format!("/write/{id}"),
            "publish",
            &[("title", "Three"), ("body", "x"), ("version", "3")]
        )
        .await
        .status,
        303
    );
    again(&app, &ana, &id, "save", &[("title", "Four"), ("body", "x")]).await;
    assert_eq!(rows().await, ["p/three"], "a public one does not");
    app.finish().await;
}
