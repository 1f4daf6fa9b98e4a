//! Sessions: who is signed in, for how long, and what their forms prove.

use inkstone::{
    domain::{names::UserName, permission::Role},
    users::{
        actions::{NewUser, create},
        collection::{sessions, users},
    },
};
use mongodb::bson::doc;
use reqwest::Method;

use crate::support::{
    app::{Answer, TestApp, encode},
    browser::Browser,
    database::documents,
};

pub const PASSWORD: &str = "correct horse battery";

/// Somebody with a password, not signed in.
pub async fn account(app: &TestApp, name: &str, role: Role) {
    let new = NewUser {
        username: UserName::parse(name).unwrap(),
        email: Some(format!("{name}@Example.org")),
        password_hash: Some(app.state.passwords.hash(PASSWORD.to_owned()).await.unwrap()),
        role,
        invitation: None,
    };
    create(&app.state, new).await.unwrap();
}

pub async fn sign_in(browser: &Browser, login: &str) -> Answer {
    browser.post("/signin", &[("login", login), ("password", PASSWORD), ("next", "/tags")]).await
}

pub async fn is_signed_in(browser: &Browser) -> bool {
    browser.page("/").await.count("form[action='/signout']") == 1
}

#[tokio::test(flavor = "multi_thread")]
async fn a_session_begins_and_ends() {
    let app = TestApp::start().await;
    account(&app, "Ana", Role::Author).await;
    let browser = app.browser();
    // Case C55: the name or the address, in any case.
    for login in ["ana", "ANA", " Ana ", "ana@example.org", "ANA@example.ORG"] {
        let answer = sign_in(&browser, login).await;
        assert_eq!((answer.status, answer.header("location")), (303, "/tags"), "{login}");
        let cookie = answer.header("set-cookie");
        let (pair, attributes) = cookie.split_once("; ").unwrap();
        assert!(pair.starts_with("sid=") && pair.len() < 4096, "{cookie}");
        assert_eq!(attributes, "HttpOnly; SameSite=Lax; Path=/; Max-Age=7776000");
        assert!(is_signed_in(&browser).await);
    }
    // Each sign-in ended the session that the browser brought.
    assert_eq!(documents(&app.db, "sessions").await.len(), 1);
    let answer = browser.submit("/signout", &[]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/"));
    assert_eq!(answer.header("clear-site-data"), "\"cache\"");
    assert!(browser.cookie("sid").is_none());
    assert_eq!(documents(&app.db, "sessions").await.len(), 0);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn over_https_the_cookie_belongs_to_this_host_alone() {
    let app = TestApp::start_with(&[("INKSTONE_SITE_URL", "https://ink.example")]).await;
    account(&app, "ana", Role::Admin).await;
    let answer = sign_in(&app.browser(), "ana").await;
    let (pair, attributes) = answer.header("set-cookie").split_once("; ").unwrap();
    assert!(pair.starts_with("__Host-sid="), "{pair}");
    assert_eq!(attributes, "HttpOnly; SameSite=Lax; Secure; Path=/; Max-Age=604800");
    app.finish().await;
}

/// SEC-12: what somebody planted never becomes a session.
#[tokio::test(flavor = "multi_thread")]
async fn a_planted_cookie_is_never_signed_in() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    let (victim, planted) = (app.browser(), "a".repeat(64));
    victim.set_cookie("sid", &planted);
    assert_eq!(sign_in(&victim, "ana").await.status, 303);
    assert_ne!(victim.cookie("sid").unwrap(), planted);
    let attacker = app.browser();
    attacker.set_cookie("sid", &planted);
    assert!(!is_signed_in(&attacker).await);
    app.finish().await;
}

/// SEC-10: the database holds neither tokens nor passwords.
#[tokio::test(flavor = "multi_thread")]
async fn the_database_lets_nobody_in() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    let browser = app.browser();
    sign_in(&browser, "ana").await;
    let token = browser.cookie("sid").unwrap();
    let mut dump = String::new();
    for collection in inkstone::schema::collections() {
        for document in documents(&app.db, collection.name).await {
            dump.push_str(&document.to_string());
        }
    }
    assert!(dump.contains("$argon2id$v=19$m=19456,t=2,p=1$") && dump.contains("ana@example.org"));
    assert!(!dump.contains(&token) && !dump.contains(PASSWORD));
    let answer = browser.get("/").await;
    assert!(!answer.body.contains(&token) && !answer.body.contains("argon2id"));
    app.finish().await;
}

