//! Starting and stopping the program itself.

use std::{
    io::{BufRead, BufReader, Read},
    path::Path,
    process::{Child, Command, Stdio},
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};

use crate::support::database::{engine_binary, scratch};

pub fn inkstone(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_inkstone"));
    command
        .args(arguments)
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("INKSTONE_ENGINE", engine_binary())
        .env("INKSTONE_DATA", folder.join("data"))
        .env("INKSTONE_BIND", "127.0.0.1:0")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// One sentence on standard error, exit code 1, within ten seconds.
fn assert_refused(mut command: Command, wanted: &str) {
    let start = Instant::now();
    let output = command.output().unwrap();
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{error}");
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}: {error}", start.elapsed());
    let sentences: Vec<_> = error.lines().filter(|line| line.starts_with("inkstone: ")).collect();
    assert_eq!(sentences.len(), 1, "{error}");
    assert!(sentences[0].contains(wanted), "{error}");
    assert!(!error.contains("s3cret"), "{error}");
}

#[test]
fn a_missing_engine_is_named() {
    let folder = scratch("missing-engine");
    let mut command = inkstone(&folder, &["serve"]);
    command.env("INKSTONE_ENGINE", "/nowhere/secantusd-rs");
    assert_refused(
        command,
        "is not installed (/nowhere/secantusd-rs is missing); run script/bootstrap",
    );
}

#[test]
fn a_busy_port_is_named() {
    let folder = scratch("busy-port");
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let mut command = inkstone(&folder, &["serve"]);
    command.env("INKSTONE_BIND", &address);
    assert_refused(command, &format!("{address} is in use by another program"));
}

#[test]
fn an_unusable_folder_is_named() {
    let folder = scratch("unusable-folder");
    // Not even root can make a folder below a file.
    std::fs::write(folder.join("data"), "").unwrap();
    assert_refused(inkstone(&folder, &["serve"]), "cannot be used: Not a directory");
}

#[test]
fn an_unreachable_server_is_named() {
    let folder = scratch("unreachable");
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let mut command = inkstone(&folder, &["serve"]);
    command.env("MONGODB_URI", format!("mongodb://{closed}/?replicaSet=rs0"));
    assert_refused(command, &format!("no MongoDB server answers at {closed}"));
}

#[test]
fn wrong_credentials_are_named_and_the_password_is_not() {
    let folder = scratch("credentials");
    let server = server_with(&folder, &["--auth"]);
    let refused = "refused the user name or password";
    let missing = "lets nobody in without the right user name";
    for (login, wanted) in [("ink:s3cret@", refused), ("", missing)] {
        let mut command = inkstone(&folder, &["serve"]);
        let uri = format!("mongodb://{login}{}/?replicaSet=secantus", server.address);
        command.env("MONGODB_URI", uri);
        assert_refused(command, wanted);
    }
}

#[test]
fn a_server_without_a_replica_set_is_refused() {
    let folder = scratch("standalone");
    let server = server_with(&folder, &["--standalone"]);
    for options in ["", "?replicaSet=rs0"] {
        let mut command = inkstone(&folder, &["serve"]);
        command.env("MONGODB_URI", format!("mongodb://{}/{options}", server.address));
        assert_refused(command, "is a standalone server; Inkstone needs a replica set");
    }
}

#[test]
fn a_bad_setting_names_its_file_and_line() {
    let folder = scratch("bad-setting");
    std::fs::write(folder.join("inkstone.toml"), "lang = \"en\"\ncolour = \"red\"\n").unwrap();
    assert_refused(inkstone(&folder, &["config"]), "inkstone.toml, line 2: there is no setting");
}

#[test]
fn the_program_serves_and_stops_without_leaving_anything_behind() {
    let folder = scratch("serve-and-stop");
    for signal in [Signal::INT, Signal::TERM] {
        let (mut child, address) = serve(&folder);
        assert!(get(&address, "/posts/undo-is-a-kindness").starts_with("HTTP/1.1 200"));
        let engine = engine_of(&child);
        kill_process(Pid::from_child(&child), signal).unwrap();
        let status = child.wait().unwrap();
        assert_eq!(status.code(), Some(0));
        assert!(test_kill_process(engine).is_err(), "the engine is still there");
    }
}

