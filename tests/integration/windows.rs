//! Bounded windows: the same lists with and without them, and flat costs.

use std::time::{Duration, Instant};

use inkstone::{
    comments::{
        actions::build,
        forms::NewComment,
        model::{Comment, ShownComment},
        queries::{self as comments, ThreadOrder},
    },
    db::{Db, DbError, schema::Validation},
    domain::{
        category_card::CategoryCard,
        comment_card::Commenter,
        markdown::Rendered,
        paging::{Cursor, Page, Position, TimeRange},
    },
    posts::{
        cards::all_cards,
        collection,
        model::{Post, PostCard},
        queries::{PostList, list},
    },
    schema,
};
use mongodb::bson::{DateTime, oid::ObjectId};

use crate::support::{
    app::NOW,
    database::{engine_uri, new_database, start_engine},
    factories,
};

const DAY: i64 = 24 * 60 * 60 * 1000;

fn count(number: usize) -> i64 {
    i64::try_from(number).unwrap()
}

/// An id of a moment.
fn id_at(millis: i64, number: u32) -> ObjectId {
    let mut bytes = [7; 12];
    bytes[..4].copy_from_slice(&u32::try_from(millis / 1000).unwrap().to_be_bytes());
    bytes[8..].copy_from_slice(&number.to_be_bytes());
    ObjectId::from_bytes(bytes)
}

/// A post of that moment in one category, with one of two tags.
fn post_at(number: usize, millis: i64) -> Post {
    let mut post = factories::post(&format!("p{number}"));
    post.id = id_at(millis, u32::try_from(number).unwrap());
    post.published_at = Some(DateTime::from_millis(millis));
    post.category = Some(shelf());
    post.tags =
        vec!["all".to_owned(), if number.is_multiple_of(10) { "few" } else { "many" }.to_owned()];
    post
}

fn shelf() -> CategoryCard {
    CategoryCard { id: id_at(0, 1), slug: "shelf".to_owned(), name: "Shelf".to_owned() }
}

fn lists() -> Vec<PostList> {
    vec![
        PostList::All,
        PostList::Tag("all".to_owned()),
        PostList::Tag("few".to_owned()),
        PostList::Category(shelf().id),
        PostList::Author(factories::author().id),
        PostList::Between(month()),
        PostList::Tag("none".to_owned()),
    ]
}

/// The last thirty days.
fn month() -> TimeRange {
    let at = DateTime::from_millis;
    TimeRange { first: at(NOW - 30 * DAY), last: at(NOW) }
}