/// SEC-11: idle and absolute limits, by the program's clock, for rows that are
/// still there.
#[tokio::test(flavor = "multi_thread")]
async fn sessions_have_limits() {
    const HOUR: i64 = 3_600_000;
    let app = TestApp::start().await;
    for (role, idle, absolute) in [
        (Role::Author, 30 * 24, 90 * 24),
        (Role::Reader, 30 * 24, 90 * 24),
        (Role::Editor, 12, 168),
    ] {
        let idler = app.member(&format!("idle-{}", role.name()), role).await;
        app.pass_millis(idle * HOUR - 60_000);
        assert!(is_signed_in(&idler).await, "{role:?}");
        // The use is written down beside the answer.
        until_touched(&app, &idler).await;
        app.pass_millis(idle * HOUR - 60_000);
        assert!(is_signed_in(&idler).await, "{role:?}");
        until_touched(&app, &idler).await;
        app.pass_millis(idle * HOUR);
        assert!(!is_signed_in(&idler).await, "{role:?}");

        let busy = app.member(&format!("busy-{}", role.name()), role).await;
        let step = idle / 2;
        for _ in 0..absolute / step - 1 {
            app.pass_millis(step * HOUR);
            assert!(is_signed_in(&busy).await, "{role:?}");
            until_touched(&app, &busy).await;
        }
        app.pass_millis(step * HOUR);
        assert!(!is_signed_in(&busy).await, "{role:?}");
        let filter = doc! { "userId": busy.user_id };
        assert_eq!(sessions(&app.db).count_documents(filter).await.unwrap(), 1);
    }
    app.finish().await;
}

async fn until_touched(app: &TestApp, browser: &Browser) {
    let now = app.state.clock.now();
    for _ in 0..200 {
        let found = sessions(&app.db).find_one(doc! { "userId": browser.user_id }).await.unwrap();
        if found.unwrap().last_seen_at == now {
            return;
        }
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    panic!("the use of the session is not written down");
}

/// SEC-13: role and status count at the next request.
#[tokio::test(flavor = "multi_thread")]
async fn role_and_status_are_read_at_each_request() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let writes = async |ana: &Browser| ana.page("/").await.count("a[href='/write']");
    assert_eq!(writes(&ana).await, 1);
    let set = async |change| {
        users(&app.db)
            .update_one(doc! { "_id": ana.user_id }, doc! { "$set": change })
            .await
            .unwrap()
    };
    set(doc! { "role": "reader" }).await;
    assert!(is_signed_in(&ana).await);
    assert_eq!(writes(&ana).await, 0);
    set(doc! { "status": "suspended" }).await;
    assert!(!is_signed_in(&ana).await);
    app.finish().await;
}

/// Row R2: one command for the session. SEC-14: none for a file.
#[tokio::test(flavor = "multi_thread")]
async fn a_member_costs_one_command_more() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let html = ana.page("/").await;
    app.log.clear();
    ana.page("/").await;
    let names: Vec<_> = app.log.commands().into_iter().map(|c| (c.name, c.collection)).collect();
    assert_eq!(names[0], ("aggregate".to_owned(), "sessions".to_owned()));
    assert_eq!(names.len(), 3, "{names:?}");
    app.log.clear();
    for path in [&html.attribute("link[rel=stylesheet]", "href"), "/healthz", "/metrics"] {
        ana.page(path).await;
    }
    assert_eq!(app.log.commands().len(), 0);
    app.finish().await;
}

/// SEC-22: what a member sees is for them alone; a visitor's page is shared.
#[tokio::test(flavor = "multi_thread")]
async fn pages_of_members_are_stored_nowhere() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    for path in ["/", "/tags", "/nowhere", "/signin"] {
        assert_eq!(ana.get(path).await.header("cache-control"), "private, no-store", "{path}");
    }
    let visitor = app.get("/").await;
    assert_eq!(visitor.header("cache-control"), "public, max-age=0, must-revalidate");
    // A dead cookie makes nobody a member.
    let dead = app.browser();
    dead.set_cookie("sid", &"0".repeat(64));
    let answer = dead.get("/").await;
    assert_eq!(answer.header("cache-control"), "public, max-age=0, must-revalidate");
    assert_eq!(answer.header("set-cookie"), "");
    app.finish().await;
}

