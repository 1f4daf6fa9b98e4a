//! Becoming a member, guessing passwords, forgetting them.

use futures_util::future::join_all;
use inkstone::domain::permission::Role;
use mongodb::bson::doc;

use crate::{
    accounts::{PASSWORD, account, is_signed_in, sign_in},
    support::{
        app::{Answer, TestApp},
        database::{documents, scratch},
    },
};

async fn sign_up(app: &TestApp, username: &str, email: &str) -> Answer {
    let fields = [("username", username), ("email", email), ("password", PASSWORD)];
    app.browser().post("/signup", &fields).await
}

/// Everything that could tell one answer from another.
fn normalised(answer: &Answer) -> (u16, String, Vec<String>) {
    let headers = answer.headers.iter();
    let mut headers: Vec<_> = headers
        .filter(|(name, _)| *name != "x-request-id" && *name != "date")
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort();
    (answer.status, answer.body.clone(), headers)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_becomes_a_member() {
    let app = TestApp::start().await;
    let answer = sign_up(&app, "LinMo", " Lin@Example.org ").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/signin?after=signup"));
    assert_eq!(answer.header("set-cookie"), "");
    assert_eq!(app.page("/signin?after=signup").await.count(".note.ok"), 1);
    let users = documents(&app.db, "users").await;
    assert_eq!(users.len(), 1);
    // As typed, and in the form that it is known by.
    for (field, wanted) in [
        ("username", "LinMo"),
        ("usernameKey", "linmo"),
        ("email", "Lin@Example.org"),
        ("emailKey", "lin@example.org"),
        ("role", "author"),
        ("status", "active"),
    ] {
        assert_eq!(users[0].get_str(field).unwrap(), wanted);
    }
    let rows = documents(&app.db, "addresses").await;
    let ids: Vec<_> = rows.iter().map(|row| row.get_str("_id").unwrap()).collect();
    assert_eq!(ids, ["e/lin@example.org", "l/llnmo", "u/linmo"]);
    let browser = app.browser();
    assert_eq!(sign_in(&browser, "LIN@example.org").await.status, 303);
    assert!(is_signed_in(&browser).await);
    assert_eq!(app.page("/@linmo").await.text("h1"), "LinMo");
    app.finish().await;
}

/// Case C55: one account, however it is written and however many ask at once.
#[tokio::test(flavor = "multi_thread")]
async fn one_address_and_one_name_are_one_account() {
    let app = TestApp::start().await;
    let mails = ["A@example.org", "a@Example.ORG", " a@example.org ", "ａ@example.org"];
    let answers = join_all((0..8).map(async |n| {
        let name = format!("name{}", ["one", "two", "six", "ten"][n % 4]);
        sign_up(&app, &format!("{name}{}", "x".repeat(n / 4)), mails[n % 4]).await
    }))
    .await;
    // Nobody is told that another was first.
    assert!(answers.iter().all(|answer| answer.status == 303));
    assert_eq!(documents(&app.db, "users").await.len(), 1);
    let names = ["Mira", "mira", "ｍｉｒａ", "mіra", "m1ra", "mi-ra", "MIRA", "mìra"];
    let answers = join_all(names.iter().enumerate().map(|(n, name)| {
        let app = &app;
        async move { sign_up(app, name, &format!("m{n}@example.org")).await }
    }))
    .await;
    let made = answers.iter().filter(|answer| answer.status == 303).count();
    let refused: Vec<_> = answers.iter().filter(|answer| answer.status == 422).collect();
    assert_eq!((made, refused.len()), (1, 7));
    assert_eq!(refused[0].html().count("#username-error"), 1);
    assert_eq!(documents(&app.db, "users").await.len(), 2);
    // The losers left nothing behind: their addresses can be used.
    assert_eq!(documents(&app.db, "addresses").await.len(), 6);
    for admin in ["Admin", "admin", "ａｄｍｉｎ", "аdmin"] {
        assert_eq!(sign_up(&app, admin, "admin@example.org").await.status, 422, "{admin}");
    }
    app.finish().await;
}

/// What was typed comes back, but the password; SEC-35: only its own fields count.
#[tokio::test(flavor = "multi_thread")]
async fn mistakes_come_back_and_foreign_fields_are_nothing() {
    let app = TestApp::start().await;
    let fields = [("username", "a b"), ("email", "x"), ("password", "password")];
    let answer = app.post("/signup", &fields).await;
    assert_eq!(answer.status, 422);
    let html = answer.html();
    assert_eq!(html.attribute("#username", "value"), "a b");
    assert_eq!(html.attribute("#email", "value"), "x");
    assert_eq!(html.attribute("#password", "value"), "");
    assert_eq!(html.count("p.err"), 3);
    let mut fields = vec![("username", "ana"), ("email", "a@example.org"), ("password", PASSWORD)];
    let foreign =
        ["role", "status", "_id", "cardVersion", "stats.posts", "passwordHash", "emailKey"];
    fields.extend(foreign.map(|field| (field, "admin")));
    assert_eq!(app.post("/signup", &fields).await.status, 303);
    let user = documents(&app.db, "users").await.remove(0);
    assert_eq!(user.get_str("role").unwrap(), "author");
    assert_eq!(user.get_i64("cardVersion").unwrap(), 1);
    assert!(user.get_str("passwordHash").unwrap().starts_with("$argon2id$"));
    assert_eq!(user.get_str("emailKey").unwrap(), "a@example.org");
    app.finish().await;
}

/// SEC-34: an operator in the place of a value is text or a bad request.
#[tokio::test(flavor = "multi_thread")]
async fn operators_are_no_values() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    let before = documents(&app.db, "users").await;
    for path in ["/signin", "/signup", "/reset", "/reset/password"] {
        for (field, value) in [
            ("login[$ne]", ""),
            ("login[$gt]", ""),
            ("password[$ne]", "x"),
            ("password[$regex]", ".*"),
            ("username[$exists]", "true"),
            ("email[$ne]", ""),
            ("login", "{\"$ne\": \"\"}"),
            ("login", "{\"$gt\": \"\"}"),
            ("token", "{\"$ne\": null}"),
            ("token[$ne]", ""),
            ("email", "{\"$ne\":1}@x.y"),
        ] {
            let answer = app.post(path, &[(field, value)]).await;
            assert!((400..500).contains(&answer.status), "{path} {field}: {}", answer.status);
        }
        let doubled = app.post_body(path, "login=a&login=b&email=a&email=b&token=1&token=2");
        assert!((400..500).contains(&doubled.await.status), "{path}");
    }
    assert_eq!(documents(&app.db, "users").await, before);
    assert_eq!(documents(&app.db, "sessions").await.len(), 0);
    app.finish().await;
}

