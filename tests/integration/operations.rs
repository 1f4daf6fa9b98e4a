//! `/healthz`, `/readyz`, `/metrics`, and stopping while there is work.

use std::{
    io::{Read, Write},
    net::TcpStream,
    process::Child,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::{
    start::{engine_of, get, inkstone, run},
    support::{app::TestApp, database::scratch},
};

const POST: &str = "/posts/undo-is-a-kindness";
const COMMENT: &str = "name=Ana&body=Sent+while+stopping";

/// The program; a test that fails leaves none behind.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        // It has usually ended by itself.
        self.0.kill().ok();
        self.0.wait().ok();
    }
}

/// The program in a folder of its own, with sample content.
fn serve_with(name: &str, variables: &[(&str, &str)]) -> (Running, String) {
    let mut command = inkstone(&scratch(name), &["serve", "--seed-if-empty"]);
    command.envs(variables.iter().copied());
    let (child, address) = run(command);
    (Running(child), address)
}

fn signal(child: &Running, signal: Signal) {
    kill_process(Pid::from_child(&child.0), signal).unwrap();
}

/// Waits for something that happens soon.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let deadline = Instant::now() + Duration::from_secs(10);
    while !is_so() {
        assert!(Instant::now() < deadline, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn post_comment(address: &str, sent: &str) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    write!(
        stream,
        "POST {POST}/comments HTTP/1.1\r\nHost: {address}\r\nSec-Fetch-Site: same-origin\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\
         Connection: close\r\n\r\n{sent}",
        COMMENT.len()
    )
    .unwrap();
    stream
}

/// A comment of which the half was sent, and which the program waits for.
fn half_a_comment(address: &str) -> TcpStream {
    let stream = post_comment(address, &COMMENT[..10]);
    // It, and the request that asks.
    let both = "\ninkstone_http_requests_in_flight 2\n";
    until("the request is under way", || get(address, "/metrics").contains(both));
    stream
}

fn answer(mut stream: TcpStream) -> String {
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

fn is_closed(address: &str) -> bool {
    TcpStream::connect(address).is_err()
}

#[test]
fn a_request_under_way_is_answered_after_sigterm() {
    let (mut child, address) = serve_with("stop-under-way", &[]);
    let mut stream = half_a_comment(&address);
    signal(&child, Signal::TERM);
    until("no new connections", || is_closed(&address));
    assert!(child.0.try_wait().unwrap().is_none());
    stream.write_all(&COMMENT.as_bytes()[10..]).unwrap();
    let answer = answer(stream);
    assert!(answer.starts_with("HTTP/1.1 303"), "{answer}");
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

#[test]
fn while_draining_the_program_is_not_ready_and_still_answers() {
    let (mut child, address) = serve_with("drain", &[("INKSTONE_SHUTDOWN_DRAIN", "3")]);
    assert!(get(&address, "/readyz").ends_with("\r\n\r\nready\n"));
    let start = Instant::now();
    signal(&child, Signal::TERM);
    until("not ready", || get(&address, "/readyz").starts_with("HTTP/1.1 503"));
    assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
    let not_ready = get(&address, "/readyz");
    assert!(not_ready.ends_with("\r\n\r\ndraining\n"), "{not_ready}");
    assert!(get(&address, POST).starts_with("HTTP/1.1 200"));
    assert!(get(&address, "/healthz").starts_with("HTTP/1.1 200"));
    assert!(answer(post_comment(&address, COMMENT)).starts_with("HTTP/1.1 303"));
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
    assert!(start.elapsed() >= Duration::from_secs(3), "{:?}", start.elapsed());
}

/// The engine holds its folder alone, so a command asks the one that runs.
#[test]
fn commands_work_beside_a_running_site() {
    let folder = scratch("beside");
    let (child, address) = run(inkstone(&folder, &["serve", "--seed-if-empty"]));
    let mut site = Running(child);
    let doctor = inkstone(&folder, &["doctor", "--json"]).output().unwrap();
    let checks: Vec<serde_json::Value> = serde_json::from_slice(&doctor.stdout).unwrap();
    for name in ["connection", "indexes", "pages"] {
        assert!(
            checks.iter().any(|check| check["name"] == name && check["outcome"] == "pass"),
            "{checks:#?}"
        );
    }
    let init = inkstone(&folder, &["init"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&init.stdout), "everything was there\n");
    assert!(get(&address, "/readyz").ends_with("\r\n\r\nready\n"), "the site goes on");
    signal(&site, Signal::TERM);
    assert_eq!(site.0.wait().unwrap().code(), Some(0));
    // By itself again, the command starts an engine of its own.
    let init = inkstone(&folder, &["init"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&init.stdout), "everything was there\n");
}

#[test]
fn a_program_whose_log_nobody_reads_any_more_serves_and_stops() {
    let (mut child, address) = serve_with("no-log", &[]);
    drop(child.0.stderr.take());
    for _ in 0..3 {
        assert!(get(&address, POST).starts_with("HTTP/1.1 200"));
    }
    signal(&child, Signal::TERM);
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

#[test]
fn a_second_signal_stops_at_once() {
    let (mut child, address) = serve_with("stop-at-once", &[]);
    let engine = engine_of(&child.0);
    // Ten seconds would be waited for this one.
    let _stream = half_a_comment(&address);
    signal(&child, Signal::INT);
    until("no new connections", || is_closed(&address));
    let start = Instant::now();
    signal(&child, Signal::INT);
    assert_eq!(child.0.wait().unwrap().code(), Some(130));
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    until("the engine is gone", || test_kill_process(engine).is_err());
}

#[test]
fn a_database_that_hangs_makes_the_program_unready_and_not_dead() {
    let (mut child, address) = serve_with("hanging", &[]);
    let engine = engine_of(&child.0);
    assert!(get(&address, "/readyz").starts_with("HTTP/1.1 200"));
    kill_process(engine, Signal::STOP).unwrap();
    // What was said of it a moment ago holds for a second.
    until("not ready", || {
        let start = Instant::now();
        let answer = get(&address, "/readyz");
        assert!(start.elapsed() < Duration::from_secs(1), "{:?}", start.elapsed());
        answer.starts_with("HTTP/1.1 503") && answer.ends_with("\r\n\r\ndatabase away\n")
    });
    assert!(get(&address, "/healthz").ends_with("\r\n\r\nok\n"));
    kill_process(engine, Signal::CONT).unwrap();
    until("ready again", || get(&address, "/readyz").starts_with("HTTP/1.1 200"));
    signal(&child, Signal::TERM);
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

#[test]
fn metrics_count_requests_by_route_commands_and_comments() {
    let (mut child, address) = serve_with("metrics", &[]);
    assert!(get(&address, "/metrics").contains("\ninkstone_comments_accepted_total 0\n"));
    for path in [POST, "/posts/none-such", "/nowhere/s3cret", "/tags/rust", "/tags/css", "/"] {
        get(&address, path);
    }
    assert!(answer(post_comment(&address, COMMENT)).starts_with("HTTP/1.1 303"));
    let mut stream = TcpStream::connect(&address).unwrap();
    write!(stream, "BREW / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    answer(stream);
    let metrics = get(&address, "/metrics");
    let requests = |labels: &str| format!("\ninkstone_http_requests_total{{{labels}}}");
    for line in [
        requests(r#"route="/posts/{slug}",method="GET",status="2xx""#) + " 1\n",
        requests(r#"route="/posts/{slug}",method="GET",status="4xx""#) + " 1\n",
        requests(r#"route="/tags/{tag}",method="GET",status="2xx""#) + " 2\n",
        requests(r#"route="none",method="GET",status="4xx""#) + " 1\n",
        requests(r#"route="/posts/{slug}/comments",method="POST",status="3xx""#) + " 1\n",
        requests(r#"route="/",method="other",status="4xx""#) + " 1\n",
        "\ninkstone_comments_accepted_total 1\n".to_owned(),
        "\ninkstone_http_requests_in_flight 1\n".to_owned(),
        "\n# TYPE inkstone_http_request_seconds histogram\n".to_owned(),
        r#"inkstone_http_request_seconds_count{route="/posts/{slug}",method="GET"} 2"#.to_owned(),
        "\n# TYPE inkstone_database_command_seconds histogram\n".to_owned(),
        r#"inkstone_database_commands_total{command="find",outcome="ok"} "#.to_owned(),
        r#"inkstone_database_commands_total{command="commitTransaction",outcome="ok"} 1"#
            .to_owned(),
    ] {
        assert!(metrics.contains(&line), "{line} is not in {metrics}");
    }
    // Nothing that a visitor or a setting put in.
    let (_, metrics) = metrics.split_once("\r\n\r\n").unwrap();
    for word in ["undo-is", "none-such", "s3cret", "rust", "css", "BREW", "Ana", "mongodb://"] {
        assert!(!metrics.contains(word), "{word} is in {metrics}");
    }
    signal(&child, Signal::TERM);
    assert_eq!(child.0.wait().unwrap().code(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn readiness_is_asked_of_the_database_once_a_second_and_life_never() {
    let app = TestApp::start().await;
    app.log.clear();
    for path in ["/healthz", "/metrics", "/readyz", "/readyz", "/readyz"] {
        let answer = app.get(path).await;
        assert_eq!(answer.status, 200, "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
        assert!(answer.header("content-type").starts_with("text/plain"), "{path}");
    }
    let sent: Vec<_> = app.log.commands().into_iter().map(|command| command.name).collect();
    assert_eq!(sent, ["ping"]);
    app.finish().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_database_the_program_is_alive_and_not_ready() {
    let mut app = TestApp::start_with_own_engine().await;
    app.stop_engine().await;
    let not_ready = app.get("/readyz").await;
    assert_eq!((not_ready.status, not_ready.body.as_str()), (503, "database away\n"));
    assert_eq!(not_ready.header("cache-control"), "no-store");
    assert_eq!(app.get("/healthz").await.body, "ok\n");
    assert_eq!(app.get("/metrics").await.status, 200);
    app.stop_server().await;
}
