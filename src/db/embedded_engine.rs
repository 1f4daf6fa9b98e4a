//! The embedded database: `secantusd-rs` as a child process on this machine's
//! loopback, for development, tests and small sites.
//!
//! It is a program of its own (GPL), started and never linked in. A thread owns
//! it from start to stop: the kernel ends the child with the thread that made
//! it (`PR_SET_PDEATHSIG`), so that thread must live as long as the program,
//! and then not even `kill -9` of the program leaves the engine behind. If the
//! engine dies, its keeper starts it again on the same port, where the driver
//! finds it.

use std::{
    fs::{self, File},
    io::{BufRead, BufReader, ErrorKind},
    os::unix::process::CommandExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
        mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel},
    },
    thread::JoinHandle,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

/// The release that Inkstone is tried with; `script/bootstrap` installs it.
pub const VERSION: &str = include_str!("../../engine-version").trim_ascii();

/// How long a start may take.
const START_DEADLINE: Duration = Duration::from_secs(8);

/// How long of that to wait for a folder that an engine is just leaving.
const LOCK_PATIENCE: Duration = Duration::from_secs(5);

/// After SIGTERM the engine writes a checkpoint; past this it is killed.
const STOP_DEADLINE: Duration = Duration::from_secs(20);

/// How often the child is looked at.
const TICK: Duration = Duration::from_millis(50);

/// The wait before a dead engine is started again: doubled each time it dies
/// soon, so that a broken store does not keep the machine busy.
const FIRST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(1);

/// An engine that ran this long was well.
const WELL_AFTER: Duration = Duration::from_secs(5);

/// Asks the engine to choose its port itself.
const FREE_PORT: &str = "0";

/// The last words of the line that says where it listens.
const LISTENING: &str = "listening on ";

/// Where the engine is and where it keeps its data.
#[derive(Debug, Clone)]
pub struct EngineSettings {
    pub binary: PathBuf,
    /// Made if it is not there. One engine at a time.
    pub folder: PathBuf,
    pub log: PathBuf,
    /// Further flags, such as `--enable-test-commands` in tests.
    pub extra_flags: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    #[error(
        "the embedded database engine is not installed ({0} is missing); run script/bootstrap, \
         or name a binary with INKSTONE_ENGINE, or a MongoDB replica set with MONGODB_URI"
    )]
    Missing(PathBuf),
    #[error("the data folder {folder} cannot be used: {reason}")]
    Folder { folder: PathBuf, reason: std::io::Error },
    #[error("the embedded database engine {binary} cannot be run: {reason}")]
    Spawn { binary: PathBuf, reason: std::io::Error },
    #[error("the embedded database engine stopped at once: {said} (its log: {log})")]
    Stopped { said: String, log: PathBuf },
    #[error("the embedded database engine did not start within 8 s (its log: {log})")]
    Slow { log: PathBuf },
}

/// A running engine. Dropping it stops it.
#[derive(Debug)]
pub struct EmbeddedEngine {
    address: String,
    stop: SyncSender<()>,
    keeper: Option<JoinHandle<()>>,
    process_id: Arc<AtomicU32>,
}

impl EmbeddedEngine {
    /// Starts the engine on a free port of the loopback interface.
    ///
    /// # Errors
    /// [`EngineError`], each a sentence for the person who starts the program.
    pub fn start(settings: EngineSettings) -> Result<Self, EngineError> {
        if !settings.binary.is_file() {
            return Err(EngineError::Missing(settings.binary));
        }
        fs::create_dir_all(&settings.folder)
            .and_then(|()| writable(&settings.folder))
            .map_err(|reason| EngineError::Folder { folder: settings.folder.clone(), reason })?;
        let (started, is_started) = sync_channel(1);
        let (stop, stopped) = sync_channel(1);
        let log = settings.log.clone();
        let binary = settings.binary.clone();
        let process_id = Arc::new(AtomicU32::new(0));
        let keeper = Keeper { settings, process_id: process_id.clone(), stopped };
        let keeper = std::thread::Builder::new()
            .name("engine".to_owned())
            .spawn(move || keeper.keep(&started))
            .map_err(|reason| EngineError::Spawn { binary, reason })?;
        match is_started.recv() {
            Ok(Ok(address)) => Ok(Self { address, stop, keeper: Some(keeper), process_id }),
            Ok(Err(error)) => Err(error),
            Err(_) => Err(EngineError::Stopped { said: "its keeper ended".to_owned(), log }),
        }
    }

