//! Bulk content: every count and copy against the documents themselves.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
    sync::{Arc, atomic::AtomicU64},
    time::Duration,
};

use futures_util::TryStreamExt;
use inkstone::{
    addresses, archive, categories,
    comments::{self, model::Comment},
    db::{Db, schema::Validation},
    domain::{
        comment_card::CommentCard,
        hot_score::hot_score,
        markdown::{Profile, render},
        month::Month,
        site_time::SiteZone,
    },
    posts::{
        self,
        model::{Post, PostBody, PostSource},
    },
    schema,
    seed::{bulk::Bulk, sample::Sample},
    tags, users,
};
use mongodb::{
    Collection,
    bson::{DateTime, Document, doc, oid::ObjectId},
};
use serde::de::DeserializeOwned;

use crate::support::{
    app::NOW,
    database::{documents, drop_database, engine_uri, new_database},
};

fn bulk() -> Bulk {
    let until = DateTime::from_millis(NOW);
    Bulk { seed: 1, posts: 300, comments: 1_500, authors: 20, until }
}

/// Not the zone of the texts, and far from UTC.
fn zone() -> SiteZone {
    SiteZone::parse("America/Los_Angeles").unwrap()
}

async fn fill(db: &Db, bulk: Bulk) {
    let bulk = bulk.begin(db).await.unwrap();
    bulk.fill(db, &zone(), &Arc::new(AtomicU64::new(0))).await.unwrap();
}

async fn empty_database() -> Db {
    let (db, _) = new_database(engine_uri()).await;
    schema::init(&db, Validation::Error).await.unwrap();
    db
}