/// SEC-3: nobody learns whether there is an account.
#[tokio::test(flavor = "multi_thread")]
async fn answers_do_not_tell_who_has_an_account() {
    let folder = scratch("mail-enumeration");
    let app = TestApp::start_with(&[("INKSTONE_DATA", folder.to_str().unwrap())]).await;
    account(&app, "ana", Role::Author).await;
    let wrong = async |login: &str| {
        let fields = [("login", login), ("password", "wrong-password"), ("next", "/")];
        let answer = app.browser().post("/signin", &fields).await;
        let (status, body, mut headers) = normalised(&answer);
        // As long as what was typed is.
        headers.retain(|header| !header.starts_with("content-length"));
        let shown = format!("value=\"{login}\"");
        (status, body.replace(&shown, "value=\"LOGIN\""), headers)
    };
    let known = wrong("ana").await;
    assert_eq!(known.0, 422);
    for unknown in ["bob", "bob@example.org", "ana@example.org", "$ne", "admin"] {
        assert!(wrong(unknown).await == known, "{unknown}");
    }
    let asked = async |email: &str| normalised(&app.post("/reset", &[("email", email)]).await);
    assert_eq!(asked("ana@example.org").await, asked("bob@example.org").await);
    let fresh = normalised(&sign_up(&app, "fresh", "fresh@example.org").await);
    assert_eq!(normalised(&sign_up(&app, "other", "ANA@example.org").await), fresh);
    assert_eq!(documents(&app.db, "users").await.len(), 2);
    app.state.writes.finished().await;
    app.finish().await;
}

