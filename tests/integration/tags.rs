//! All tags, the cloud, and the list of categories.

use std::time::Instant;

use inkstone::{
    categories::{self, model::Category},
    tags::{collection, model::Tag, queries},
};
use mongodb::bson::oid::ObjectId;

use crate::support::{app::TestApp, factories::published};

fn tag(id: &str, post_count: i64) -> Tag {
    Tag { id: id.to_owned(), display: id.to_owned(), post_count }
}

#[tokio::test(flavor = "multi_thread")]
async fn all_tags_stand_by_count_then_name_each_once() {
    let app = TestApp::start().await;
    assert_eq!(app.page("/tags").await.count(".empty"), 1);
    // Many of the same count, so that pages end within a tie.
    let mut tags: Vec<Tag> = (0..450).map(|n| tag(&format!("t-{n:03}"), 1 + n % 3)).collect();
    tags.push(tag("c++ & 排版", 3));
    tags.push(tag("gone", 0));
    collection::tags(&app.db).insert_many(&tags).await.unwrap();
    let first = app.page("/tags").await;
    assert_eq!(first.count(".cloud li"), 200);
    let second = app.page(&first.attribute(".pager [rel=next]", "href")).await;
    let third = app.page(&second.attribute(".pager [rel=next]", "href")).await;
    assert_eq!(third.count(".pager [rel=next]"), 0);
    let seen = [&first, &second, &third].map(|page| page.texts(".cloud a")).concat();
    tags.retain(|tag| tag.post_count > 0);
    tags.sort_by_key(|tag| (-tag.post_count, tag.id.clone()));
    let wanted: Vec<_> = tags.iter().map(|tag| tag.display.clone()).collect();
    assert_eq!(seen, wanted);
    let back = app.page(&third.attribute(".pager [rel=prev]", "href")).await;
    assert_eq!(back.texts(".cloud a"), second.texts(".cloud a"));
    let back = app.get(&second.attribute(".pager [rel=prev]", "href")).await;
    assert_eq!((back.status, back.header("location")), (302, "/tags"));
    for path in ["/tags?after=x", "/tags?after=0-a", "/tags?after=1-zzz", "/tags?before=-1-a"] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    app.finish().await;
}

/// A cursor within a tie, on a name that holds what addresses must not.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_may_end_on_any_name() {
    let app = TestApp::start().await;
    let mut tags: Vec<Tag> = (0..199).map(|n| tag(&format!("a{n:03}"), 5)).collect();
    tags.extend([tag("b&?#/%-排版", 5), tag("c", 5)]);
    collection::tags(&app.db).insert_many(&tags).await.unwrap();
    let first = app.page("/tags").await;
    assert_eq!(first.texts(".cloud a").last().unwrap(), "b&?#/%-排版");
    let second = app.page(&first.attribute("[rel=next]", "href")).await;
    assert_eq!(second.texts(".cloud a"), ["c"]);
    app.finish().await;
}

/// Row R7: the cloud is read, not counted.
#[tokio::test(flavor = "multi_thread")]
async fn the_cloud_is_one_read_and_never_a_group() {
    let app = TestApp::start().await;
    let tags: Vec<Tag> = (1..=12).map(|n| tag(&format!("t{n:02}"), n)).collect();
    collection::tags(&app.db).insert_many(&tags).await.unwrap();
    published(&app.db, "one").await;
    for (path, wanted) in [("/", 2), ("/tags", 2)] {
        app.page(path).await;
        app.log.clear();
        app.page(path).await;
        let commands = app.log.commands();
        assert_eq!(commands.len(), wanted, "{commands:?}");
        assert!(commands.iter().all(|command| command.name == "find"), "{commands:?}");
    }
    let home = app.page("/").await;
    assert_eq!(home.count(".cloud small"), 10);
    assert_eq!(home.texts(".cloud a")[0], "t12");
    assert_eq!(home.attribute(".cloud .flat", "href"), "/tags");
    app.finish().await;
}

/// Row R7; the time is printed for whoever wants the figure.
#[tokio::test(flavor = "multi_thread")]
async fn the_cloud_of_twenty_thousand_tags_holds_the_ten_largest() {
    let app = TestApp::start().await;
    let tags: Vec<Tag> = (1..=20_000).map(|n| tag(&format!("t{n}"), 1 + n / 3)).collect();
    collection::tags(&app.db).insert_many(&tags).await.unwrap();
    let mut times = Vec::new();
    for _ in 0..200 {
        let start = Instant::now();
        let cloud = queries::cloud(&app.db).await.unwrap();
        times.push(start.elapsed());
        assert_eq!(cloud.len(), 10);
        assert_eq!((cloud[0].id.as_str(), cloud[0].post_count), ("t19998", 6667));
    }
    times.sort();
    println!("tag cloud, 20,000 tags: median {:?}, p95 {:?}", times[100], times[190]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn categories_stand_in_their_order_with_what_they_hold() {
    let app = TestApp::start().await;
    assert_eq!(app.page("/categories").await.count(".empty"), 1);
    let category = |slug: &str, order, post_count| Category {
        id: ObjectId::new(),
        slug: slug.to_owned(),
        name: format!("Name of {slug}"),
        description: format!("About {slug}."),
        parent_id: None,
        order,
        post_count,
    };
    categories::collection::categories(&app.db)
        .insert_many([category("b", 2, 0), category("c", 3, 1), category("a", 1, 7)])
        .await
        .unwrap();
    let page = app.page("/categories").await;
    assert_eq!(page.texts(".card h2"), ["Name of a", "Name of b", "Name of c"]);
    assert_eq!(page.texts(".card .cut")[0], "About a.");
    assert_eq!(page.texts(".card .meta"), ["7 篇文章", "0 篇文章", "1 篇文章"]);
    assert_eq!(page.attributes(".card a", "href")[0], "/categories/a");
    assert_eq!(page.attribute(".bar [aria-current=page]", "href"), "/categories");
    let one = app.page("/categories/a").await;
    assert_eq!(one.attribute(".head a", "href"), "/categories");
    assert_eq!(one.attribute(".bar [aria-current=true]", "href"), "/categories");
    app.finish().await;
}