/// Case C57: where a form comes from and what it proves, each row by itself.
#[tokio::test(flavor = "multi_thread")]
async fn only_forms_of_the_own_session_are_taken() {
    let app = TestApp::start().await;
    let (ana, ben) = (app.member("ana", Role::Author).await, app.member("ben", Role::Author).await);
    let (own, bens) = (ana.token().await, ben.token().await);
    let mut taken = Vec::new();
    for site in [Some("same-origin"), Some("same-site"), Some("cross-site"), Some("none"), None] {
        for origin in [Some(app.url.as_str()), Some("https://evil.example"), Some("null"), None] {
            for token in [own.as_str(), &bens, ""] {
                let mut request = ana
                    .request(Method::POST, "/signout")
                    .header("content-type", "application/x-www-form-urlencoded")
                    .body(encode(&[("csrf", token), ("body", "typed <b>with</b> care")]));
                for (name, value) in [("sec-fetch-site", site), ("origin", origin)] {
                    if let Some(value) = value {
                        request = request.header(name, value);
                    }
                }
                // Not through `send`: the cookie stays for the next row.
                let answer = Answer::of(request.send().await.unwrap()).await;
                let is_own_page = site.map_or(origin == Some(app.url.as_str()), |site| {
                    site == "same-origin" && origin != Some("null")
                });
                let row = format!("{site:?} {origin:?} {}", token == own);
                if is_own_page && token == own {
                    assert_eq!(answer.status, 303, "{row}");
                    taken.push(row.clone());
                    // Signed out by it; the next rows need a session again.
                    sessions(&app.db)
                        .insert_one(inkstone::users::model::Session {
                            id: inkstone::domain::token::Token::parse(&ana.cookie("sid").unwrap())
                                .unwrap()
                                .hash(),
                            user_id: ana.user_id,
                            created_at: app.state.clock.now(),
                            last_seen_at: app.state.clock.now(),
                            expires_at: mongodb::bson::DateTime::MAX,
                            agent: String::new(),
                        })
                        .await
                        .unwrap();
                } else {
                    assert_eq!(answer.status, 403, "{row}");
                    if is_own_page {
                        let texts = answer.html().texts("textarea");
                        assert_eq!(texts, ["typed <b>with</b> care"], "{row}");
                    }
                }
                assert_eq!(documents(&app.db, "sessions").await.len(), 2, "{row}");
            }
        }
    }
    assert_eq!(taken.len(), 4, "{taken:?}");
    // A token may be used again: pages are gone back to. And leaving is no link.
    assert_eq!(ana.get("/signout").await.status, 405);
    app.finish().await;
}

/// What was typed comes back when the session ended meanwhile; passwords do not.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_after_the_session_loses_nothing() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    sessions(&app.db).delete_many(doc! {}).await.unwrap();
    let long = "长文\n".repeat(2_000);
    let fields =
        [("title", "A title"), ("body", long.as_str()), ("password", "secret-word"), ("empty", "")];
    let answer = ana.post("/signout", &fields).await;
    assert_eq!(answer.status, 403);
    let html = answer.html();
    assert_eq!(html.texts("label[for^=kept]"), ["title", "body"]);
    assert_eq!(html.texts("textarea")[1].chars().count(), 2_000 * 3 - 1);
    assert!(!answer.body.contains("secret-word"));
    assert_eq!(html.attribute("main a.go", "href"), "/signin");
    app.finish().await;
}

/// SEC-40: nobody is sent away from the site.
#[tokio::test(flavor = "multi_thread")]
async fn signing_in_leads_to_a_place_on_this_site() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    for (next, wanted) in [("/tags?x=1", "/tags?x=1"), ("//evil.example", "/"), ("", "/")] {
        let fields = [("login", "ana"), ("password", PASSWORD), ("next", next)];
        let answer = app.browser().post("/signin", &fields).await;
        assert_eq!((answer.status, answer.header("location")), (303, wanted), "{next}");
    }
    for (query, wanted) in
        [("?next=%2Ftags%3Fx%3D1", "/tags?x=1"), ("?next=%2F%2Fevil", "/"), ("?next=a&next=b", "/")]
    {
        let html = app.page(&format!("/signin{query}")).await;
        assert_eq!(html.attribute("input[name=next]", "value"), wanted);
    }
    let html = app.page("/tags").await;
    assert_eq!(html.attributes("header .end a", "href"), ["/signin?next=%2Ftags", "/signup"]);
    app.finish().await;
}

/// The database away: a member's page is drawn, a member's form keeps its text.
#[tokio::test(flavor = "multi_thread")]
async fn while_the_database_is_away_a_form_keeps_its_text() {
    let mut app = TestApp::start_with_own_engine().await;
    let ana = app.member("ana", Role::Author).await;
    let token = ana.token().await;
    app.stop_engine().await;
    let answer = ana.post("/signout", &[("csrf", &token), ("body", "precious")]).await;
    assert_eq!((answer.status, answer.header("retry-after")), (503, "5"));
    assert_eq!(answer.html().texts("textarea"), ["precious"]);
    assert!(ana.cookie("sid").is_some());
    assert_eq!(ana.get("/signin").await.status, 200);
    app.stop_server().await;
}
