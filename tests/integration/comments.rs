//! Comments by form post: all or nothing, once, and visible at once.

use std::collections::HashSet;

use inkstone::{
    comments::{collection, model::Comment},
    posts::{
        collection as posts_collection,
        model::{Post, PostStatus},
    },
};
use mongodb::bson::{Document, doc, oid::ObjectId};

use crate::support::{
    app::{Answer, TestApp},
    database::documents,
    factories::{insert, post, published},
};

async fn stored_post(app: &TestApp, slug: &str) -> Post {
    posts_collection::posts(&app.db).find_one(doc! { "slug": slug }).await.unwrap().unwrap()
}

async fn stored_comments(app: &TestApp) -> Vec<Comment> {
    use futures_util::TryStreamExt;
    let cursor = collection::comments(&app.db).find(doc! {}).sort(doc! { "_id": 1 }).await.unwrap();
    cursor.try_collect().await.unwrap()
}

fn id_in(answer: &Answer) -> String {
    assert_eq!(answer.status, 303, "{}", answer.body);
    answer.header("location").rsplit_once("#c-").unwrap().1.to_owned()
}

/// What a write must leave behind, worked out from the comments themselves.
async fn assert_counts_and_copies_are_right(app: &TestApp, slug: &str) {
    let post = stored_post(app, slug).await;
    let comments = stored_comments(app).await;
    let mut shown: Vec<_> = comments.iter().filter(|c| c.post_id == post.id && c.shown).collect();
    assert_eq!(post.stats.comments, i64::try_from(shown.len()).unwrap());
    shown.sort_by_key(|comment| std::cmp::Reverse((comment.created_at, comment.id)));
    let newest: Vec<_> = shown.iter().take(5).map(|comment| comment.id).collect();
    let embedded: Vec<_> = post.latest_comments.iter().map(|card| card.id).collect();
    assert_eq!(embedded, newest);
    for comment in &shown {
        let replies = shown.iter().filter(|c| c.parent_id == Some(comment.id)).count();
        assert_eq!(comment.reply_count, i64::try_from(replies).unwrap());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_comments_and_sees_it_at_once() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let fields = [
        ("name", "路过的读者"),
        ("email", "reader@example.org"),
        ("website", "example.org"),
        ("body", "写得**真**好。"),
    ];
    let answer = app.post("/posts/one/comments", &fields).await;
    let id = id_in(&answer);
    assert_eq!(answer.header("location"), format!("/posts/one/comments/{id}#c-{id}"));
    let path = answer.header("location").split('#').next().unwrap().to_owned();
    let thread = app.page(&path).await;
    assert_eq!(thread.text(&format!("#c-{id} .prose")), "写得真好。");
    assert_eq!(thread.attribute(&format!("#c-{id} .by a[rel]"), "href"), "https://example.org/");
    for path in ["/posts/one", "/posts/one/comments"] {
        let page = app.page(path).await;
        assert_eq!(page.text(&format!("#c-{id} .by bdi")), "路过的读者", "{path}");
    }
    let stored = stored_comments(&app).await;
    assert_eq!(stored.len(), 1);
    assert_eq!(stored[0].guest_email.as_deref(), Some("reader@example.org"));
    assert_eq!(stored[0].source, "写得**真**好。");
    // No page ever names the address.
    for path in ["/posts/one", "/posts/one/comments", path.as_str()] {
        assert!(!app.get(path).await.body.contains("reader@"), "{path}");
    }
    assert_counts_and_copies_are_right(&app, "one").await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn replies_stand_below_what_they_answer() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let send = async |parent: &str, body: &str| {
        app.pass_millis(1000);
        let fields = [("name", "A"), ("parent", parent), ("body", body)];
        id_in(&app.post("/posts/one/comments", &fields).await)
    };
    let root = send("", "root").await;
    let reply = send(&root, "reply").await;
    let deeper = send(&reply, "deeper").await;
    let page = app.page("/posts/one/comments").await;
    assert_eq!(page.text(&format!(".thread .thread .thread #c-{deeper} .prose")), "deeper");
    // A reply's own page shows what is below it and leads to the whole thread.
    let page = app.page(&format!("/posts/one/comments/{reply}")).await;
    assert_eq!(page.texts(".said .prose"), ["reply", "deeper"]);
    assert_eq!(page.attributes(&format!("a[href='/posts/one/comments/{root}']"), "href").len(), 1);
    let stored = stored_comments(&app).await;
    let deepest = stored.iter().find(|comment| comment.id.to_hex() == deeper).unwrap();
    assert_eq!(deepest.depth, 2);
    let ancestors: Vec<_> = deepest.ancestors.iter().map(|id| id.to_hex()).collect();
    assert_eq!(ancestors, [root.clone(), reply]);
    assert_eq!(deepest.root_id.to_hex(), root);
    assert_counts_and_copies_are_right(&app, "one").await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_come_back_in_the_form_with_everything_typed() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let fields = [("name", ""), ("email", "no address"), ("body", "\n第一行\n<b>\"quoted\"")];
    let answer = app.post("/posts/one/comments", &fields).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.header("cache-control"), "private, no-store");
    let page = answer.html();
    assert_eq!(page.text("title"), "出错 · Title of one · Inkstone");
    assert_eq!(
        page.texts("[role=alert] a"),
        ["请写一个称呼。", "这不像一个邮箱地址，也可以不填。"]
    );
    assert_eq!(page.attributes("[role=alert] a", "href"), ["#name", "#email"]);
    assert_eq!(page.attribute("#email", "value"), "no address");
    assert_eq!(page.attribute("#email", "aria-invalid"), "true");
    assert_eq!(page.text("#name-error"), "请写一个称呼。");
    assert!(answer.body.contains("\n第一行\n&#60;b&#62;&#34;quoted&#34;</textarea>"));
    assert!(stored_comments(&app).await.is_empty());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mistake_in_a_reply_comes_back_on_the_page_of_the_thread() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let root = id_in(&app.post("/posts/one/comments", &[("name", "A"), ("body", "root")]).await);
    let fields = [("name", "B"), ("parent", root.as_str()), ("body", " ")];
    let answer = app.post("/posts/one/comments", &fields).await;
    assert_eq!(answer.status, 422);
    let page = answer.html();
    assert_eq!(page.attribute("input[name=parent]", "value"), root);
    assert_eq!(page.attribute("#name", "value"), "B");
    assert_eq!(page.text("#body-error"), "评论还是空的。");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_answered_is_told_and_the_text_kept() {
    let app = TestApp::start().await;
    let one = published(&app.db, "one").await;
    let two = published(&app.db, "two").await;
    let of_two = id_in(&app.post("/posts/two/comments", &[("name", "A"), ("body", "x")]).await);
    let hidden = id_in(&app.post("/posts/one/comments", &[("name", "A"), ("body", "y")]).await);
    collection::comments(&app.db)
        .update_one(
            doc! { "_id": ObjectId::parse_str(&hidden).unwrap() },
            doc! { "$set": { "shown": false } },
        )
        .await
        .unwrap();
    let unknown = ObjectId::new().to_hex();
    for parent in [of_two.as_str(), &hidden, &unknown, "nonsense", "../../etc"] {
        let fields = [("name", "B"), ("parent", parent), ("body", "my words")];
        let answer = app.post("/posts/one/comments", &fields).await;
        assert_eq!(answer.status, 422, "{parent}");
        let page = answer.html();
        assert_eq!(page.text("#body"), "my words", "{parent}");
        assert_eq!(page.texts("[role=alert] li"), ["你要回复的评论已经不在了，可以直接评论文章。"]);
    }
    assert_eq!(stored_comments(&app).await.len(), 2);
    assert_eq!(stored_post(&app, &one.slug).await.stats.comments, 1);
    assert_eq!(stored_post(&app, &two.slug).await.stats.comments, 1);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn closed_posts_take_no_comments() {
    let app = TestApp::start().await;
    let mut closed = post("closed");
    closed.comments_open = false;
    let mut archived = post("archived");
    archived.status = PostStatus::Archived;
    let mut draft = post("draft");
    draft.status = PostStatus::Draft;
    insert(&app.db, &[closed, archived, draft]).await;
    for (slug, status) in [("closed", 422), ("archived", 422), ("draft", 404), ("none", 404)] {
        let fields = [("name", "A"), ("body", "my words")];
        let answer = app.post(&format!("/posts/{slug}/comments"), &fields).await;
        assert_eq!(answer.status, status, "{slug}");
        if status == 422 {
            let page = answer.html();
            assert_eq!(page.text("#body"), "my words", "{slug}");
            assert_eq!(page.texts("[role=alert] li"), ["这篇文章不再接受评论。"], "{slug}");
        }
    }
    assert!(stored_comments(&app).await.is_empty());
    app.finish().await;
}

/// Row C3, case C19.
#[tokio::test(flavor = "multi_thread")]
async fn the_same_form_sent_again_is_the_same_comment() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let fields = [("name", "A"), ("body", "once")];
    let twice =
        futures_util::future::join_all((0..4).map(|_| app.post("/posts/one/comments", &fields)))
            .await;
    let mut ids: HashSet<_> = twice.iter().map(id_in).collect();
    app.pass_millis(5000);
    ids.insert(id_in(&app.post("/posts/one/comments", &fields).await));
    assert_eq!(ids.len(), 1);
    assert_eq!(stored_comments(&app).await.len(), 1);
    // Another text by the same person, and the same text by another, are new.
    id_in(&app.post("/posts/one/comments", &[("name", "A"), ("body", "twice")]).await);
    id_in(&app.post("/posts/one/comments", &[("name", "B"), ("body", "once")]).await);
    assert_eq!(stored_comments(&app).await.len(), 3);
    assert_counts_and_copies_are_right(&app, "one").await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_at_once_are_fifty() {
    let app = TestApp::start().await;
    published(&app.db, "hot").await;
    let bodies: Vec<String> = (0..50).map(|n| format!("comment {n}")).collect();
    let answers = futures_util::future::join_all(bodies.iter().map(|body| async {
        app.post("/posts/hot/comments", &[("name", "A"), ("body", body.as_str())]).await
    }))
    .await;
    let ids: HashSet<_> = answers.iter().map(id_in).collect();
    assert_eq!(ids.len(), 50);
    assert_eq!(stored_comments(&app).await.len(), 50);
    assert_eq!(stored_post(&app, "hot").await.stats.comments, 50);
    assert_counts_and_copies_are_right(&app, "hot").await;
    app.finish().await;
}

/// Neither transient nor retryable.
const INTERNAL_ERROR: i32 = 1;
/// The driver then calls the outcome of a commit unknown.
const SHUTDOWN_IN_PROGRESS: i32 = 91;

/// Two programs on one database have no lock in common: conflicts are tried
/// again, and the newest five are the newest whatever the order of commits.
#[tokio::test(flavor = "multi_thread")]
async fn fifty_at_once_through_two_programs_are_fifty() {
    let app = TestApp::start().await;
    let other = app.second().await;
    published(&app.db, "hot").await;
    let bodies: Vec<String> = (0..50).map(|n| format!("comment {n}")).collect();
    let answers =
        futures_util::future::join_all(bodies.iter().enumerate().map(async |(n, body)| {
            let fields = [("name", "A"), ("body", body.as_str())];
            let through = if n % 2 == 0 { &app } else { &other };
            through.post("/posts/hot/comments", &fields).await
        }))
        .await;
    let ids: HashSet<_> = answers.iter().map(id_in).collect();
    assert_eq!(ids.len(), 50);
    assert_counts_and_copies_are_right(&app, "hot").await;
    assert_eq!(stored_post(&app, "hot").await.stats.comments, 50);
    other.stop_server().await;
    app.finish().await;
}

/// A comment among the best and the newest has one place on the page.
#[tokio::test(flavor = "multi_thread")]
async fn no_id_stands_twice_on_a_page() {
    let app = TestApp::start().await;
    let post = published(&app.db, "one").await;
    for n in 0..3 {
        app.pass_millis(1000);
        let body = format!("text {n}[^1]\n\n[^1]: note");
        id_in(&app.post("/posts/one/comments", &[("name", "A"), ("body", &body)]).await);
    }
    let stored = stored_post(&app, "one").await;
    let best = inkstone::domain::comment_card::CommentCard {
        likes: Some(3),
        ..stored.latest_comments[1].clone()
    };
    let best = mongodb::bson::serialize_to_bson(&[best]).unwrap();
    posts_collection::posts(&app.db)
        .update_one(doc! { "_id": post.id }, doc! { "$set": { "topComments": best } })
        .await
        .unwrap();
    for path in ["/posts/one", "/posts/one/comments"] {
        let page = app.page(path).await;
        let ids = page.attributes("[id]", "id");
        let distinct: HashSet<_> = ids.iter().collect();
        assert_eq!(ids.len(), distinct.len(), "{path}: {ids:?}");
        assert_eq!(page.count(".said"), 3, "{path}");
    }
    app.finish().await;
}

/// Row C2: a fault after the post was changed leaves nothing behind.
#[tokio::test(flavor = "multi_thread")]
async fn a_fault_in_the_middle_changes_nothing() {
    let app = TestApp::start_with_own_engine().await;
    published(&app.db, "one").await;
    let root = id_in(&app.post("/posts/one/comments", &[("name", "A"), ("body", "root")]).await);
    let before = everything(&app).await;
    let fields = [("name", "B"), ("parent", root.as_str()), ("body", "lost?")];
    // Post, parent, submission, comment: a fault at each step after the first.
    for (command, passed) in [("update", 1), ("insert", 0), ("insert", 1)] {
        app.fail_once(command, passed, INTERNAL_ERROR).await;
        let answer = app.post("/posts/one/comments", &fields).await;
        assert_eq!(answer.status, 500, "{command} {passed}");
        assert_eq!(everything(&app).await, before, "{command} {passed}");
    }
    // A commit whose outcome is unknown is asked again.
    app.fail_once("commitTransaction", 0, SHUTDOWN_IN_PROGRESS).await;
    id_in(&app.post("/posts/one/comments", &fields).await);
    assert_eq!(stored_comments(&app).await.len(), 2);
    assert_counts_and_copies_are_right(&app, "one").await;
    app.finish().await;
}

/// Every document that a comment touches.
async fn everything(app: &TestApp) -> Vec<Document> {
    let mut all = Vec::new();
    for name in ["posts", "comments", "submissions"] {
        all.extend(documents(&app.db, name).await);
    }
    all
}

/// Row R4: pages of threads, and the first ten replies of each.
#[tokio::test(flavor = "multi_thread")]
async fn all_comments_are_paged_with_their_first_replies() {
    let app = TestApp::start().await;
    published(&app.db, "long").await;
    let send = async |parent: &str, body: &str| {
        app.pass_millis(1000);
        let fields = [("name", "A"), ("parent", parent), ("body", body)];
        id_in(&app.post("/posts/long/comments", &fields).await)
    };
    let mut roots = Vec::new();
    for n in 0..25 {
        roots.push(send("", &format!("root {n}")).await);
    }
    for n in 0..12 {
        send(&roots[24], &format!("reply {n}")).await;
    }
    let first = app.page("/posts/long/comments").await;
    assert_eq!(first.count(".thread > li > .said"), 20 + 10);
    let texts = first.texts(".said .prose");
    assert_eq!(texts[..3], ["root 24", "reply 0", "reply 1"]);
    assert_eq!(texts[10..12], ["reply 9", "root 23"]);
    let rest = first.attribute("p.more a", "href");
    assert_eq!(app.page(&rest).await.texts(".said .prose").len(), 13);
    let second = app.page(&first.attribute(".pager [rel=next]", "href")).await;
    assert_eq!(second.texts(".said .prose"), ["root 4", "root 3", "root 2", "root 1", "root 0"]);
    let back = app.page(&second.attribute(".pager [rel=prev]", "href")).await;
    assert_eq!(back.texts(".said .prose"), texts);
    let oldest = app.page("/posts/long/comments?sort=oldest").await;
    assert_eq!(oldest.texts(".said .prose")[..2], ["root 0", "root 1"]);
    let newest = app.page(&oldest.attribute(".pager [rel=next]", "href")).await;
    assert_eq!(newest.texts(".said .prose")[..2], ["root 20", "root 21"]);
    app.finish().await;
}