#[test]
fn bulk_content_is_made_from_the_command_line_and_one_seed_has_one_size() {
    let folder = scratch("bulk");
    for _ in 0..2 {
        let output = inkstone(&folder, &["seed", "--posts", "40"]).output().unwrap();
        let (said, error) = (String::from_utf8(output.stdout), String::from_utf8(output.stderr));
        let said = said.unwrap();
        assert!(
            said.starts_with("40 posts by 1 authors with 200 comments: 362 documents in "),
            "{said}{}",
            error.unwrap()
        );
    }
    let other = inkstone(&folder, &["seed", "--posts", "41"]);
    assert_refused(
        other,
        "--seed 1 was begun with --posts 40 --comments 200 --authors 1: run that",
    );
}

#[test]
fn two_programs_do_not_share_a_data_folder() {
    let folder = scratch("shared-folder");
    let (mut child, _) = serve(&folder);
    assert_refused(inkstone(&folder, &["serve"]), "another Inkstone is using its data folder");
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    child.wait().unwrap();
}

#[test]
fn a_killed_program_takes_its_engine_along_and_can_be_started_again() {
    let folder = scratch("killed");
    let (mut child, _) = serve(&folder);
    let engine = engine_of(&child);
    child.kill().unwrap();
    child.wait().unwrap();
    let deadline = Instant::now() + Duration::from_secs(10);
    while test_kill_process(engine).is_ok() {
        assert!(Instant::now() < deadline, "the engine outlived its program");
        std::thread::sleep(Duration::from_millis(20));
    }
    let (mut child, address) = serve(&folder);
    assert!(get(&address, "/posts/undo-is-a-kindness").starts_with("HTTP/1.1 200"));
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// Starts the program and waits until it says where it is.
fn serve(folder: &Path) -> (Child, String) {
    run(inkstone(folder, &["serve", "--seed-if-empty"]))
}

/// The same for a command with settings of its own.
pub fn run(mut command: Command) -> (Child, String) {
    let mut child = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let Some(rest) = line.strip_prefix("Inkstone is at http://") else {
        let mut error = String::new();
        child.stderr.take().unwrap().read_to_string(&mut error).unwrap();
        panic!("{line}{error}");
    };
    assert!(line.contains("Ctrl-C stops it"), "{line}");
    (child, rest.split(' ').next().unwrap().to_owned())
}

/// The process id of the program's only child.
pub fn engine_of(program: &Child) -> Pid {
    let id = program.id();
    let mut found = Vec::new();
    for task in std::fs::read_dir(format!("/proc/{id}/task")).unwrap() {
        let children = task.unwrap().path().join("children");
        let text = std::fs::read_to_string(children).unwrap_or_default();
        found.extend(text.split_whitespace().map(|id| id.parse::<i32>().unwrap()));
    }
    assert_eq!(found.len(), 1, "{found:?}");
    Pid::from_raw(found[0]).unwrap()
}

pub fn get(address: &str, path: &str) -> String {
    use std::io::Write;
    let mut stream = std::net::TcpStream::connect(address).unwrap();
    write!(stream, "GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).unwrap();
    String::from_utf8_lossy(&answer).into_owned()
}

/// The engine as somebody else's server.
pub struct Server {
    child: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

pub fn server_with(folder: &Path, flags: &[&str]) -> Server {
    let config = folder.join("server.toml");
    std::fs::write(&config, "").unwrap();
    let mut child = Command::new(engine_binary())
        .args(["--host", "127.0.0.1", "--port", "0", "--storage-path"])
        .arg(folder.join("server"))
        .arg("--config")
        .arg(&config)
        .args(flags)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.rsplit_once("listening on ").unwrap().1.trim().to_owned();
    Server { child, address }
}
