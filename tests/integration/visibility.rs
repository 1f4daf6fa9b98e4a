//! What is not public is found nowhere: every surface, looked at by everybody.

use inkstone::domain::permission::Role;

use crate::support::{
    app::{Answer, TestApp},
    browser::Browser,
    writing::{again, written},
};

/// Where a post, its words, its tag or its author might show. A feature that shows
/// posts adds its pages.
const SURFACES: &[&str] = &[
    "/",
    "/tags",
    "/tags/hidden-tag",
    "/categories",
    "/categories/shelf",
    "/archive",
    "/archive/2026/05",
    "/@ana",
    "/posts/neighbour",
    "/posts/neighbour/comments",
    "/metrics",
];

/// What is asked of a hidden post itself, by its slug.
const OF_POST: &[&str] = &["", "/comments", "/comments/65f000000000000000000000"];

/// A post in each status that hides it.
const HIDDEN: &[&str] = &["draft", "scheduled", "unpublished", "deleted"];

/// Who looks; `None` is a visitor.
struct Viewer {
    name: &'static str,
    browser: Option<Browser>,
    /// Whether the posts of ana are theirs to read.
    may_edit: bool,
}

impl Viewer {
    async fn get(&self, app: &TestApp, path: &str) -> Answer {
        match &self.browser {
            Some(browser) => browser.get(path).await,
            None => app.get(path).await,
        }
    }
}

fn marker(state: &str) -> String {
    format!("marker-{state}-word")
}

/// Case C38, SEC-37.
#[tokio::test(flavor = "multi_thread")]
async fn hidden_posts_leak_nowhere() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    written(&ana, "publish", &[("title", "Neighbour"), ("body", "plain")]).await;
    for state in HIDDEN {
        let marker = marker(state);
        let fields = [
            ("title", marker.as_str()),
            ("body", marker.as_str()),
            ("tags", "hidden-tag"),
            ("slug", state),
            ("publish_at", if *state == "scheduled" { "2026-05-12T10:00" } else { "" }),
        ];
        let action = if *state == "draft" { "save" } else { "publish" };
        let id = written(&ana, action, &fields).await;
        match *state {
            "unpublished" => assert_eq!(again(&app, &ana, &id, "unpublish", &[]).await.status, 303),
            "deleted" => assert_eq!(again(&app, &ana, &id, "delete", &[]).await.status, 303),
            _ => {}
        }
    }
    let member = |name, role| app.member(name, role);
    let viewers = [
        Viewer { name: "visitor", browser: None, may_edit: false },
        Viewer {
            name: "reader",
            browser: Some(member("rea", Role::Reader).await),
            may_edit: false,
        },
        Viewer {
            name: "author",
            browser: Some(member("bob", Role::Author).await),
            may_edit: false,
        },
        Viewer { name: "owner", browser: Some(ana), may_edit: true },
        Viewer { name: "editor", browser: Some(member("ed", Role::Editor).await), may_edit: true },
    ];
    let mut cells = 0;
    for viewer in &viewers {
        // Lists are of what is public, for its author too.
        for path in SURFACES {
            let answer = viewer.get(&app, path).await;
            assert!(answer.status < 500, "{path}");
            assert!(
                !answer.body.contains("marker-"),
                "{} sees a marker on {path}: {}",
                viewer.name,
                answer.body
            );
            cells += 1;
        }
        for state in HIDDEN {
            for part in OF_POST {
                let path = format!("/posts/{state}{part}");
                let answer = viewer.get(&app, &path).await;
                let wanted = match (*state, viewer.may_edit, *part) {
                    ("deleted", _, _) => 410,
                    (_, true, "" | "/comments") => 200,
                    _ => 404,
                };
                assert_eq!(answer.status, wanted, "{} {path}", viewer.name);
                let shows = answer.body.contains(&marker(state));
                assert_eq!(shows, wanted == 200, "{} {path}", viewer.name);
                assert!(
                    !answer.header("cache-control").contains("public") || wanted != 200,
                    "{path} may be kept"
                );
                cells += 1;
            }
        }
    }
    // A form sent to a hidden post is refused like its page, and says no more.
    for state in HIDDEN {
        let fields = [("name", "A"), ("body", "hello")];
        let answer = app.post(&format!("/posts/{state}/comments"), &fields).await;
        assert_eq!(answer.status, if *state == "deleted" { 410 } else { 404 }, "{state}");
        assert!(!answer.body.contains("marker-"));
        cells += 1;
    }
    println!("cells={cells} leaks=0");
    app.finish().await;
}