#[tokio::test(flavor = "multi_thread")]
async fn everything_is_right_alone_and_beside_other_content() {
    let db = empty_database().await;
    fill(&db, bulk()).await;
    let books = Books::read(&db).await;
    assert_eq!((books.posts.len(), books.comments.len(), books.users.len()), (300, 1_500, 20));
    books.check();
    books.check_texts();
    // A few posts have very many comments, most have few; replies go deep.
    let mut counts: Vec<_> = books.posts.iter().map(|post| post.stats.comments).collect();
    counts.sort_by_key(|count| Reverse(*count));
    assert!((60..100).contains(&counts[0]) && counts[150] < 5, "{counts:?}");
    assert!(books.comments.iter().any(|comment| comment.depth >= 3));
    assert!(books.posts.iter().any(|post| post.hot_score > 0.0));
    for lang in ["zh-CN", "en"] {
        assert!(books.posts.iter().filter(|post| post.lang == lang).count() > 50);
    }

    Sample::load().unwrap().write(&db, &zone()).await.unwrap();
    Books::read(&db).await.check();
    fill(&db, Bulk { seed: 2, posts: 100, comments: 50, ..bulk() }).await;
    let books = Books::read(&db).await;
    assert!(books.posts.len() >= 460 && books.users.len() == 46);
    books.check();
    drop_database(&db).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_run_that_was_stopped_is_completed_and_a_complete_one_changes_nothing() {
    let unbroken = empty_database().await;
    fill(&unbroken, bulk()).await;
    let wanted = everything(&unbroken).await;
    // The time of the first run counts.
    fill(&unbroken, Bulk { until: DateTime::from_millis(NOW + 3_600_000), ..bulk() }).await;
    assert!(everything(&unbroken).await == wanted, "the second run changed something");

    let broken = empty_database().await;
    let begun = bulk().begin(&broken).await.unwrap();
    let mut handfuls = begun.handfuls().unwrap();
    let part = handfuls.next().unwrap().unwrap();
    let contents = posts::collection::contents(&broken);
    contents.insert_many(&part.bodies[..100]).await.unwrap();
    comments::collection::comments(&broken).insert_many(&part.comments[50..]).await.unwrap();
    posts::collection::posts(&broken).insert_many(&part.posts[20..40]).await.unwrap();
    fill(&broken, bulk()).await;
    assert!(everything(&broken).await == wanted, "the completed run differs");

    for db in [unbroken, broken] {
        drop_database(&db).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn another_size_of_the_same_seed_is_refused() {
    let db = empty_database().await;
    bulk().begin(&db).await.unwrap();
    let error = Bulk { posts: 301, ..bulk() }.begin(&db).await.unwrap_err().to_string();
    assert_eq!(
        error,
        "--seed 1 was begun with --posts 300 --comments 1500 --authors 20: run that again to \
         finish it, or choose another --seed"
    );
    drop_database(&db).await;
}

async fn everything(db: &Db) -> Vec<Document> {
    let mut all = Vec::new();
    for collection in schema::collections() {
        all.extend(documents(db, collection.name).await);
    }
    all
}

/// All documents, to be counted again.
struct Books {
    /// In the order of the list.
    posts: Vec<Post>,
    bodies: HashMap<ObjectId, PostBody>,
    sources: HashMap<ObjectId, PostSource>,
    /// Newest first.
    comments: Vec<Comment>,
    users: Vec<users::model::User>,
    tags: BTreeMap<String, i64>,
    months: BTreeMap<Month, i64>,
    categories: Vec<categories::model::Category>,
    addresses: HashMap<String, ObjectId>,
}

async fn all<T: DeserializeOwned + Send + Sync>(collection: Collection<T>) -> Vec<T> {
    collection.find(doc! {}).await.unwrap().try_collect().await.unwrap()
}

impl Books {
    async fn read(db: &Db) -> Self {
        let mut posts = all(posts::collection::posts(db)).await;
        posts.sort_by_key(|post| Reverse((post.published_at, post.id)));
        let mut comments = all(comments::collection::comments(db)).await;
        comments.sort_by_key(|comment| Reverse((comment.created_at, comment.id)));
        let bodies = all(posts::collection::contents(db)).await;
        let sources = all(posts::collection::sources(db)).await;
        let tags = all(tags::collection::tags(db)).await;
        let months = all(archive::collection::archive_months(db)).await;
        let addresses = all(addresses::collection::addresses(db)).await;
        Self {
            posts,
            bodies: bodies.into_iter().map(|body| (body.id, body)).collect(),
            sources: sources.into_iter().map(|source| (source.id, source)).collect(),
            comments,
            users: all(users::collection::users(db)).await,
            tags: tags.into_iter().map(|tag| (tag.id, tag.post_count)).collect(),
            months: months.into_iter().map(|entry| (entry.month, entry.post_count)).collect(),
            categories: all(categories::collection::categories(db)).await,
            addresses: addresses.into_iter().map(|a| (a.id, a.target)).collect(),
        }
    }

    fn check(&self) {
        self.check_posts();
        self.check_comments();
        self.check_totals();
    }

    fn check_posts(&self) {
        let mut by_post: HashMap<ObjectId, Vec<&Comment>> = HashMap::new();
        for comment in &self.comments {
            by_post.entry(comment.post_id).or_default().push(comment);
        }
        let id_at = |place: usize| self.posts.get(place).map(|post| post.id);
        for (place, post) in self.posts.iter().enumerate() {
            let body = &self.bodies[&post.id];
            assert_eq!(body.slug, post.slug);
            assert_eq!(body.prev, place.checked_sub(1).and_then(id_at), "{}", post.slug);
            assert_eq!(body.next, id_at(place + 1), "{}", post.slug);
            let mut thread = by_post.remove(&post.id).unwrap_or_default();
            assert_eq!(post.stats.comments, i64::try_from(thread.len()).unwrap());
            let embedded = |cards: &[CommentCard]| cards.iter().map(|c| c.id).collect::<Vec<_>>();
            let ids = |some: &[&Comment]| some.iter().map(|c| c.id).collect::<Vec<_>>();
            assert_eq!(embedded(&post.latest_comments), ids(&thread[..thread.len().min(5)]));
            thread.retain(|comment| comment.likes > 0);
            thread.sort_by_key(|comment| Reverse((comment.likes, comment.id)));
            assert_eq!(embedded(&post.top_comments), ids(&thread[..thread.len().min(3)]));
        }
        assert!(by_post.is_empty(), "comments without a post");
        assert_eq!((self.bodies.len(), self.sources.len()), (self.posts.len(), self.posts.len()));
    }

    fn check_comments(&self) {
        let by_id: HashMap<_, _> = self.comments.iter().map(|c| (c.id, c)).collect();
        let mut replies: HashMap<ObjectId, i64> = HashMap::new();
        for comment in &self.comments {
            let Some(parent_id) = comment.parent_id else {
                assert_eq!((comment.root_id, comment.depth), (comment.post_id, 0));
                continue;
            };
            *replies.entry(parent_id).or_default() += 1;
            let parent = by_id[&parent_id];
            assert_eq!(parent.post_id, comment.post_id);
            assert_eq!(comment.ancestors, [parent.ancestors.as_slice(), &[parent_id]].concat());
            assert_eq!(comment.root_id, comment.ancestors[0]);
        }
        for comment in &self.comments {
            assert_eq!(comment.reply_count, replies.remove(&comment.id).unwrap_or_default());
        }
    }

    fn check_totals(&self) {
        let mut tags: BTreeMap<String, i64> = BTreeMap::new();
        let mut months: BTreeMap<Month, i64> = BTreeMap::new();
        let mut addresses: HashMap<String, ObjectId> = HashMap::new();
        for post in &self.posts {
            for tag in &post.tags {
                *tags.entry(tag.clone()).or_default() += 1;
            }
            *months.entry(Month::of(post.published_at.unwrap(), &zone())).or_default() += 1;
            addresses.insert(format!("p/{}", post.slug), post.id);
        }
        assert_eq!(self.tags, tags);
        assert_eq!(self.months, months);
        for category in &self.categories {
            let is_here =
                |post: &&Post| post.category.as_ref().is_some_and(|c| c.id == category.id);
            let count = self.posts.iter().filter(is_here).count();
            assert_eq!(category.post_count, i64::try_from(count).unwrap(), "{}", category.slug);
            addresses.insert(format!("c/{}", category.slug), category.id);
        }
        for user in &self.users {
            let theirs: Vec<_> = self.posts.iter().filter(|p| p.author.id == user.id).collect();
            assert_eq!(user.stats.posts, i64::try_from(theirs.len()).unwrap());
            let likes: i64 = theirs.iter().map(|post| post.stats.likes).sum();
            assert_eq!(user.stats.likes_received, likes);
            assert!(theirs.iter().all(|post| post.published_at.unwrap() > user.created_at));
            addresses.insert(format!("u/{}", user.username_key), user.id);
        }
        assert_eq!(self.addresses, addresses);
    }

    /// What the renderer gives for the source, and the formula's score.
    fn check_texts(&self) {
        for post in self.posts.iter().step_by(5) {
            let body = &self.bodies[&post.id];
            let profile = Profile::Post { id: post.id.to_hex() };
            let rendered = render(&self.sources[&post.id].source, &profile).unwrap();
            assert_eq!((&body.html, &body.toc), (&rendered.html, &rendered.toc));
            assert!(!post.excerpt.is_empty() && !rendered.is_blank());
        }
        for comment in self.comments.iter().step_by(5) {
            let profile = Profile::Comment { id: comment.id.to_hex() };
            let rendered = render(&comment.source, &profile).unwrap();
            assert_eq!(comment.html, rendered.html);
            assert!(!rendered.is_blank());
            let post = self.posts.iter().find(|post| post.id == comment.post_id).unwrap();
            for card in post.latest_comments.iter().filter(|card| card.id == comment.id) {
                assert_eq!(*card, comment.card(&rendered));
            }
        }
        for post in &self.posts {
            let millis = NOW - post.published_at.unwrap().timestamp_millis();
            let age = Duration::from_millis(u64::try_from(millis).unwrap());
            let score = if age <= Duration::from_hours(168) {
                hot_score(post.stats.likes, post.stats.comments, post.stats.views, age)
            } else {
                0.0
            };
            assert!((post.hot_score - score).abs() < 1e-9, "{}", post.slug);
        }
    }
}