    /// For the driver. The engine presents itself as a replica set of one.
    #[must_use]
    pub fn uri(&self) -> String {
        format!("mongodb://{}/?replicaSet=secantus", self.address)
    }

    /// Of the engine that runs now.
    #[must_use]
    pub fn process_id(&self) -> u32 {
        self.process_id.load(Ordering::Relaxed)
    }

    /// Stops the engine and waits until its files are closed.
    pub fn stop(&mut self) {
        // An error means that the keeper has ended already.
        self.stop.try_send(()).ok();
        if let Some(keeper) = self.keeper.take()
            && keeper.join().is_err()
        {
            tracing::error!("the keeper of the database engine failed");
        }
    }
}

impl Drop for EmbeddedEngine {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Where `script/bootstrap` puts the engine for this user: XDG's cache folder.
#[must_use]
pub fn installed_binary() -> PathBuf {
    let cache = match std::env::var_os("XDG_CACHE_HOME") {
        Some(cache) => PathBuf::from(cache),
        None => PathBuf::from(std::env::var_os("HOME").unwrap_or_default()).join(".cache"),
    };
    cache.join("inkstone/engine").join(VERSION).join("bin/secantusd-rs")
}

/// What the engine's thread holds.
struct Keeper {
    settings: EngineSettings,
    process_id: Arc<AtomicU32>,
    stopped: Receiver<()>,
}

impl Keeper {
    /// The whole life of the engine, on the thread that the kernel ties it to.
    fn keep(&self, started: &SyncSender<Result<String, EngineError>>) {
        let (mut child, address) = match start_child(&self.settings, FREE_PORT) {
            Ok(running) => running,
            Err(error) => {
                started.send(Err(error)).ok();
                return;
            }
        };
        let port = address.rsplit_once(':').map_or(FREE_PORT, |(_, port)| port).to_owned();
        self.process_id.store(child.id(), Ordering::Relaxed);
        if started.send(Ok(address)).is_err() {
            end(&mut child);
            return;
        }
        let mut pause = FIRST_PAUSE;
        loop {
            let since = Instant::now();
            if self.watch(&mut child) == Outcome::Stopped {
                end(&mut child);
                return;
            }
            if since.elapsed() >= WELL_AFTER {
                pause = FIRST_PAUSE;
            }
            match self.start_again(&port, &mut pause) {
                Some(again) => child = again,
                None => return,
            }
        }
    }

    /// Waits until the child dies or is to be stopped.
    fn watch(&self, child: &mut Child) -> Outcome {
        loop {
            if self.is_stopped_within(TICK) {
                return Outcome::Stopped;
            }
            if let Ok(Some(status)) = child.try_wait() {
                let log = self.settings.log.display();
                tracing::error!(%status, %log, "the database engine died and is started again");
                return Outcome::Died;
            }
        }
    }

    /// Tries until one runs; `None` if there is to be none any more.
    fn start_again(&self, port: &str, pause: &mut Duration) -> Option<Child> {
        loop {
            if self.is_stopped_within(*pause) {
                return None;
            }
            *pause = (*pause * 2).min(LONGEST_PAUSE);
            match start_child(&self.settings, port) {
                Ok((child, _)) => {
                    self.process_id.store(child.id(), Ordering::Relaxed);
                    tracing::info!("the database engine runs again");
                    return Some(child);
                }
                Err(error) => tracing::error!(%error, "the database engine does not start again"),
            }
        }
    }

