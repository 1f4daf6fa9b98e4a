//! Copies follow their sources, whatever happens on the way.

mod processes;

use inkstone::{
    categories::{
        self,
        actions::{Change, create, rename},
    },
    comments,
    comments::model::{Comment, CommentStatus},
    copies,
    db::{Db, change_stream::News},
    domain::{
        author_card::AuthorCard,
        comment_card::{CommentCard, Commenter},
        markdown::{Profile, render},
        permission::Role,
    },
    posts,
    posts::model::{Post, PostStatus},
    users,
    users::model::{User, UserStats, UserStatus},
};
use mongodb::bson::{Bson, DateTime, Document, doc, oid::ObjectId};

use crate::support::{
    app::{NOW, TestApp},
    database::{documents, typed_documents},
    factories::{author, insert, post},
};

/// The author of the factories' posts, as a user.
fn linmo() -> User {
    let card = author();
    User {
        id: card.id,
        username: card.username.clone(),
        username_key: card.username,
        email: None,
        email_key: None,
        password_hash: None,
        name: card.name,
        avatar: None,
        bio: "Writes.".to_owned(),
        city: String::new(),
        website: None,
        role: Role::Author,
        status: UserStatus::Active,
        card_version: card.v,
        stats: UserStats::default(),
        created_at: DateTime::from_millis(NOW),
    }
}

fn comment(post: &mut Post, by: Commenter) -> Comment {
    let id = ObjectId::new();
    let rendered = render("Well said", &Profile::Comment { id: id.to_hex() }).unwrap();
    let comment = Comment {
        id,
        post_id: post.id,
        root_id: post.id,
        parent_id: None,
        ancestors: Vec::new(),
        depth: 0,
        author: by,
        guest_email: None,
        source: "Well said".to_owned(),
        html: rendered.html.clone(),
        likes: 0,
        reply_count: 0,
        status: CommentStatus::Approved,
        shown: true,
        created_at: DateTime::from_millis(NOW),
    };
    let card: CommentCard = comment.card(&rendered);
    post.stats.comments += 1;
    post.latest_comments.push(card.clone());
    post.top_comments = vec![CommentCard { likes: Some(3), ..card }];
    comment
}

/// An author with posts of every status and a comment on each, and a guest who
/// calls himself as the author does.
async fn write_site(db: &Db) {
    users::collection::users(db).insert_one(linmo()).await.unwrap();
    let guest = Commenter::Guest { name: "林墨".to_owned(), website: None };
    let mut posts = Vec::new();
    let mut written = Vec::new();
    for (index, status) in PostStatus::ALL.into_iter().enumerate() {
        let mut post = Post { status, ..post(&format!("p{index}")) };
        if status == PostStatus::Draft {
            post.published_at = None;
        }
        written.push(comment(&mut post, guest.clone()));
        written.push(comment(&mut post, Commenter::Member(author())));
        posts.push(post);
    }
    insert(db, &posts).await;
    comments::collection::comments(db).insert_many(&written).await.unwrap();
}

async fn rename_author(db: &Db, name: &str) {
    let change = doc! {
        "$set": { "name": name, "username": name, "avatar": "/a.webp", "bio": format!("I am {name}") },
        "$inc": { "cardVersion": 1_i64 },
    };
    users::collection::users(db).update_one(doc! { "_id": author().id }, change).await.unwrap();
}

/// Everything that is wrong with the copies of the author.
async fn differences(db: &Db) -> Vec<String> {
    let user: User = typed_documents(db, "users").await.remove(0);
    let (right, small) = (user.card(), AuthorCard { avatar: None, ..user.card() });
    let mut wrong = Vec::new();
    for post in typed_documents::<Post>(db, "posts").await {
        if post.author != right {
            wrong.push(format!("{}: {:?}", post.slug, post.author));
        }
        for card in post.latest_comments.iter().chain(&post.top_comments) {
            match &card.author {
                Commenter::Member(card) if *card != small => wrong.push(format!("{card:?}")),
                Commenter::Guest { name, .. } if name != "林墨" => wrong.push(name.clone()),
                _ => {}
            }
        }
    }
    for comment in typed_documents::<Comment>(db, "comments").await {
        match &comment.author {
            Commenter::Member(card) if *card != right => wrong.push(format!("{card:?}")),
            Commenter::Guest { name, .. } if name != "林墨" => wrong.push(name.clone()),
            _ => {}
        }
    }
    for body in documents(db, "post_contents").await {
        if body.get_str("authorBio").unwrap() != user.bio {
            wrong.push(format!("biography: {body}"));
        }
    }
    wrong
}

async fn assert_right(db: &Db) {
    assert_eq!(differences(db).await, Vec::<String>::new());
}

async fn everything(db: &Db) -> Vec<Document> {
    let mut all = documents(db, "posts").await;
    all.extend(documents(db, "comments").await);
    all.extend(documents(db, "post_contents").await);
    all
}