/// Every page from the first to the last, and back again.
async fn walk<T: Clone, C: Copy>(
    read: impl AsyncFn(Position<C>) -> Result<Page<T, C>, DbError>,
) -> Vec<Vec<T>> {
    let mut pages = Vec::new();
    let mut position = Position::First;
    loop {
        let page = read(position).await.unwrap();
        pages.push(page.items.clone());
        match page.following {
            Some(cursor) => position = Position::Following(cursor),
            None => break,
        }
    }
    loop {
        let page = read(position).await.unwrap();
        pages.push(page.items.clone());
        match page.preceding {
            Some(cursor) => position = Position::Preceding(cursor),
            None => return pages,
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_walk_with_windows_is_a_walk_without() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    // Ties, single posts years apart, crowded days, and a few yet to come.
    let mut times = vec![NOW; 45];
    times.extend((0..30).map(|n| NOW - n * 400 * DAY));
    times.extend((0..120).map(|n| NOW - 900 * DAY - n * 1000));
    times.extend((0..25).map(|_| 0));
    times.extend((1..4).map(|n| DateTime::now().timestamp_millis() + n * DAY));
    times.retain(|millis| *millis >= 0);
    let posts: Vec<Post> =
        times.iter().enumerate().map(|(number, millis)| post_at(number, *millis)).collect();
    collection::posts(&db).insert_many(&posts).await.unwrap();
    let without = db.without_windows();
    for of in lists() {
        let read = async |db: &Db| {
            walk(async |position: Position<Cursor>| list(db, &of, &position).await).await
        };
        let plain = read(&without).await;
        // Twice: the second time with what was learned the first time.
        assert_eq!(read(&db).await, plain, "{of:?}");
        assert_eq!(read(&db).await, plain, "{of:?}");
        let mut ids: Vec<_> = plain.iter().flatten().map(|card: &PostCard| card.id).collect();
        ids.sort_unstable();
        ids.dedup();
        let wanted = match &of {
            PostList::Tag(tag) => posts.iter().filter(|post| post.tags.contains(tag)).count(),
            PostList::Between(range) => posts
                .iter()
                .filter(|post| post.published_at.unwrap() >= range.first)
                .filter(|post| post.published_at.unwrap() <= range.last)
                .count(),
            _ => posts.len(),
        };
        assert_eq!(ids.len(), wanted, "{of:?}");
    }
    db.database().drop().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn comments_are_the_same_with_and_without_windows() {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let post = id_at(NOW - 2000 * DAY, 0);
    let mut all: Vec<Comment> = Vec::new();
    for n in 0..90_u32 {
        // Two busy hours years apart, every third a reply to the very first.
        let at = NOW - if n < 45 { 1500 * DAY } else { 0 } + i64::from(n) * 60_000;
        let parent = (n > 0 && n % 3 == 0).then(|| all[0].id);
        all.push(comment(id_at(at, n), post, parent, at));
    }
    inkstone::comments::collection::comments(&db).insert_many(&all).await.unwrap();
    let without = db.without_windows();
    for order in [ThreadOrder::NewestFirst, ThreadOrder::OldestFirst] {
        let read = async |db: &Db| {
            walk(async |position| comments::threads(db, post, order, &position).await).await
        };
        assert_eq!(read(&db).await, read(&without).await, "{order:?}");
        assert_eq!(read(&db).await, read(&without).await, "{order:?}");
    }
    let read = async |db: &Db| {
        walk(async |position| comments::below(db, post, all[0].id, &position).await).await
    };
    assert_eq!(read(&db).await, read(&without).await);
    // One page, read once forwards and once backwards.
    assert_eq!(read(&db).await.iter().map(Vec::len).collect::<Vec<_>>(), [29, 29]);
    let first: Vec<ShownComment> = comments::first_replies(&db, post, all[0].id).await.unwrap();
    assert_eq!(first, comments::first_replies(&without, post, all[0].id).await.unwrap());
    db.database().drop().await.unwrap();
}

fn comment(id: ObjectId, post: ObjectId, parent: Option<ObjectId>, at: i64) -> Comment {
    let new = NewComment {
        author: Commenter::Guest { name: "A".to_owned(), website: None },
        email: None,
        body: "text".to_owned(),
        rendered: Rendered::default(),
    };
    let parent = parent.map(|parent| (parent, &[][..]));
    build(id, post, parent, new, DateTime::from_millis(at)).0
}

/// Ten times the posts do not make a list slower. Without windows the engine
/// reads whole lists, so each would take ten times as long.
#[tokio::test(flavor = "multi_thread")]
async fn lists_cost_the_same_at_100_000_posts_as_at_10_000() {
    let engine = start_engine("engine-growth");
    let (db, _) = new_database(engine.uri.clone()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    let hot = id_at(NOW - 3000 * DAY, 0);
    let mut table = Vec::new();
    let mut made = 0;
    for size in [10_000, 100_000] {
        while made < size {
            let posts: Vec<Post> =
                (made..made + 1000).map(|n| post_at(n, NOW - 300_000 * count(n))).collect();
            collection::posts(&db).insert_many(&posts).ordered(false).await.unwrap();
            // A fifth as many comments, all on one post.
            let comments: Vec<Comment> = (made / 5..made / 5 + 200)
                .map(|n| {
                    let at = NOW - 600_000 * count(n);
                    comment(id_at(at, u32::try_from(n).unwrap()), hot, None, at)
                })
                .collect();
            let stored = inkstone::comments::collection::comments(&db);
            stored.insert_many(&comments).ordered(false).await.unwrap();
            made += 1000;
        }
        table.push(times(&db, hot, size).await);
    }
    println!("{:<40} {:>10} {:>10} {:>7}", "list", "10,000", "100,000", "growth");
    let mut flat = true;
    for ((name, small), (_, large)) in table[0].iter().zip(&table[1]) {
        let growth = large.as_secs_f64() / small.as_secs_f64();
        println!("{name:<40} {small:>10.2?} {large:>10.2?} {growth:>6.1}x");
        // Timing on a busy machine is rough; a list read whole grows tenfold.
        flat &= growth < 4.0;
    }
    db.database().drop().await.unwrap();
    drop(engine);
    assert!(flat, "a list grew with the number of posts");
}

/// The best of some runs of each list: its first page and one in the middle.
async fn times(db: &Db, hot: ObjectId, size: usize) -> Vec<(String, Duration)> {
    let cursor = |number: usize| {
        let at = NOW - 300_000 * count(number);
        Position::Following(Cursor { at: DateTime::from_millis(at), id: id_at(at, 0) })
    };
    let names = ["home", "tag of all", "tag of a tenth", "category", "author", "month"];
    let mut table = Vec::new();
    for (of, name) in lists().iter().zip(names) {
        let deep = match name {
            // The middle of a tag's list costs by its depth: see db/window.rs.
            "tag of all" | "tag of a tenth" => 400,
            // A post every five minutes: the middle of a month.
            "month" => 4_000,
            _ => size / 2,
        };
        for (place, position) in [("first", Position::First), ("deep", cursor(deep))] {
            let time = best(async || {
                assert_eq!(list(db, of, &position).await.unwrap().items.len(), 20);
            });
            table.push((format!("{name}, {place}"), time.await));
        }
    }
    let at = NOW - 600_000 * count(size / 10);
    for (name, order, position) in [
        ("comments newest", ThreadOrder::NewestFirst, Position::First),
        ("comments middle", ThreadOrder::NewestFirst, Position::Following(id_at(at, 0))),
    ] {
        let time = best(async || {
            let page = comments::threads(db, hot, order, &position).await.unwrap();
            assert_eq!(page.items.len(), 20);
        });
        table.push((name.to_owned(), time.await));
    }
    // The full check of copies walks through everything.
    let time = best(async || {
        let page = all_cards(db, &Position::First).await.unwrap();
        assert_eq!(page.items.len(), 200);
    });
    table.push(("all posts, first".to_owned(), time.await));
    let time = best(async || {
        let page = comments::all_authors(db, &Position::First).await.unwrap();
        assert_eq!(page.items.len(), 200);
    });
    table.push(("all comments, first".to_owned(), time.await));
    table
}

async fn best(run: impl AsyncFn()) -> Duration {
    let mut best = Duration::MAX;
    for _ in 0..12 {
        let start = Instant::now();
        run().await;
        best = best.min(start.elapsed());
    }
    best
}
