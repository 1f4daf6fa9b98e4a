//! Writing: from a blank editor to a published post, and back.

use futures_util::future::join_all;
use inkstone::{domain::permission::Role, writing::due::publish_due};

use crate::support::{
    app::TestApp,
    database::{documents, one},
    writing::{again, press, stored, written},
};

async fn count_of(app: &TestApp, collection: &str, id: &str) -> i64 {
    documents(&app.db, collection)
        .await
        .iter()
        .find(|row| row.get_str("_id").unwrap() == id)
        .map_or(0, |row| row.get_i64("postCount").unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn from_a_blank_page_to_the_home_page_and_back() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let editor = ana.page("/write").await;
    assert_eq!(editor.count("#editor textarea[name=body]"), 1);
    let id = written(
        &ana,
        "save",
        &[
            ("title", "重庆的雨"),
            ("body", "下了**一夜**。"),
            ("tags", "天气，Rust"),
            ("comments", "on"),
        ],
    )
    .await;
    let draft = stored(&app, &id).await;
    assert_eq!(draft.get_str("status").unwrap(), "draft");
    assert_eq!(draft.get_str("slug").unwrap(), "chong-qing-de-yu");
    assert_eq!(draft.get_str("lang").unwrap(), "zh-CN");
    // Nobody else knows of it; its author reads it at its address.
    let path = "/posts/chong-qing-de-yu";
    assert_eq!(app.get(path).await.status, 404);
    let own = ana.get(path).await;
    assert_eq!((own.status, own.header("cache-control")), (200, "private, no-store"));
    assert_eq!(count_of(&app, "tags", "天气").await, 0);
    let answer = again(
        &app,
        &ana,
        &id,
        "publish",
        &[
            ("title", "重庆的雨"),
            ("body", "下了**一夜**。"),
            ("tags", "天气，Rust"),
            ("comments", "on"),
        ],
    )
    .await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let edited = ana.page(answer.header("location")).await;
    assert_eq!(edited.text(".note.ok p"), "已发布。 查看文章");
    let page = app.page(path).await;
    assert_eq!(page.text("h1"), "重庆的雨");
    assert_eq!(page.text(".prose strong"), "一夜");
    for list in ["/", "/tags/rust", "/archive/2026/05", "/@ana"] {
        assert_eq!(app.page(list).await.text(".card h2 a"), "重庆的雨", "{list}");
    }
    assert_eq!(count_of(&app, "tags", "rust").await, 1);
    assert_eq!(count_of(&app, "archive_months", "2026-05").await, 1);
    let ana_doc = one(&app.db, "users", ana.user_id).await;
    assert_eq!(ana_doc.get_document("stats").unwrap().get_i64("posts").unwrap(), 1);
    // Back to a draft: out of every list and count, but for its author.
    assert_eq!(again(&app, &ana, &id, "unpublish", &[]).await.status, 303);
    assert_eq!(app.get(path).await.status, 404);
    assert_eq!(app.page("/").await.count(".card"), 0);
    assert_eq!(count_of(&app, "tags", "rust").await, 0);
    assert_eq!(count_of(&app, "archive_months", "2026-05").await, 0);
    // Out again, at the same place and time as before.
    let fields = [("title", "重庆的雨"), ("body", "下了一夜。"), ("slug", "chong-qing-de-yu")];
    assert_eq!(again(&app, &ana, &id, "publish", &fields).await.status, 303);
    let once = stored(&app, &id).await;
    assert_eq!(app.get(path).await.status, 200);
    // Archived: an address without lists and comments.
    assert_eq!(again(&app, &ana, &id, "archive", &[]).await.status, 303);
    let archived = app.page(path).await;
    assert_eq!(archived.attribute("meta[name=robots]", "content"), "noindex");
    assert_eq!(archived.count("#reply"), 0);
    assert_eq!(app.page("/").await.count(".card"), 0);
    // Deleted: gone for those who had the link, and restored as a draft.
    assert_eq!(again(&app, &ana, &id, "delete", &[]).await.status, 303);
    assert_eq!(app.get(path).await.status, 410);
    assert_eq!(ana.page("/drafts?status=deleted").await.text(".list h2"), "重庆的雨");
    assert_eq!(again(&app, &ana, &id, "restore", &[]).await.status, 303);
    let restored = stored(&app, &id).await;
    assert_eq!(restored.get_str("status").unwrap(), "draft");
    assert_eq!(
        restored.get_datetime("publishedAt").unwrap(),
        once.get_datetime("publishedAt").unwrap()
    );
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_preview_saves_nothing_and_loses_nothing() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let fields =
        [("title", "A"), ("body", "Some *words*\n"), ("tags", "x, y"), ("excerpt", "short")];
    let answer = press(&ana, "/write", "preview", &fields).await;
    assert_eq!(answer.status, 200);
    let page = answer.html();
    assert_eq!(page.text("article .prose em"), "words");
    assert_eq!(page.text("#body"), "Some *words*");
    assert_eq!(page.attribute("#tags", "value"), "x, y");
    assert_eq!(page.text("#excerpt"), "short");
    assert!(documents(&app.db, "posts").await.is_empty());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn mistakes_come_back_in_the_form_with_everything_typed() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let eleven = (0..11).map(|n| format!("t{n}")).collect::<Vec<_>>().join(",");
    let long = "长".repeat(201);
    for (action, field, value, wrong) in [
        ("publish", "title", "", "#title"),
        ("save", "title", &long, "#title"),
        ("publish", "body", " ", "#body"),
        ("save", "tags", &eleven, "#tags"),
        ("save", "category", "nowhere", "#category"),
        ("save", "cover", "https://elsewhere.example/x.png", "#cover"),
        ("save", "lang", "中文", "#lang"),
        ("save", "publish_at", "tomorrow", "#publish_at"),
        ("schedule", "publish_at", "", "#publish_at"),
        ("schedule", "publish_at", "2020-01-01T00:00", "#publish_at"),
        ("archive", "title", "T", ""),
    ] {
        let mut fields = vec![("title", "T"), ("body", "my words"), ("excerpt", "mine")];
        fields.retain(|(name, _)| *name != field);
        fields.push((field, value));
        let answer = press(&ana, "/write", action, &fields).await;
        assert_eq!(answer.status, 422, "{field}");
        let page = answer.html();
        if wrong.is_empty() {
            assert_eq!(page.count(".note.no li"), 1, "{field}");
        } else {
            assert_eq!(page.attributes(".note.no a", "href"), [wrong], "{field}");
        }
        if field != "body" {
            assert_eq!(page.text("#body"), "my words", "{field}");
        }
        assert_eq!(page.text("#excerpt"), "mine", "{field}");
    }
    assert!(documents(&app.db, "posts").await.is_empty());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scheduled_post_appears_everywhere_at_its_second() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    // 09:00 in Shanghai, half an hour from now; a time without seconds.
    let fields =
        [("title", "Soon"), ("body", "x"), ("tags", "t"), ("publish_at", "2026-05-12T09:00")];
    let id = written(&ana, "publish", &fields).await;
    let scheduled = stored(&app, &id).await;
    assert_eq!(scheduled.get_str("status").unwrap(), "scheduled");
    assert_eq!(publish_due(&app.state).await.unwrap(), 0);
    assert_eq!(app.get("/posts/soon").await.status, 404);
    app.pass_millis(30 * 60_000 - 1);
    assert_eq!(publish_due(&app.state).await.unwrap(), 0);
    app.pass_millis(1);
    // Two processes at once: it is published once.
    let (one, two) = tokio::join!(publish_due(&app.state), publish_due(&app.state));
    assert_eq!(one.unwrap() + two.unwrap(), 1);
    let out = stored(&app, &id).await;
    assert_eq!(
        out.get_datetime("publishedAt").unwrap(),
        scheduled.get_datetime("publishAt").unwrap()
    );
    for path in ["/", "/tags/t", "/posts/soon", "/archive/2026/05"] {
        assert!(app.get(path).await.body.contains("Soon"), "{path}");
    }
    assert_eq!(count_of(&app, "tags", "t").await, 1);
    app.finish().await;
}

/// The form of a new post carries the post's id.
#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_makes_one_post() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let id = ana.page("/write").await.attribute("input[name=id]", "value");
    let fields = [("id", id.as_str()), ("title", "Once"), ("body", "x"), ("tags", "t")];
    let answers = join_all((0..5).map(|_| press(&ana, "/write", "publish", &fields))).await;
    for answer in &answers {
        assert_eq!(answer.status, 303, "{}", answer.body);
        assert!(answer.header("location").starts_with(&format!("/write/{id}")));
    }
    assert_eq!(documents(&app.db, "posts").await.len(), 1);
    assert_eq!(documents(&app.db, "revisions").await.len(), 1);
    assert_eq!(count_of(&app, "tags", "t").await, 1);
    // Several lines, as browsers send them.
    let id = ana.page("/write").await.attribute("input[name=id]", "value");
    let fields = [("id", id.as_str()), ("title", "Lines"), ("body", "a\r\nb\r\n")];
    for _ in 0..2 {
        assert_eq!(press(&ana, "/write", "save", &fields).await.status, 303);
    }
    // Pressed again with another title or button, it is no copy of the first.
    let other = [("id", id.as_str()), ("title", "Other"), ("body", "a\r\nb\r\n")];
    assert_eq!(press(&ana, "/write", "save", &other).await.status, 409);
    assert_eq!(press(&ana, "/write", "publish", &fields).await.status, 409);
    // The same form with another text has not seen what it would overwrite.
    let fields = [("id", id.as_str()), ("title", "Once"), ("body", "y")];
    assert_eq!(press(&ana, "/write", "save", &fields).await.status, 409);
    app.finish().await;
}

/// What the forms take, the validators take: a grapheme may be many characters.
#[tokio::test(flavor = "multi_thread")]
async fn the_longest_words_of_every_field_are_stored() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    // Thirty graphemes of four code points, and a hundred stacked letters.
    let wave = "👋🏽\u{200d}\u{fe0f}";
    let tags: Vec<_> = (0..10).map(|n| format!("{}{n}", wave.repeat(29))).collect();
    let stacked = "e\u{301}\u{302}\u{303}\u{304}\u{305}\u{306}".repeat(300);
    let fields = [
        ("title", "字".repeat(200)),
        ("body", stacked),
        ("tags", tags.join(",")),
        ("excerpt", String::new()),
        ("seo_title", "字".repeat(300)),
        ("seo_description", "字".repeat(300)),
        ("lang", "en".to_owned()),
    ];
    let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let id = written(&ana, "publish", &fields).await;
    let excerpt = stored(&app, &id).await.get_str("excerpt").unwrap().chars().count();
    assert!((1..=400).contains(&excerpt), "{excerpt}");
    let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦".repeat(40);
    let answer =
        ana.submit("/settings/profile", &[("name", &family), ("bio", &"字".repeat(500))]).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    app.finish().await;
}