/// Case C64, row U5.
#[tokio::test(flavor = "multi_thread")]
async fn a_rename_reaches_every_copy_and_no_guest() {
    let app = TestApp::start().await;
    write_site(&app.db).await;
    app.settle().await;
    rename_author(&app.db, "mochen").await;
    assert!(differences(&app.db).await.len() > 10);
    app.settle().await;
    assert_right(&app.db).await;
    let page = app.page("/posts/p2").await.text("main");
    assert!(page.contains("mochen") && page.contains("林墨"), "{page}");
    assert!(app.page("/").await.text("main").contains("mochen"));
    assert_eq!(
        copies::check_all(&app.db).await.unwrap(),
        [("author card", 0), ("category card", 0)]
    );
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_same_change_twice_changes_nothing_more() {
    let app = TestApp::start().await;
    write_site(&app.db).await;
    app.settle().await;
    let token = documents(&app.db, "resume_tokens").await.remove(0);
    rename_author(&app.db, "one").await;
    rename_author(&app.db, "two").await;
    app.settle().await;
    let before = everything(&app.db).await;
    let tokens = app.db.collection::<Document>("resume_tokens");
    tokens.replace_one(doc! { "_id": "copies" }, token).await.unwrap();
    app.settle().await;
    assert_eq!(everything(&app.db).await, before);
    assert_right(&app.db).await;
    app.finish().await;
}

async fn forget_holder(db: &Db) {
    let past = doc! { "$set": { "expiresAt": DateTime::from_millis(0) } };
    db.collection::<Document>("jobs").update_one(doc! { "_id": "copies" }, past).await.unwrap();
}

/// A worker dies after it has applied a change and before the second pass; then a
/// comment is written by somebody who read the card before the rename.
#[tokio::test(flavor = "multi_thread")]
async fn whoever_follows_a_dead_worker_finishes_its_work() {
    let app = TestApp::start().await;
    write_site(&app.db).await;
    app.settle().await;
    let mut dying = app.worker().await;
    assert!(dying.ask_for_duty().await.unwrap());
    rename_author(&app.db, "mochen").await;
    app.step_to_now(&mut dying).await;
    assert_right(&app.db).await;
    drop(dying);
    let mut late = post("late");
    let written = comment(&mut late, Commenter::Member(author()));
    insert(&app.db, &[late]).await;
    comments::collection::comments(&app.db).insert_one(&written).await.unwrap();
    assert!(!differences(&app.db).await.is_empty());
    // Its lease has not run out.
    let mut next = app.worker().await;
    assert!(!next.ask_for_duty().await.unwrap());
    forget_holder(&app.db).await;
    app.settle().await;
    assert_right(&app.db).await;
    app.finish().await;
}

/// The token is too old (286), of another database, or the stream breaks off while
/// it is read: a new stream, and the full check.
#[tokio::test(flavor = "multi_thread")]
async fn a_lost_place_means_the_full_check() {
    let app = TestApp::start_with_own_engine().await;
    write_site(&app.db).await;
    app.settle().await;
    // The first stream is the process's own, the second begins at the token.
    rename_author(&app.db, "one").await;
    app.fail_once("aggregate", 1, 286).await;
    app.settle().await;
    assert_right(&app.db).await;

    rename_author(&app.db, "two").await;
    let nonsense = doc! { "$set": { "token": { "_data": "nonsense" } } };
    let tokens = app.db.collection::<Document>("resume_tokens");
    tokens.update_one(doc! { "_id": "copies" }, nonsense).await.unwrap();
    app.settle().await;
    assert_right(&app.db).await;

    let mut worker = app.worker().await;
    let mut news = app.state.news.subscribe();
    assert!(worker.ask_for_duty().await.unwrap());
    app.step_to_now(&mut worker).await;
    // As after a restore: documents changed that no event told of.
    app.db.collection::<Document>("things").insert_one(doc! {}).await.unwrap();
    let stale = doc! { "$set": { "author.name": "old" } };
    posts::collection::posts(&app.db).update_many(doc! {}, stale).await.unwrap();
    app.db.collection::<Document>("things").drop().await.unwrap();
    while news.try_recv() != Ok(News::Missed) {
        worker.step().await.unwrap();
    }
    worker.finish().await.unwrap();
    assert_right(&app.db).await;
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_and_the_workers_own_rows_make_no_news() {
    let app = TestApp::start().await;
    write_site(&app.db).await;
    let mut worker = app.worker().await;
    assert!(worker.ask_for_duty().await.unwrap());
    let count = doc! { "$inc": { "stats.views": 1_i64 }, "$set": { "hotScore": 2.0 } };
    posts::collection::posts(&app.db).update_many(doc! {}, count).await.unwrap();
    let counted = doc! { "$inc": { "stats.posts": 1_i64 } };
    users::collection::users(&app.db).update_many(doc! {}, counted).await.unwrap();
    let mut news = app.state.news.subscribe();
    let both = doc! { "$inc": { "stats.views": 1_i64 }, "$set": { "title": "New" } };
    posts::collection::posts(&app.db).update_one(doc! { "slug": "p1" }, both).await.unwrap();
    app.step_to_now(&mut worker).await;
    // The first that is heard of: what was only counted came before it.
    let News::Changed(change) = news.try_recv().unwrap() else { panic!("missed") };
    assert!(change.collection == "posts" && matches!(change.id, Bson::ObjectId(_)), "{change:?}");
    assert!(change.touches(&["title"]) && !change.touches(&["author"]), "{change:?}");
    worker.finish().await.unwrap();
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_renamed_category_reaches_its_posts() {
    let app = TestApp::start().await;
    let shelf = create(&app.state, "Rust 语言").await.unwrap();
    let other = create(&app.state, "Other").await.unwrap();
    let mut posts = Vec::new();
    for (slug, category) in [("a", &shelf), ("b", &shelf), ("c", &other)] {
        posts.push(Post { category: Some(category.card()), ..post(slug) });
    }
    posts[1].status = PostStatus::Draft;
    posts[1].published_at = None;
    insert(&app.db, &posts).await;
    app.settle().await;
    let change = Change { name: Some("Rust".to_owned()), slug: Some("rust".to_owned()) };
    rename(&app.db, &shelf.slug, change).await.unwrap();
    app.settle().await;
    let right = categories::queries::find_by_slug(&app.db, "rust").await.unwrap().unwrap().card();
    for post in typed_documents::<Post>(&app.db, "posts").await {
        let wanted = if post.slug == "c" { other.card() } else { right.clone() };
        assert_eq!(post.category, Some(wanted), "{}", post.slug);
    }
    app.finish().await;
}
