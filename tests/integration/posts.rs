//! Lists and post pages.

use std::collections::HashSet;

use inkstone::posts::{collection, model::PostStatus};
use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use crate::support::{
    app::{NOW, TestApp},
    factories::{self, insert, post, published},
};

#[tokio::test(flavor = "multi_thread")]
async fn a_post_page_shows_the_whole_post() {
    let app = TestApp::start().await;
    let mut first = post("first");
    first.tags = vec!["排版".to_owned(), "c++".to_owned()];
    insert(&app.db, &[first]).await;
    let page = app.page("/posts/first").await;
    assert_eq!(page.text("h1"), "Title of first");
    assert_eq!(page.text(".prose"), "Body of first");
    assert_eq!(page.texts(".by bdi"), ["林墨"]);
    assert_eq!(page.attribute(".head time", "datetime"), "2026-05-12T08:30:00+08:00");
    assert_eq!(page.attributes("[rel=tag]", "href"), ["/tags/%E6%8E%92%E7%89%88", "/tags/c%2B%2B"]);
    assert_eq!(page.attribute("link[rel=canonical]", "href"), format!("{}/posts/first", app.url));
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn only_published_and_archived_posts_can_be_read() {
    let app = TestApp::start().await;
    let statuses = [
        (PostStatus::Draft, 404),
        (PostStatus::Scheduled, 404),
        (PostStatus::Published, 200),
        (PostStatus::Archived, 200),
        // It was public, so whoever has the link is told.
        (PostStatus::Deleted, 410),
    ];
    for (status, _) in statuses {
        let mut post = post(status.name());
        post.status = status;
        insert(&app.db, &[post]).await;
    }
    for (status, wanted) in statuses {
        let answer = app.get(&format!("/posts/{}", status.name())).await;
        assert_eq!(answer.status, wanted, "{}", status.name());
    }
    let archived = app.page("/posts/archived").await;
    assert_eq!(archived.attribute("meta[name=robots]", "content"), "noindex");
    assert_eq!(archived.count("form[action='/posts/archived/comments']"), 0);
    assert_eq!(app.page("/").await.texts(".card h2"), ["Title of published"]);
    app.finish().await;
}

/// Row R3.
#[tokio::test(flavor = "multi_thread")]
async fn a_post_without_its_body_shows_its_excerpt_and_a_note() {
    let app = TestApp::start().await;
    let post = published(&app.db, "torn").await;
    collection::contents(&app.db).delete_one(doc! { "_id": post.id }).await.unwrap();
    let answer = app.get("/posts/torn").await;
    assert_eq!(answer.status, 200);
    let page = answer.html();
    assert_eq!(page.text(".prose"), "Excerpt of torn");
    assert_eq!(page.count(".note.no"), 1);
    // Never kept by a cache.
    assert_eq!(answer.header("cache-control"), "private, no-store");
    app.finish().await;
}

/// Data model, rule 3: a rename between the two reads.
#[tokio::test(flavor = "multi_thread")]
async fn a_body_under_another_slug_is_found_by_id() {
    let app = TestApp::start().await;
    let post = published(&app.db, "renamed").await;
    collection::contents(&app.db)
        .update_one(doc! { "_id": post.id }, doc! { "$set": { "slug": "before" } })
        .await
        .unwrap();
    assert_eq!(app.page("/posts/renamed").await.text(".prose"), "Body of renamed");
    app.finish().await;
}

/// Row R3: the author's name stands in the post itself.
#[tokio::test(flavor = "multi_thread")]
async fn the_author_shows_although_users_cannot_be_read() {
    let app = TestApp::start().await;
    published(&app.db, "orphan").await;
    let none = app.db.collection::<Document>("users").count_documents(doc! {}).await.unwrap();
    assert_eq!(none, 0);
    let page = app.page("/posts/orphan").await;
    assert_eq!(page.texts(".who bdi"), ["林墨"]);
    app.finish().await;
}

/// Row R5, case C35: 35 posts of the same second, walked in both directions.
#[tokio::test(flavor = "multi_thread")]
async fn posts_of_one_second_appear_exactly_once() {
    let app = TestApp::start().await;
    let author = factories::author();
    let posts: Vec<_> = (0..35)
        .map(|n| {
            let mut post = post(&format!("p{n}"));
            post.tags = vec!["same".to_owned()];
            post
        })
        .collect();
    insert(&app.db, &posts).await;
    app.db
        .collection::<Document>("tags")
        .insert_one(doc! { "_id": "same", "display": "same", "postCount": 35_i64 })
        .await
        .unwrap();
    app.db
        .collection::<Document>("users")
        .insert_one(doc! {
            "_id": author.id, "username": "linmo", "usernameKey": "linmo", "name": "林墨",
            "bio": "", "city": "", "role": "author", "status": "active", "cardVersion": 1_i64,
            "stats": { "posts": 35_i64, "followers": 0_i64, "following": 0_i64, "likesReceived": 0_i64 },
            "createdAt": DateTime::from_millis(NOW),
        })
        .await
        .unwrap();
    for list in ["/", "/tags/same", "/@linmo"] {
        let first = app.page(list).await;
        assert_eq!(first.count(".card"), 20);
        assert_eq!(first.count("[rel=prev]"), 0);
        let second = app.page(&first.attribute(".pager [rel=next]", "href")).await;
        assert_eq!(second.count("[rel=next]"), 0);
        let mut titles = first.texts(".card h2");
        titles.extend(second.texts(".card h2"));
        assert_eq!(titles.len(), 35);
        assert_eq!(titles.iter().collect::<HashSet<_>>().len(), 35);
        // Back again ends on the first page, under its one address.
        let back = app.get(&second.attribute(".pager [rel=prev]", "href")).await;
        assert_eq!((back.status, back.header("location")), (302, list));
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_in_the_middle_lead_both_ways() {
    let app = TestApp::start().await;
    let posts: Vec<_> = (0..65_i64)
        .map(|n| {
            let mut post = post(&format!("p{n:02}"));
            post.published_at = Some(DateTime::from_millis(NOW - n * 1000));
            post
        })
        .collect();
    insert(&app.db, &posts).await;
    let first = app.page("/").await;
    let second = app.page(&first.attribute("[rel=next]", "href")).await;
    let third = app.page(&second.attribute("[rel=next]", "href")).await;
    let fourth = app.page(&third.attribute("[rel=next]", "href")).await;
    assert_eq!(fourth.texts(".card h2").len(), 5);
    let back = app.page(&fourth.attribute("[rel=prev]", "href")).await;
    assert_eq!(back.texts(".card h2"), third.texts(".card h2"));
    let back = app.page(&back.attribute("[rel=prev]", "href")).await;
    assert_eq!(back.texts(".card h2"), second.texts(".card h2"));
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn neighbours_and_related_posts_are_linked_if_they_are_published() {
    let app = TestApp::start().await;
    let (older, newer, hidden) = (post("older"), post("newer"), {
        let mut draft = post("hidden");
        draft.status = PostStatus::Draft;
        draft
    });
    let middle = published(&app.db, "middle").await;
    insert(&app.db, &[older.clone(), newer.clone(), hidden.clone()]).await;
    let ids: [ObjectId; 2] = [hidden.id, older.id];
    let change = doc! { "$set": { "prev": newer.id, "next": older.id, "related": &ids[..] } };
    collection::contents(&app.db).update_one(doc! { "_id": middle.id }, change).await.unwrap();
    let page = app.page("/posts/middle").await;
    assert_eq!(page.attribute(".pn [rel=prev]", "href"), "/posts/newer");
    assert_eq!(page.attribute(".pn [rel=next]", "href"), "/posts/older");
    assert_eq!(page.texts("[aria-labelledby=related] li"), ["Title of older"]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_site_says_so() {
    let app = TestApp::start().await;
    let page = app.page("/").await;
    assert_eq!(page.text(".empty p"), "还没有文章。");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_interface_speaks_english_when_it_is_told_to() {
    let app = TestApp::start_with(&[("INKSTONE_LANG", "en")]).await;
    published(&app.db, "one").await;
    let page = app.page("/posts/one").await;
    assert_eq!(page.attribute("html", "lang"), "en");
    assert_eq!(page.text(".head time"), "12 May 2026");
    app.finish().await;
}
