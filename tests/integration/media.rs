//! Pictures: sent, made safe, served, used in posts.

use inkstone::{
    domain::{
        image::{ImageType, MAX_SIZE_BYTES, Processed, Sized},
        permission::Role,
    },
    media::{
        actions::{remove, store},
        model::NewMedia,
    },
};
use mongodb::bson::{DateTime, oid::ObjectId};
use reqwest::{Method, header};

use crate::support::{
    app::{Answer, NOW, TestApp},
    browser::Browser,
    database::documents,
    html::Html,
    writing::{again, written},
};

const BOUNDARY: &str = "inkstone-test-boundary";

fn case(name: &str) -> Vec<u8> {
    std::fs::read(format!("tests/cases/{name}")).unwrap()
}

/// The body of a form with a token and files.
fn multipart(token: &str, files: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut body =
        format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"csrf\"\r\n\r\n{token}\r\n")
            .into_bytes();
    for (name, bytes) in files {
        let head = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: image/png\r\n\r\n"
        );
        body.extend_from_slice(head.as_bytes());
        body.extend_from_slice(bytes);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
    body
}

async fn send(browser: &Browser, body: Vec<u8>) -> Answer {
    let request = browser
        .request(Method::POST, "/media")
        .header("sec-fetch-site", "same-origin")
        .header(header::CONTENT_TYPE, format!("multipart/form-data; boundary={BOUNDARY}"))
        .body(body);
    browser.send(request).await
}

async fn upload(browser: &Browser, files: &[(&str, Vec<u8>)]) -> Answer {
    let token = browser.token().await;
    send(browser, multipart(&token, files)).await
}

/// Address of the thumbnail of the newest picture.
fn newest(page: &Html) -> String {
    page.attributes("main li img", "src").into_iter().next().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_photograph_is_sent_shown_used_and_kept() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    assert_eq!(ana.page("/media").await.count(".empty"), 1);
    let answer = upload(&ana, &[("DSC 60.jpg", case("C60.jpg"))]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/media?stored=1"));
    let page = ana.page("/media").await;
    let address = newest(&page);
    assert_eq!(page.text("main li h2"), "DSC 60.jpg");
    let file = app.get(&address).await;
    assert_eq!(file.status, 200);
    for (name, value) in [
        ("content-type", "image/jpeg"),
        ("cache-control", "public, max-age=31536000, immutable"),
        ("content-security-policy", "default-src 'none'; sandbox"),
        ("x-content-type-options", "nosniff"),
        ("cross-origin-resource-policy", "cross-origin"),
    ] {
        assert_eq!(file.header(name), value);
    }
    assert!(file.header("content-disposition").starts_with("inline; filename=\""));
    // Sent again it is the same picture.
    assert_eq!(upload(&ana, &[("again.jpg", case("C60.jpg"))]).await.status, 303);
    assert_eq!(documents(&app.db, "media").await.len(), 1);

    let source = format!("看：\n\n![海边]({address})\n");
    let id = written(&ana, "publish", &[("title", "Photo"), ("body", &source)]).await;
    let post = app.page("/posts/photo").await;
    assert_eq!(post.attribute(".prose img", "src"), address);
    // Case C60: turned upright, 24 by 48.
    assert_eq!(post.attribute(".prose img", "width"), "24");
    assert_eq!(post.attribute(".prose img", "height"), "48");
    assert_eq!(post.count(".prose img[srcset]"), 0, "one size is no choice");
    assert_eq!(post.attribute(".prose img", "alt"), "海边");
    assert_eq!(ana.page("/media").await.text("main li a[href^='/write/']"), "Photo");
    let hash = address.split('/').nth(2).unwrap().to_owned();
    let fields = [("image", hash.as_str())];
    assert_eq!(ana.submit("/settings/images/delete", &fields).await.status, 404, "it is used");
    let fields_of_post = [("title", "Photo"), ("body", "no more")];
    again(&app, &ana, &id, "save", &fields_of_post).await;
    let bob = app.member("bob", Role::Author).await;
    assert_eq!(bob.submit("/settings/images/delete", &fields).await.status, 404, "another's");
    assert_eq!(ana.submit("/settings/images/delete", &fields).await.status, 303);
    assert_eq!(app.get(&address).await.status, 404);
    assert!(documents(&app.db, "media_files").await.is_empty());
    app.finish().await;
}

/// Case C61, SEC-29 and SEC-32: each file by itself, by its bytes alone.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_picture_is_refused_and_the_others_are_stored() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let files = [
        ("drawing.svg", case("C61.svg")),
        ("page.png", case("C61-html-as.png")),
        ("../../照片.php.jpg", case("C61-png-tail.png")),
        ("empty.png", Vec::new()),
        ("large.png", vec![0x89; 11 * 1024 * 1024]),
    ];
    let answer = upload(&ana, &files).await;
    assert_eq!(answer.status, 422);
    let page = answer.html();
    assert_eq!(page.texts(".note.no bdi"), ["drawing.svg", "page.png", "empty.png", "large.png"]);
    assert_eq!(page.text(".note.ok p"), "收下了 1 张图片。");
    assert_eq!(page.text("main li h2"), "照片.php.jpg");
    let file = app.client.get(format!("{}{}", app.url, newest(&page))).send().await.unwrap();
    let bytes = file.bytes().await.unwrap();
    assert!(!bytes.windows(6).any(|window| window == b"script"), "the tail is gone");
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_stores_pictures_without_a_right_token() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    let other = app.member("bob", Role::Author).await.token().await;
    let picture = [("a.jpg", case("C60.jpg"))];
    for token in ["", "x", &other] {
        assert_eq!(send(&ana, multipart(token, &picture)).await.status, 403, "{token}");
    }
    // The token stands first, or it is none.
    let token = ana.token().await;
    let mut swapped = multipart(&token, &picture);
    let start = swapped.windows(4).position(|window| window == b"csrf").unwrap();
    swapped[start..start + 4].copy_from_slice(b"late");
    assert_eq!(send(&ana, swapped).await.status, 403);
    let reader = app.member("rea", Role::Reader).await;
    assert_eq!(upload(&reader, &picture).await.status, 403);
    assert_eq!(reader.get("/media").await.status, 403);
    assert!(app.get("/media").await.header("location").starts_with("/signin"));
    let mut broken = multipart(&token, &picture);
    broken.truncate(broken.len() / 2);
    assert_eq!(send(&ana, broken).await.status, 400);
    assert_eq!(upload(&ana, &[]).await.status, 422);
    assert!(documents(&app.db, "media").await.is_empty());
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_addresses_of_files_are_not_there() {
    let app = TestApp::start().await;
    for path in [
        "/media/0123456789abcdef0123456789abcdef/480.jpg",
        "/media/0123456789abcdef0123456789abcdef/480.svg",
        "/media/0123456789ABCDEF0123456789abcdef/480.jpg",
        "/media/..%2f..%2fetc/passwd",
        "/media/x/1.jpg",
        "/media/0123456789abcdef0123456789abcdef/0480.jpg",
        "/media/0123456789abcdef0123456789abcdef/",
    ] {
        assert_eq!(app.get(path).await.status, 404, "{path}");
    }
    app.finish().await;
}

