//! Whatever a stranger sends gets 400, 404, 413 or 422, never 500.

use reqwest::{Method, header};

use crate::support::{
    app::{Answer, TestApp},
    factories::published,
};

const ODD: &[&str] = &[
    "%00",
    "abc%00",
    "%FF%FE",
    "%ED%A0%80",
    "%C0%AF",
    "..%2F..%2Fetc%2Fpasswd",
    "%2e%2e",
    "%",
    "%zz",
    "$ne",
    "[$ne]",
    "{\"$gt\":\"\"}",
    "'",
    "%22%3E%3Cscript%3E",
    "%E2%80%AE",
    "%F0%9F%98%80",
    "-1",
    "0",
    "9223372036854775808",
    "NaN",
    "null",
    "%0A",
    "%0d%0aX:1",
    "a%20b",
    "%25",
    "~",
    "*",
    "%EF%BC%92",
    "constructor",
    "__proto__",
];

const CURSORS: &[&str] = &[
    "x",
    "-",
    "0",
    "1-",
    "-1",
    "%00",
    "%FF",
    "99999999999999999999999999-65f000000000000000000000",
    "9223372036854775807-65f000000000000000000000",
    "-9223372036854775808-65f000000000000000000000",
    "1-ZZf000000000000000000000",
    "65f000000000000000000000",
    "1%2D65f0",
    "[$gt]=1",
    "%F0%9F",
];

#[tokio::test(flavor = "multi_thread")]
async fn odd_addresses_are_not_found_or_bad() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let mut seen = 0;
    for odd in ODD {
        let long = "a".repeat(5000);
        for segment in [*odd, long.as_str()] {
            for path in [
                format!("/{segment}"),
                format!("/posts/{segment}"),
                format!("/posts/{segment}/comments"),
                format!("/posts/one/comments/{segment}"),
                format!("/tags/{segment}"),
                format!("/categories/{segment}"),
                format!("/@{segment}"),
                format!("/static/{segment}"),
            ] {
                seen += 1;
                let status = raw(&app, Method::GET, &path, &[], "").await;
                assert!([400, 404].contains(&status), "{path}: {status}");
            }
        }
    }
    assert_eq!(seen, ODD.len() * 16);
    app.finish().await;
}

/// Case C37.
#[tokio::test(flavor = "multi_thread")]
async fn odd_cursors_are_not_found_or_the_first_page() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    for cursor in CURSORS {
        for parameter in ["before", "after", "sort", "page", "limit"] {
            for list in ["/", "/posts/one/comments", "/posts/one"] {
                let path = format!("{list}?{parameter}={cursor}");
                let status = raw(&app, Method::GET, &path, &[], "").await;
                assert!([200, 302, 400, 404].contains(&status), "{path}: {status}");
            }
        }
    }
    for path in ["/?before=a&before=b", "/?before=x&after=y", "/?%FF=%FF", "/?&&&=", "/?before"] {
        let status = raw(&app, Method::GET, path, &[], "").await;
        assert!([200, 400, 404].contains(&status), "{path}: {status}");
    }
    assert_eq!(app.get("/?before=&after=").await.status, 200);
    app.finish().await;
}

