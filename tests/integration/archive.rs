//! The archive and the posts of a month.

use std::collections::HashSet;

use inkstone::{
    archive::{collection, model::ArchiveMonth},
    db::Db,
    domain::month::Month,
    posts::model::{Post, PostStatus},
};
use mongodb::bson::DateTime;

use crate::support::{
    app::TestApp,
    factories::{insert, post},
};

fn month(id: &str) -> Month {
    Month::from_id(id).unwrap()
}

async fn count(db: &Db, counts: &[(&str, i64)]) {
    let months: Vec<_> = counts
        .iter()
        .map(|(id, post_count)| ArchiveMonth { month: month(id), post_count: *post_count })
        .collect();
    collection::archive_months(db).insert_many(&months).await.unwrap();
}

/// A post published at a moment written as `2026-05-01T00:00:00+08:00`.
fn post_at(slug: &str, moment: &str) -> Post {
    let mut post = post(slug);
    post.published_at = Some(DateTime::parse_rfc3339_str(moment).unwrap());
    post
}

#[tokio::test(flavor = "multi_thread")]
async fn the_archive_lists_months_by_year_newest_first() {
    let app = TestApp::start().await;
    assert_eq!(app.page("/archive").await.count(".empty"), 1);
    count(&app.db, &[("2024-12", 1), ("2026-01", 2), ("2026-11", 1234), ("2025-03", 0)]).await;
    app.log.clear();
    let page = app.page("/archive").await;
    assert_eq!(app.log.commands().len(), 1);
    assert_eq!(page.texts("section h2"), ["2026 年", "2024 年", "按年"]);
    assert_eq!(page.texts(".gap li"), ["11 月1,234 篇文章", "1 月2 篇文章", "12 月1 篇文章"]);
    assert_eq!(
        page.attributes(".gap li a", "href"),
        ["/archive/2026/11", "/archive/2026/01", "/archive/2024/12"]
    );
    assert_eq!(page.texts(".head .meta span"), ["1,237 篇文章", "2024 年至今"]);
    assert_eq!(page.attributes(".side a", "href"), ["/archive#y2026", "/archive#y2024"]);
    assert_eq!(page.attribute("link[rel=canonical]", "href"), format!("{}/archive", app.url));
    assert_eq!(page.attribute(".bar [aria-current]", "href"), "/archive");
    app.finish().await;
}

/// The site is in Shanghai: a month begins eight hours before it does in
/// Greenwich.
#[tokio::test(flavor = "multi_thread")]
async fn a_month_holds_its_posts_in_site_time() {
    let app = TestApp::start().await;
    let mut draft = post_at("draft", "2026-05-10T00:00:00+08:00");
    draft.status = PostStatus::Draft;
    insert(
        &app.db,
        &[
            post_at("april", "2026-04-30T23:59:59.999+08:00"),
            post_at("first", "2026-05-01T00:00:00+08:00"),
            draft,
            post_at("last", "2026-05-31T23:59:59.999+08:00"),
            post_at("june", "2026-06-01T00:00:00+08:00"),
        ],
    )
    .await;
    count(&app.db, &[("2026-04", 1), ("2026-05", 2), ("2026-06", 1), ("2025-01", 9)]).await;
    let page = app.page("/archive/2026/05").await;
    assert_eq!(page.texts(".card h2"), ["Title of last", "Title of first"]);
    assert_eq!(page.text("h1"), "2026 年 5 月");
    assert_eq!(page.text("title"), "2026 年 5 月 · 归档 · Inkstone");
    assert_eq!(page.texts(".head span"), ["2 篇文章"]);
    assert_eq!(page.attributes(".pager a", "href"), ["/archive/2026/06", "/archive/2026/04"]);
    assert_eq!(page.texts(".side li a"), ["6 月", "5 月", "4 月"]);
    assert_eq!(page.attribute(".side [aria-current=page]", "href"), "/archive/2026/05");
    assert_eq!(page.attribute(".bar [aria-current=true]", "href"), "/archive");
    let canonical = page.attribute("link[rel=canonical]", "href");
    assert_eq!(canonical, format!("{}/archive/2026/05", app.url));
    // Across years.
    let april = app.page("/archive/2026/04").await;
    assert_eq!(april.texts(".pager a"), ["← 2026 年 5 月", "2025 年 1 月 →"]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_month_or_holds_no_post_is_404() {
    let app = TestApp::start().await;
    insert(&app.db, &[post_at("one", "2024-01-15T00:00:00+08:00")]).await;
    // A count that is wrong makes no page.
    count(&app.db, &[("2024-01", 1), ("2024-02", 3)]).await;
    for path in [
        "/archive/2024/02",
        "/archive/2024/13",
        "/archive/2024/00",
        "/archive/2024/1",
        "/archive/0000/01",
        "/archive/%EF%BC%92%EF%BC%90%EF%BC%92%EF%BC%94/01",
        "/archive/-024/01",
        "/archive/2024",
        "/archive/2024/01/05",
        "/archive/9999/12",
        "/archive/0001/01",
        "/archive/2024/01?before=x",
        "/archive/2024/01?before=1-070707070707070707070707",
    ] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    assert_eq!(app.get("/archive/2024/01").await.status, 200);
    app.finish().await;
}

/// Equal times, and neighbours in the months around: every post once, and none
/// from outside.
#[tokio::test(flavor = "multi_thread")]
async fn a_walk_through_a_month_meets_every_post_once() {
    let app = TestApp::start().await;
    let mut posts = Vec::new();
    for n in 0..45 {
        posts.push(post_at(&format!("p{n:02}"), &format!("2026-05-{:02}T12:00:00Z", 1 + n / 3)));
        posts.push(post_at(&format!("a{n:02}"), "2026-04-30T12:00:00Z"));
        posts.push(post_at(&format!("j{n:02}"), "2026-06-01T12:00:00Z"));
    }
    insert(&app.db, &posts).await;
    let first = app.page("/archive/2026/05").await;
    let second = app.page(&first.attribute(".pager [rel=next]", "href")).await;
    let third = app.page(&second.attribute(".pager [rel=next]", "href")).await;
    assert_eq!(third.count(".pager [rel=next]"), 0);
    let titles = [&first, &second, &third].map(|page| page.texts(".card h2")).concat();
    assert_eq!(titles.len(), 45);
    assert!(titles.iter().all(|title| title.starts_with("Title of p")), "{titles:?}");
    assert_eq!(titles.iter().collect::<HashSet<_>>().len(), 45);
    let back = app.page(&third.attribute(".pager [rel=prev]", "href")).await;
    assert_eq!(back.texts(".card h2"), second.texts(".card h2"));
    let back = app.get(&second.attribute(".pager [rel=prev]", "href")).await;
    assert_eq!((back.status, back.header("location")), (302, "/archive/2026/05"));
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_archive_speaks_english() {
    let app = TestApp::start_with(&[("INKSTONE_LANG", "en"), ("INKSTONE_TIME_ZONE", "UTC")]).await;
    insert(&app.db, &[post_at("one", "2026-04-30T23:59:59+00:00")]).await;
    count(&app.db, &[("2026-04", 1)]).await;
    let archive = app.page("/archive").await;
    assert_eq!(archive.texts(".gap section"), ["2026April1 post"]);
    assert_eq!(app.page("/archive/2026/04").await.text("h1"), "April 2026");
    app.finish().await;
}