/// SEC-4 and case C58: five wrong passwords, and the header changes nothing.
#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_counted() {
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    account(&app, "ben", Role::Author).await;
    let guess = async |login: &str, password: &str, n: usize| {
        let browser = app.browser();
        let request = browser
            .request(reqwest::Method::POST, "/signin")
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("x-forwarded-for", format!("198.51.100.{n}"))
            .header("forwarded", format!("for=198.51.100.{n}"))
            .header("x-real-ip", format!("198.51.100.{n}"))
            .body(crate::support::app::encode(&[("login", login), ("password", password)]));
        browser.send(request).await
    };
    let owner = app.browser();
    assert_eq!(sign_in(&owner, "ana").await.status, 303);
    for n in 0..5 {
        assert_eq!(guess("ana", "wrong", n).await.status, 422, "{n}");
    }
    for n in 5..50 {
        let answer = guess("Ana", PASSWORD, n).await;
        assert_eq!(answer.status, 429, "{n}");
        let wait: i64 = answer.header("retry-after").parse().unwrap();
        assert!((1..=300).contains(&wait), "{wait}");
        assert_eq!(answer.html().attribute("#login", "value"), "Ana");
        assert!(!answer.body.contains(PASSWORD));
        if n == 10 {
            // Others on the network are not shut out before its own limit.
            assert_eq!(guess("ben", PASSWORD, n).await.status, 303);
        }
    }
    assert!(is_signed_in(&owner).await);
    assert_eq!(guess("ben", PASSWORD, 1).await.status, 429);
    app.pass_millis(300_000);
    assert_eq!(guess("ana", PASSWORD, 1).await.status, 303);
    app.finish().await;
}

/// Case C58: many addresses against one account, behind a trusted proxy.
#[tokio::test(flavor = "multi_thread")]
async fn one_account_is_guarded_against_many_addresses() {
    let app = TestApp::start_with(&[("INKSTONE_TRUSTED_PROXIES", "127.0.0.1")]).await;
    account(&app, "ana", Role::Author).await;
    let guess = async |password: &str, from: String| {
        let browser = app.browser();
        let request = browser
            .request(reqwest::Method::POST, "/signin")
            .header("sec-fetch-site", "same-origin")
            .header("content-type", "application/x-www-form-urlencoded")
            .header("x-forwarded-for", format!("8.8.8.8, {from}"))
            .body(crate::support::app::encode(&[("login", "ana"), ("password", password)]));
        browser.send(request).await.status
    };
    let mut statuses = Vec::new();
    for n in 0..50 {
        statuses.push(guess("wrong", format!("198.51.100.{n}")).await);
    }
    assert!(statuses[..25].iter().all(|status| *status == 422), "{statuses:?}");
    assert!(statuses[25..].iter().all(|status| *status == 429), "{statuses:?}");
    app.pass_millis(3_600_000);
    assert_eq!(guess(PASSWORD, "198.51.100.1".to_owned()).await, 303);
    // One customer's IPv6 network is one sender.
    for n in 0..5 {
        assert_eq!(guess("wrong", format!("2001:db8:1:2::{n}")).await, 422);
    }
    assert_eq!(guess("wrong", "2001:db8:1:2:ffff::9".to_owned()).await, 429);
    assert_eq!(guess("wrong", "2001:db8:1:3::9".to_owned()).await, 422);
    app.finish().await;
}

/// SEC-1: a hash of former days is replaced at the next sign-in.
#[tokio::test(flavor = "multi_thread")]
async fn old_hashes_are_renewed() {
    use argon2::{Algorithm, Argon2, Params, PasswordHasher, Version};
    let app = TestApp::start().await;
    account(&app, "ana", Role::Author).await;
    let weak =
        Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(9728, 1, 1, None).unwrap());
    let weak = weak.hash_password(PASSWORD.as_bytes()).unwrap().to_string();
    let users = inkstone::users::collection::users(&app.db);
    let change = doc! { "$set": { "passwordHash": &weak } };
    users.update_one(doc! {}, change).await.unwrap();
    let hash = async || users.find_one(doc! {}).await.unwrap().unwrap().password_hash.unwrap();
    let fields = [("login", "ana"), ("password", "wrong-password")];
    app.browser().post("/signin", &fields).await;
    assert_eq!(hash().await, weak);
    assert_eq!(sign_in(&app.browser(), "ana").await.status, 303);
    assert!(hash().await.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    assert_eq!(sign_in(&app.browser(), "ana").await.status, 303);
    app.finish().await;
}