    fn is_stopped_within(&self, time: Duration) -> bool {
        !matches!(self.stopped.recv_timeout(time), Err(RecvTimeoutError::Timeout))
    }
}

#[derive(PartialEq, Eq)]
enum Outcome {
    Stopped,
    Died,
}

/// Starts a child until one listens. A folder that is still locked belongs to an
/// engine that is closing, or to another Inkstone: the first goes away soon.
fn start_child(settings: &EngineSettings, port: &str) -> Result<(Child, String), EngineError> {
    let start = Instant::now();
    let deadline = start + START_DEADLINE;
    loop {
        let log_start = fs::metadata(&settings.log).map_or(0, |file| file.len());
        let mut child = spawn(settings, port)?;
        match wait_for_address(&mut child, deadline) {
            Some(Ok(address)) => return Ok((child, address)),
            Some(Err(())) => {
                let said = last_line(&settings.log, log_start);
                if !is_locked(&said) || start.elapsed() >= LOCK_PATIENCE {
                    return Err(EngineError::Stopped {
                        said: explain(said),
                        log: settings.log.clone(),
                    });
                }
                std::thread::sleep(TICK * 4);
            }
            None => {
                // It hangs, so it would not heed SIGTERM either.
                child.kill().ok();
                child.wait().ok();
                return Err(EngineError::Slow { log: settings.log.clone() });
            }
        }
    }
}

fn spawn(settings: &EngineSettings, port: &str) -> Result<Child, EngineError> {
    let folder_error = |reason| EngineError::Folder { folder: settings.folder.clone(), reason };
    let log =
        File::options().create(true).append(true).open(&settings.log).map_err(folder_error)?;
    // The engine reads ./secantusd.toml unless another file is named: name an
    // empty one, so that the folder one happens to stand in changes nothing.
    let config = settings.folder.with_extension("toml");
    File::create(&config).map_err(folder_error)?;
    let command = |program: &Path| {
        let mut command = Command::new(program);
        command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log.try_clone().map_or_else(|_| Stdio::null(), Stdio::from));
        // A group of its own: Ctrl-C in the terminal is for the program, which
        // stops the engine last.
        command.process_group(0);
        command
    };
    let flags = |command: &mut Command| {
        command
            .args(["--host", "127.0.0.1", "--port", port, "--log-level", "WARNING"])
            // Without this, acknowledged writes are lost when the machine stops.
            .arg("--sync-on-commit")
            // Less makes index builds crawl; under load it takes about twice this.
            .args(["--cache-size", "1G"])
            // An empty store takes 128 MB otherwise.
            .args(["--log-file-max", "16M"])
            .arg("--config")
            .arg(&config)
            .arg("--storage-path")
            .arg(&settings.folder)
            .args(&settings.extra_flags);
    };
    // util-linux's setpriv asks the kernel to end the child with its parent.
    let mut tied = command(Path::new("setpriv"));
    tied.args(["--pdeathsig", "TERM", "--"]).arg(&settings.binary);
    flags(&mut tied);
    let spawned = match tied.spawn() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            tracing::warn!("setpriv is not installed: kill -9 of this program leaves the engine");
            let mut free = command(&settings.binary);
            flags(&mut free);
            free.spawn()
        }
        spawned => spawned,
    };
    spawned.map_err(|reason| EngineError::Spawn { binary: settings.binary.clone(), reason })
}

/// `Some(Err)` if the child ended, `None` if it said nothing before the deadline.
fn wait_for_address(child: &mut Child, deadline: Instant) -> Option<Result<String, ()>> {
    let stdout = child.stdout.take()?;
    let (said, lines) = sync_channel(1);
    // Reads on after the first line, so that the engine never blocks on a full
    // pipe; ends with the child.
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            if let Some((_, address)) = line.rsplit_once(LISTENING) {
                drop(said.try_send(address.trim().to_owned()));
            }
        }
    });
    match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
        Ok(address) => Some(Ok(address)),
        Err(RecvTimeoutError::Disconnected) => {
            // Its output is closed, so it is ending: wait for it.
            drop(child.wait());
            Some(Err(()))
        }
        Err(RecvTimeoutError::Timeout) => None,
    }
}

/// SIGTERM, then patience, then SIGKILL.
fn end(child: &mut Child) {
    if let Err(error) = kill_process(Pid::from_child(child), Signal::TERM) {
        tracing::debug!(%error, "the database engine had ended already");
    }
    let deadline = Instant::now() + STOP_DEADLINE;
    while Instant::now() < deadline {
        match child.try_wait() {
            Ok(None) => std::thread::sleep(TICK),
            Ok(Some(_)) | Err(_) => return,
        }
    }
    tracing::warn!("the database engine did not stop in time and is killed");
    drop(child.kill());
    drop(child.wait());
}

fn writable(folder: &Path) -> std::io::Result<()> {
    let probe = folder.join(".writable");
    File::create(&probe)?;
    fs::remove_file(probe)
}

/// The last line that this start added to the log.
fn last_line(log: &Path, from: u64) -> String {
    let text = fs::read(log).unwrap_or_default();
    let start = usize::try_from(from).unwrap_or_default();
    let added = String::from_utf8_lossy(text.get(start..).unwrap_or_default()).into_owned();
    added.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().to_owned()
}

fn is_locked(said: &str) -> bool {
    // WiredTiger's words for a lock that another process holds (EBUSY).
    said.contains("resource busy")
}

fn explain(said: String) -> String {
    if is_locked(&said) {
        "another Inkstone is using its data folder".to_owned()
    } else if said.is_empty() {
        "it gave no reason".to_owned()
    } else {
        said
    }
}
