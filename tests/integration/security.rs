//! The header set, and forms of other sites.

use mongodb::bson::doc;
use reqwest::header;

use crate::support::{
    app::{Answer, TestApp, encode},
    factories::published,
};

/// SEC-18: every class of answer.
#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_security_headers() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let sheet = app.page("/").await.attribute("link[rel=stylesheet]", "href");
    let answers = [
        app.get("/").await,
        app.get("/posts/one").await,
        app.get("/nowhere").await,
        app.get("/?before=nonsense").await,
        app.get(&sheet).await,
        app.post("/posts/one/comments", &[]).await,
        app.post("/posts/one/comments", &[("name", "A"), ("body", "x")]).await,
        app.post_body("/posts/one/comments", "x".repeat(300_000)).await,
        app.post("/", &[]).await,
        Answer::of(app.client.post(&app.url).send().await.unwrap()).await,
    ];
    let statuses: Vec<_> = answers.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [200, 200, 404, 404, 200, 422, 303, 413, 405, 403]);
    for answer in &answers {
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"));
        assert!(!policy.contains("unsafe"));
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("base-uri 'none'"));
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "strict-origin-when-cross-origin"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-frame-options", "DENY"),
            ("server", ""),
            ("set-cookie", ""),
            // Only over https.
            ("strict-transport-security", ""),
        ] {
            assert_eq!(answer.header(name), value, "{name} of {}", answer.status);
        }
        assert!(answer.header("permissions-policy").contains("camera=()"));
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_on_https_says_so() {
    let app = TestApp::start_with(&[("INKSTONE_SITE_URL", "https://ink.example")]).await;
    let value = app.get("/").await.header("strict-transport-security").to_owned();
    assert_eq!(value, "max-age=63072000; includeSubDomains");
    app.finish().await;
}

/// SEC-15, case C57.
#[tokio::test(flavor = "multi_thread")]
async fn forms_of_other_sites_are_refused_and_change_nothing() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let own = app.url.clone();
    let evil = "https://evil.example";
    let mut n = 0;
    for (fetch_site, origin, status) in [
        (Some("same-origin"), Some(own.as_str()), 303),
        (Some("same-origin"), None, 303),
        (None, Some(own.as_str()), 303),
        (Some("same-site"), Some(own.as_str()), 403),
        (Some("cross-site"), Some(evil), 403),
        (Some("cross-site"), None, 403),
        (Some("none"), None, 403),
        (None, Some(evil), 403),
        (None, Some("null"), 403),
        (None, None, 403),
    ] {
        n += 1;
        let before = count(&app).await;
        let mut request = app
            .client
            .post(format!("{own}/posts/one/comments"))
            .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
            .body(encode(&[("name", "A"), ("body", &format!("text {n}"))]));
        if let Some(value) = fetch_site {
            request = request.header("sec-fetch-site", value);
        }
        if let Some(value) = origin {
            request = request.header(header::ORIGIN, value);
        }
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!(answer.status, status, "{fetch_site:?} {origin:?}");
        if status == 403 {
            assert_eq!(answer.html().text("h1"), "这个请求被拒绝了");
        }
        let added = u64::from(status == 303);
        assert_eq!(count(&app).await, before + added, "{fetch_site:?} {origin:?}");
    }
    app.finish().await;
}

async fn count(app: &TestApp) -> u64 {
    let comments = inkstone::comments::collection::comments(&app.db);
    comments.count_documents(doc! {}).await.unwrap()
}

/// SEC-25: markup in every field of everything that pages show.
#[tokio::test(flavor = "multi_thread")]
async fn what_people_type_is_never_markup() {
    let app = TestApp::start().await;
    let nasty = "<b>\"'&</b><script>alert(1)</script>";
    let mut post = crate::support::factories::post("nasty");
    post.title = nasty.to_owned();
    post.excerpt = nasty.to_owned();
    post.author.name = nasty.to_owned();
    post.tags = vec![nasty.to_owned()];
    post.cover_url = Some(nasty.to_owned());
    post.lang = nasty.to_owned();
    post.seo.description = Some(nasty.to_owned());
    crate::support::factories::insert(&app.db, &[post]).await;
    let fields = [("name", nasty), ("body", nasty)];
    let answer = app.post("/posts/nasty/comments", &fields).await;
    assert_eq!(answer.status, 303);
    let thread = answer.header("location").split('#').next().unwrap().to_owned();
    let bad = app.post("/posts/nasty/comments", &[("name", nasty), ("email", nasty)]).await;
    assert_eq!(bad.status, 422);
    let mut pages = vec![bad.body];
    for path in ["/", "/posts/nasty", "/posts/nasty/comments", &thread] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        pages.push(answer.body);
    }
    for page in pages {
        assert!(!page.contains("<script"), "{page}");
        assert!(!page.contains("<b>\""), "{page}");
        assert!(!page.contains("style="), "{page}");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_theme_is_remembered_and_leads_back() {
    let app = TestApp::start().await;
    let request = app
        .client
        .post(format!("{}/theme", app.url))
        .header("sec-fetch-site", "same-origin")
        .header(header::REFERER, "https://evil.example/posts/a?b=c")
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body("theme=dark");
    let answer = Answer::of(request.send().await.unwrap()).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/posts/a?b=c"));
    let cookie = answer.header("set-cookie");
    assert!(cookie.starts_with("theme=dark;"), "{cookie}");
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let request = app.client.get(&app.url).header(header::COOKIE, "theme=dark");
    let page = Answer::of(request.send().await.unwrap()).await.html();
    assert_eq!(page.attribute("html", "data-theme"), "dark");
    app.finish().await;
}