/// Case C22 and its kind.
#[tokio::test(flavor = "multi_thread")]
async fn odd_forms_are_told_what_is_wrong() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let long = |field: &str, n: usize| format!("name=A&body=b&{field}={}", "%E5%AD%97".repeat(n));
    for (body, wanted) in [
        ("name=A&body=hello%00world".to_owned(), 303),
        ("name=%00&body=x".to_owned(), 422),
        ("name=A&body=%FF%FE".to_owned(), 303),
        ("name=A&body=%ED%A0%80".to_owned(), 303),
        ("name=A&body=a%0Bb%1Fc".to_owned(), 303),
        ("name=A&body=x&body=y".to_owned(), 400),
        ("name=A&body=x&parent[$ne]=x".to_owned(), 303),
        ("name[$gt]=&body[$gt]=".to_owned(), 422),
        (String::new(), 422),
        ("&&&===&%".to_owned(), 422),
        ("name=A&body=y&url=http%3A%2F%2Fspam".to_owned(), 422),
        ("name=A&body=y&website=javascript:alert(1)".to_owned(), 422),
        ("name=A&body=".to_owned() + &"%E5%AD%97".repeat(5000), 303),
        ("name=A&body=".to_owned() + &"%E5%AD%97".repeat(5001), 422),
        ("name=A&body=".to_owned() + &"%3E".repeat(5000), 422),
        (long("name2", 1), 303),
        ("body=b&name=".to_owned() + &"%E5%AD%97".repeat(200), 422),
        ("body=b&name=A&email=".to_owned() + &"a".repeat(300) + "%40example.org", 422),
        ("body=b&name=A&parent=".to_owned() + &"f".repeat(10_000), 422),
        ("x".repeat(300_000), 413),
    ] {
        let answer = app.post_body("/posts/one/comments", body.clone()).await;
        let shown: String = body.chars().take(60).collect();
        assert_eq!(answer.status, wanted, "{shown}: {}", answer.body);
    }
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn odd_headers_do_no_harm() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    let form = "application/x-www-form-urlencoded";
    for (name, value) in [
        ("content-type", "application/json"),
        ("content-type", "multipart/form-data; boundary=x"),
        ("content-type", ""),
        ("content-type", "\u{ff}"),
    ] {
        let headers = [("sec-fetch-site", "same-origin"), (name, value)];
        let status =
            raw(&app, Method::POST, "/posts/one/comments", &headers, "name=A&body=x").await;
        assert_eq!(status, 400, "{value}");
    }
    for (name, value) in [
        ("cookie", "theme=\"><script>"),
        ("cookie", ";;;=;=;theme"),
        ("cookie", "theme=%00"),
        ("user-agent", "<script>alert(1)</script>"),
        ("user-agent", "\u{e9}\u{ff}"),
        ("referer", "javascript:alert(1)"),
        ("host", "evil.example"),
        ("x-forwarded-for", "8.8.8.8, ','"),
        ("forwarded", "for=\"_x\";host=evil"),
        ("if-none-match", "\"x\", W/\"y\", *, garbage"),
        ("accept-encoding", "identity;q=0, *;q=0"),
        ("range", "bytes=999999999999-"),
    ] {
        let sheet = app.page("/").await.attribute("link[rel=stylesheet]", "href");
        for path in ["/", "/posts/one", "/nowhere", &sheet] {
            let status = raw(&app, Method::GET, path, &[(name, value)], "").await;
            assert!([200, 404].contains(&status), "{name}: {value} {path}: {status}");
        }
        let headers = [("sec-fetch-site", "same-origin"), ("content-type", form), (name, value)];
        let status = raw(&app, Method::POST, "/theme", &headers, "theme=%00").await;
        assert_eq!(status, 303, "{name}: {value}");
    }
    app.finish().await;
}

/// The status of a request put together by hand, so that no client tidies it.
async fn raw(
    app: &TestApp,
    method: Method,
    path: &str,
    headers: &[(&str, &str)],
    body: &str,
) -> u16 {
    use std::fmt::Write as _;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    let address = app.url.strip_prefix("http://").unwrap();
    let mut request = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\n");
    if !headers.iter().any(|(name, _)| *name == "host") {
        write!(request, "Host: {address}\r\n").unwrap();
    }
    for (name, value) in headers {
        write!(request, "{name}: {value}\r\n").unwrap();
    }
    write!(request, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let text = String::from_utf8_lossy(&answer);
    text.split(' ')
        .nth(1)
        .and_then(|status| status.parse().ok())
        .unwrap_or_else(|| panic!("{text}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn head_is_answered_like_get() {
    let app = TestApp::start().await;
    published(&app.db, "one").await;
    for path in ["/", "/posts/one", "/posts/one/comments"] {
        let request = app.client.head(format!("{}{path}", app.url));
        let answer = Answer::of(request.send().await.unwrap()).await;
        assert_eq!((answer.status, answer.body.as_str()), (200, ""), "{path}");
        assert_eq!(answer.headers[header::CONTENT_TYPE], "text/html; charset=utf-8");
    }
    app.finish().await;
}