/// The picture on cards, and everywhere after a change.
#[tokio::test(flavor = "multi_thread")]
async fn a_picture_becomes_an_avatar() {
    let app = TestApp::start().await;
    let ana = app.member("ana", Role::Author).await;
    written(&ana, "publish", &[("title", "Mine"), ("body", "x")]).await;
    upload(&ana, &[("me.jpg", case("C60.jpg"))]).await;
    let address = newest(&ana.page("/media").await);
    let hash = address.split('/').nth(2).unwrap().to_owned();
    let answer = ana.submit("/settings/avatar", &[("image", &hash)]).await;
    assert_eq!((answer.status, answer.header("location")), (303, "/@ana"));
    app.settle().await;
    for path in ["/@ana", "/posts/mine"] {
        let faces = app.page(path).await.attributes("main img.face", "src");
        assert!(!faces.is_empty() && faces.iter().all(|face| *face == address), "{path}");
    }
    assert_eq!(ana.submit("/settings/images/delete", &[("image", &hash)]).await.status, 404);
    app.finish().await;
}

/// Four sizes of the most bytes that a size may have, in one transaction.
#[tokio::test(flavor = "multi_thread")]
async fn the_largest_picture_is_stored() {
    let app = TestApp::start().await;
    let sizes = [480, 960, 1600, 2400];
    let of_width = |width| Sized { width, height: 10, bytes: vec![7; MAX_SIZE_BYTES] };
    let processed = Processed { image_type: ImageType::Jpeg, sizes: sizes.map(of_width).into() };
    let owner = ObjectId::new();
    let now = DateTime::from_millis(NOW);
    let new = NewMedia::new("0".repeat(32), owner, "large".to_owned(), processed, now);
    store(&app.db, &new).await.unwrap();
    for width in sizes {
        let file = app.client.get(format!("{}/media/{}/{width}.jpg", app.url, "0".repeat(32)));
        let bytes = file.send().await.unwrap().bytes().await.unwrap();
        assert_eq!(bytes.len(), MAX_SIZE_BYTES);
    }
    let path = |width| format!("/media/{}/{width}.jpg", "0".repeat(32));
    let known = new.media.image_size();
    assert_eq!(
        known.srcset,
        sizes.map(|width| format!("{} {width}w", path(width))).join(", "),
        "a browser chooses among them"
    );
    assert!(remove(&app.db, &new.media).await.unwrap());
    assert!(documents(&app.db, "media_files").await.is_empty());
    app.finish().await;
}