/// Letters in the folder, the oldest being of no use.
async fn letters(app: &TestApp, folder: &std::path::Path, count: usize) -> Vec<String> {
    for _ in 0..100 {
        app.state.writes.finished().await;
        let files = std::fs::read_dir(folder.join("mail"))
            .map(|files| files.map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap()));
        let letters: Vec<_> = files.into_iter().flatten().collect();
        if letters.len() >= count {
            return letters;
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    panic!("{count} letters were not written");
}

/// The path and query of the link in a letter. Long lines are broken by `=`.
fn link(letter: &str) -> String {
    let text = letter.replace("=\r\n", "").replace("=3D", "=");
    let at = text.find("http://").unwrap();
    let url = text[at..].split_whitespace().next().unwrap();
    url.split_once("://").unwrap().1.split_once('/').map(|(_, path)| format!("/{path}")).unwrap()
}

/// SEC-6: a link by letter, good once and for an hour.
#[tokio::test(flavor = "multi_thread")]
async fn a_forgotten_password_is_replaced() {
    let folder = scratch("mail-reset");
    let app = TestApp::start_with(&[
        ("INKSTONE_DATA", folder.to_str().unwrap()),
        ("INKSTONE_LANG", "en"),
    ])
    .await;
    account(&app, "ana", Role::Author).await;
    let browser = app.browser();
    sign_in(&browser, "ana").await;
    let answer = app
        .browser()
        .send(
            app.client
                .post(format!("{}/reset", app.url))
                .header("sec-fetch-site", "same-origin")
                .header("content-type", "application/x-www-form-urlencoded")
                .header("x-forwarded-host", "evil.example")
                .body("email=ANA%40example.org"),
        )
        .await;
    assert_eq!((answer.status, answer.header("location")), (303, "/reset?sent=1"));
    let letter = letters(&app, &folder, 1).await.remove(0);
    assert!(letter.contains("To: ana@Example.org") && !letter.contains("evil.example"), "{letter}");
    let path = link(&letter);
    let token = path.strip_prefix("/reset?token=").unwrap().to_owned();
    let stored = documents(&app.db, "tokens").await;
    assert_eq!(stored.len(), 1);
    assert!(!stored[0].to_string().contains(&token));

    let page = app.get(&path).await;
    assert_eq!((page.status, page.header("referrer-policy")), (200, "no-referrer"));
    let set = async |password: &str| {
        app.post("/reset/password", &[("token", &token), ("password", password)]).await
    };
    assert_eq!(set("short").await.status, 422);
    let answer = set("another horse battery").await;
    assert_eq!((answer.status, answer.header("location")), (303, "/signin?after=reset"));
    assert_eq!(answer.header("set-cookie"), "");
    assert!(!is_signed_in(&browser).await);
    assert_eq!(sign_in(&browser, "ana").await.status, 422);
    let fields = [("login", "ana"), ("password", "another horse battery")];
    assert_eq!(browser.post("/signin", &fields).await.status, 303);
    // Once.
    assert_eq!(set("a third horse battery").await.status, 422);
    assert_eq!(app.get(&path).await.status, 422);
    // And a notice that it happened.
    assert_eq!(letters(&app, &folder, 2).await.len(), 2);

    app.post("/reset", &[("email", "ana@example.org")]).await;
    let third = letters(&app, &folder, 3).await;
    let is_new = |letter: &&String| {
        letter.contains("token") && !letter.replace("=\r\n", "").contains(&token)
    };
    let path = link(third.iter().find(is_new).unwrap());
    app.pass_millis(3_600_001);
    assert_eq!(app.get(&path).await.status, 422);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sign_up_can_be_by_invitation_or_closed() {
    use inkstone::users::{actions::make_link, model::Purpose};
    let app = TestApp::start_with(&[("INKSTONE_SIGNUP", "invitation")]).await;
    assert_eq!(app.get("/signup").await.status, 403);
    assert_eq!(sign_up(&app, "ana", "a@example.org").await.status, 403);
    let token = make_link(&app.state, Purpose::Invitation, None).await.unwrap();
    let path = format!("/signup?invitation={}", token.as_str());
    let invitation = app.page(&path).await.attribute("input[name=invitation]", "value");
    // Two at once: one of them.
    let answers = join_all(["ana", "ben"].map(|name| {
        let (app, invitation) = (&app, &invitation);
        async move {
            let email = format!("{name}@example.org");
            let fields = [
                ("username", name),
                ("email", &email),
                ("password", PASSWORD),
                ("invitation", invitation),
            ];
            app.post("/signup", &fields).await.status
        }
    }))
    .await;
    assert_eq!(answers.iter().filter(|status| **status == 303).count(), 1, "{answers:?}");
    assert_eq!(documents(&app.db, "users").await.len(), 1);
    assert_eq!(app.get(&path).await.status, 403);
    app.finish().await;
    let app = TestApp::start_with(&[("INKSTONE_SIGNUP", "closed")]).await;
    assert_eq!(app.get("/signup").await.status, 403);
    assert_eq!(sign_up(&app, "ana", "a@example.org").await.status, 403);
    assert_eq!(documents(&app.db, "users").await.len(), 0);
    app.finish().await;
}
