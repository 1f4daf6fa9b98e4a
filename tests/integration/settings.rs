//! What members change of their own accounts.

use inkstone::{
    domain::permission::Role,
    users::{
        actions,
        collection::{sessions, users},
        commands::Change,
        model::{User, UserStatus},
    },
};
use mongodb::bson::doc;

use crate::{
    accounts::{PASSWORD, account, is_signed_in, sign_in},
    support::{app::TestApp, browser::Browser, database::documents, writing::written},
};

async fn signed_in(app: &TestApp, name: &str) -> Browser {
    account(app, name, Role::Author).await;
    let browser = app.browser();
    assert_eq!(sign_in(&browser, name).await.status, 303);
    browser
}

async fn user(app: &TestApp, filter: mongodb::bson::Document) -> User {
    users(&app.db).find_one(filter).await.unwrap().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_is_sent_to_sign_in_and_back() {
    let app = TestApp::start().await;
    let answer = app.get("/settings/sessions?x=1").await;
    let location = answer.header("location");
    assert_eq!((answer.status, location), (303, "/signin?next=%2Fsettings%2Fsessions%3Fx%3D1"));
    for path in ["profile", "username", "email", "password", "delete", "sessions/end"] {
        let answer = app.post(&format!("/settings/{path}"), &[("bio", "typed")]).await;
        assert_eq!(answer.status, 403, "{path}");
        assert_eq!(answer.html().texts("textarea"), ["typed"]);
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_is_changed_and_nothing_else() {
    let app = TestApp::start().await;
    let ana = signed_in(&app, "ana").await;
    let before = user(&app, doc! {}).await;
    let fields = [
        ("name", "安娜 <b>&"),
        ("bio", "写字。"),
        ("city", "杭州"),
        ("website", "example.org"),
        // Not of this form.
        ("role", "admin"),
        ("username", "root"),
        ("email", "x@example.org"),
        ("status", "deleted"),
        ("passwordHash", "x"),
        ("cardVersion", "99"),
    ];
    let answer = ana.submit("/settings/profile", &fields).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/settings?saved=profile"));
    assert_eq!(ana.page("/settings?saved=profile").await.count(".note.ok"), 1);
    let after = user(&app, doc! {}).await;
    let wanted = User {
        name: "安娜 <b>&".to_owned(),
        bio: "写字。".to_owned(),
        city: "杭州".to_owned(),
        website: Some("https://example.org/".to_owned()),
        card_version: before.card_version + 1,
        ..before
    };
    assert_eq!(after, wanted);
    assert_eq!(app.page("/@ana").await.text("h1"), "安娜 <b>&");
    // Mistakes: everything typed is still there.
    let answer = ana.submit("/settings/profile", &[("name", " "), ("bio", "新的")]).await;
    assert_eq!(answer.status, 422);
    assert_eq!(answer.html().text("#bio"), "新的");
    assert_eq!(answer.html().count("#name-error"), 1);
    // An empty website goes.
    ana.submit("/settings/profile", &[("name", "Ana")]).await;
    assert_eq!(user(&app, doc! {}).await.website, None);
    app.finish().await;
}

/// Row K4: old names lead to the new one and belong to nobody else.
#[tokio::test(flavor = "multi_thread")]
async fn a_user_name_changes_and_the_old_one_stays() {
    let app = TestApp::start().await;
    let ana = signed_in(&app, "ana").await;
    account(&app, "ben", Role::Author).await;
    for (typed, status) in [("ben", 422), ("Ben", 422), ("a b", 422), ("admin", 422), ("", 422)] {
        let answer = ana.submit("/settings/username", &[("username", typed)]).await;
        assert_eq!(answer.status, status, "{typed}");
        assert_eq!(answer.html().attribute("#username", "value"), typed);
    }
    for typed in ["林墨", "Ana-Maria", "an-a"] {
        let answer = ana.submit("/settings/username", &[("username", typed)]).await;
        assert_eq!(answer.status, 303, "{typed}");
    }
    let renamed =
        user(&app, doc! { "_id": user(&app, doc! { "usernameKey": "an-a" }).await.id }).await;
    assert_eq!((renamed.username.as_str(), renamed.card_version), ("an-a", 4));
    // One hop from each, the query kept, in ASCII.
    for old in ["ana", "%E6%9E%97%E5%A2%A8", "ana-maria", "ANA"] {
        let answer = app.get(&format!("/@{old}?before=&x=%E5%AD%97")).await;
        let location = answer.header("location");
        assert_eq!((answer.status, location), (301, "/@an-a?before=&x=%E5%AD%97"), "{old}");
    }
    assert_eq!(app.get("/@an-a").await.status, 200);
    assert_eq!(app.get("/@nobody").await.status, 404);
    // Nobody else gets an old name, but its owner does.
    let ben = app.browser();
    sign_in(&ben, "ben").await;
    assert_eq!(ben.submit("/settings/username", &[("username", "ana")]).await.status, 422);
    assert_eq!(ana.submit("/settings/username", &[("username", "ana")]).await.status, 303);
    assert_eq!(app.get("/@an-a").await.header("location"), "/@ana");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn e_mail_and_password_change_with_the_password() {
    let app = TestApp::start().await;
    let ana = signed_in(&app, "ana").await;
    account(&app, "ben", Role::Author).await;
    let email = async |email: &str, password: &str| {
        let fields = [("email", email), ("password", password)];
        ana.submit("/settings/email", &fields).await.status
    };
    assert_eq!(email("new@example.org", "wrong").await, 422);
    assert_eq!(email("nonsense", PASSWORD).await, 422);
    assert_eq!(email("BEN@example.org", PASSWORD).await, 422);
    assert_eq!(email("New@example.org", PASSWORD).await, 303);
    let rows = documents(&app.db, "addresses").await;
    let mails: Vec<_> =
        rows.iter().filter_map(|row| row.get_str("_id").unwrap().strip_prefix("e/")).collect();
    assert_eq!(mails, ["ben@example.org", "new@example.org"]);

    let (other, before) = (app.browser(), ana.cookie("sid").unwrap());
    assert_eq!(sign_in(&other, "new@example.org").await.status, 303);
    let password = async |current: &str, new: &str| {
        let fields = [("current_password", current), ("password", new)];
        ana.submit("/settings/password", &fields).await
    };
    assert_eq!(password("wrong", "another horse battery").await.status, 422);
    let weak = password(PASSWORD, "password").await;
    assert_eq!((weak.status, weak.html().count("#new-password-error")), (422, 1));
    let answer = password(PASSWORD, "another horse battery").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/settings?saved=password"));
    // SEC-12: the own session goes on under a new token; the others are over.
    assert_ne!(ana.cookie("sid").unwrap(), before);
    assert!(is_signed_in(&ana).await && !is_signed_in(&other).await);
    let old = app.browser();
    old.set_cookie("sid", &before);
    assert!(!is_signed_in(&old).await);
    // Guesses are counted here too.
    for _ in 0..5 {
        assert_eq!(email("x@example.org", "wrong").await, 422);
    }
    assert_eq!(email("x@example.org", "another horse battery").await, 422);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sessions_are_listed_and_ended() {
    let app = TestApp::start().await;
    let ana = signed_in(&app, "ana").await;
    let (phone, tablet) = (app.browser(), app.browser());
    let sent = phone
        .request(reqwest::Method::POST, "/signin")
        .header("sec-fetch-site", "same-origin")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("user-agent", "Mozilla/5.0 (iPhone; CPU iPhone OS 18 like Mac OS X) Safari/604.1")
        .body(crate::support::app::encode(&[("login", "ana"), ("password", PASSWORD)]));
    phone.send(sent).await;
    sign_in(&tablet, "ana").await;
    let ben = signed_in(&app, "ben").await;
    let html = ana.page("/settings/sessions").await;
    assert_eq!(html.count("main .list li"), 3);
    assert_eq!(html.count("main .badge.ok"), 1);
    assert!(html.texts("main bdi").contains(&"Safari · iPhone".to_owned()));
    // Row SEC-36: another's session is not there.
    let ids = html.attributes("input[name=session]", "value");
    assert_eq!(ids.len(), 2);
    for id in &ids {
        let answer = ben.submit("/settings/sessions/end", &[("session", id)]).await;
        assert_eq!(answer.status, 404);
    }
    assert!(is_signed_in(&phone).await && is_signed_in(&tablet).await);
    assert_eq!(ana.submit("/settings/sessions/end", &[("session", &ids[0])]).await.status, 303);
    assert_ne!(is_signed_in(&phone).await, is_signed_in(&tablet).await);
    assert_eq!(ana.submit("/settings/sessions/end-others", &[]).await.status, 303);
    assert!(!is_signed_in(&phone).await && !is_signed_in(&tablet).await);
    assert!(is_signed_in(&ana).await && is_signed_in(&ben).await);
    app.finish().await;
}

/// Nothing of the person stays; the name is nobody's.
#[tokio::test(flavor = "multi_thread")]
async fn an_account_is_deleted() {
    let app = TestApp::start_with(&[("INKSTONE_LANG", "en")]).await;
    let ana = signed_in(&app, "ana").await;
    let fields = [("name", "Ana Secret"), ("bio", "b"), ("city", "c"), ("website", "example.org")];
    ana.submit("/settings/profile", &fields).await;
    let id = user(&app, doc! {}).await.id;
    let wrong = ana.submit("/settings/delete", &[("password", "wrong")]).await;
    assert_eq!((wrong.status, wrong.html().count("#delete-password-error")), (422, 1));
    let answer = ana.submit("/settings/delete", &[("password", PASSWORD)]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/signin?after=deleted"));
    assert!(!is_signed_in(&ana).await);
    let left = documents(&app.db, "users").await.remove(0);
    for field in ["email", "emailKey", "passwordHash", "avatar", "website"] {
        assert!(!left.contains_key(field), "{field}");
    }
    let name = format!("deleted-{}", id.to_hex());
    for (field, wanted) in [
        ("username", name.as_str()),
        ("usernameKey", &name),
        ("name", "Deleted user"),
        ("bio", ""),
        ("city", ""),
        ("role", "reader"),
        ("status", "deleted"),
    ] {
        assert_eq!(left.get_str(field).unwrap(), wanted);
    }
    assert_eq!(left.get_i64("cardVersion").unwrap(), 3);
    assert_eq!(app.get("/@ana").await.status, 404);
    assert_eq!(app.get(&format!("/@{name}")).await.status, 404);
    assert_eq!(sign_in(&app.browser(), "ana").await.status, 422);
    assert_eq!(sign_in(&app.browser(), "ana@example.org").await.status, 422);
    let sign_up = async |username: &str| {
        let fields = [("username", username), ("email", "ana@example.org"), ("password", PASSWORD)];
        app.post("/signup", &fields).await.status
    };
    assert_eq!(sign_up("ana").await, 422);
    assert_eq!(sign_up("Ana").await, 422);
    // The address may be used again.
    assert_eq!(sign_up("somebody").await, 303);
    app.finish().await;
}

/// What a member wrote stays whole, under nobody's name.
#[tokio::test(flavor = "multi_thread")]
async fn what_a_deleted_member_wrote_is_nobodys() {
    let app = TestApp::start_with(&[("INKSTONE_LANG", "en")]).await;
    let ana = signed_in(&app, "ana").await;
    ana.submit("/settings/profile", &[("name", "Ana Secret"), ("bio", "Lives in Secretville")])
        .await;
    let id = written(&ana, "publish", &[("title", "Kept"), ("body", "words")]).await;
    ana.submit("/settings/delete", &[("password", PASSWORD)]).await;
    app.settle().await;
    let page = app.page("/posts/kept").await;
    assert_eq!(page.text(".head .by bdi"), "Deleted user");
    assert_eq!(page.text(".prose"), "words");
    for path in ["/", "/posts/kept"] {
        let page = app.get(path).await;
        assert!(!page.body.contains("Secret"), "{path}");
        assert_eq!(page.html().count("a[href^='/@']"), 0, "{path}: a link that leads nowhere");
    }
    let ed = app.member("ed", Role::Editor).await;
    assert_eq!(
        ed.page(&format!("/write/{id}/revisions")).await.text("main .list bdi"),
        "Deleted user"
    );
    for collection in app.db.database().list_collection_names().await.unwrap() {
        let all = format!("{:?}", documents(&app.db, &collection).await);
        assert!(!all.contains("Secret"), "{collection}");
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_last_administrator_stays() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Admin).await;
    let ana = app.browser();
    sign_in(&ana, "ana").await;
    let delete = async || ana.submit("/settings/delete", &[("password", PASSWORD)]).await.status;
    assert_eq!(delete().await, 422);
    assert_eq!(user(&app, doc! {}).await.status, UserStatus::Active);
    app.member("ben", Role::Admin).await;
    assert_eq!(delete().await, 303);
    app.finish().await;
}

/// SEC-13: another role, another password or being shut out ends every session.
#[tokio::test(flavor = "multi_thread")]
async fn changes_by_others_sign_out() {
    let app = TestApp::start().await;
    let changes = [
        Change::Role(Role::Editor),
        Change::Role(Role::Reader),
        Change::Password("$argon2id$x".to_owned()),
        Change::Status(UserStatus::Suspended),
    ];
    for (n, change) in changes.into_iter().enumerate() {
        let browser = signed_in(&app, &format!("user{}", ["a", "b", "c", "d"][n])).await;
        let id =
            user(&app, doc! { "usernameKey": format!("user{}", ["a", "b", "c", "d"][n]) }).await.id;
        actions::change(&app.db, id, change.clone()).await.unwrap();
        assert!(!is_signed_in(&browser).await, "{change:?}");
        assert_eq!(sessions(&app.db).count_documents(doc! { "userId": id }).await.unwrap(), 0);
    }
    assert_eq!(sign_in(&app.browser(), "userd").await.status, 422);
    app.finish().await;
}
