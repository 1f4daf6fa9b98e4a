//! One engine for the whole run, one database for each test.

use std::{
    path::{Path, PathBuf},
    sync::{Arc, LazyLock, Mutex, OnceLock},
    time::Instant,
};

use futures_util::TryStreamExt;
use inkstone::db::{
    Db,
    client::{ConnectOptions, ServerKind},
    embedded_engine::{EmbeddedEngine, EngineSettings, installed_binary},
    schema::IndexKind,
};
use mongodb::{
    bson::{Document, doc, oid::ObjectId},
    event::{EventHandler, command::CommandEvent},
};
use serde::de::DeserializeOwned;

use super::wire;

/// The engine, started by whichever test comes first. It ends with the run: the
/// kernel stops it when its keeper's thread goes.
pub fn engine_uri() -> String {
    static ENGINE: OnceLock<TestEngine> = OnceLock::new();
    ENGINE.get_or_init(|| start_engine("engine")).uri.clone()
}

pub fn engine_binary() -> PathBuf {
    std::env::var_os("INKSTONE_ENGINE").map_or_else(installed_binary, Into::into)
}

/// A new, empty folder for one test, in a folder of this run alone: two runs at
/// once would take each other's away.
pub fn scratch(name: &str) -> PathBuf {
    static OF_RUN: LazyLock<PathBuf> = LazyLock::new(|| {
        let of_runs = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
        sweep(&of_runs);
        of_runs.join(format!("run-{}", std::process::id()))
    });
    let folder = OF_RUN.join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Takes away what earlier runs left. Another run may sweep at the same time, so
/// what cannot be taken away stays.
fn sweep(of_runs: &Path) {
    for entry in std::fs::read_dir(of_runs).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let run = name.to_str().and_then(|name| name.strip_prefix("run-"));
        let is_running = run.is_some_and(|pid| Path::new("/proc").join(pid).exists());
        if !is_running {
            drop(std::fs::remove_dir_all(entry.path()));
        }
    }
}

/// An engine, and the way to it through the proxy.
pub struct TestEngine {
    pub uri: String,
    /// Stops when it is dropped.
    engine: EmbeddedEngine,
}

impl TestEngine {
    pub fn process_id(&self) -> u32 {
        self.engine.process_id()
    }
}

/// An engine that can be told to fail, in a folder of its own.
pub fn start_engine(name: &str) -> TestEngine {
    let folder = scratch(name);
    let engine = EmbeddedEngine::start(EngineSettings {
        binary: engine_binary(),
        log: folder.join("engine.log"),
        folder: folder.join("engine"),
        extra_flags: vec!["--enable-test-commands".to_owned()],
    })
    .unwrap_or_else(|error| panic!("the tests need the database engine: {error}"));
    let server = engine.uri();
    let host = server.split('/').nth(2).unwrap();
    TestEngine { uri: server.replace(host, &wire::start(host)), engine }
}

/// A command as the driver saw it.
#[derive(Debug, Clone)]
pub struct Command {
    pub name: String,
    pub collection: String,
    pub started: Instant,
    pub ended: Option<Instant>,
    id: i32,
}

/// What the driver sent, in the order of sending.
#[derive(Clone, Default)]
pub struct CommandLog(Arc<Mutex<Vec<Command>>>);

impl CommandLog {
    pub fn clear(&self) {
        self.0.lock().unwrap().clear();
    }

    /// Commands that pages cause; the driver's own talk is left out.
    pub fn commands(&self) -> Vec<Command> {
        let log = self.0.lock().unwrap();
        log.iter().filter(|command| command.name != "endSessions").cloned().collect()
    }

    fn note(&self, event: &CommandEvent) {
        let mut log = self.0.lock().unwrap();
        let mut end = |id| {
            if let Some(command) = log.iter_mut().rev().find(|command| command.id == id) {
                command.ended = Some(Instant::now());
            }
        };
        match event {
            CommandEvent::Started(started) => log.push(Command {
                name: started.command_name.clone(),
                collection: started
                    .command
                    .get_str(&started.command_name)
                    .unwrap_or_default()
                    .to_owned(),
                started: Instant::now(),
                ended: None,
                id: started.request_id,
            }),
            CommandEvent::Succeeded(event) => end(event.request_id),
            CommandEvent::Failed(event) => end(event.request_id),
            _ => {}
        }
    }
}

/// A new, empty database and the log of its connection.
pub async fn new_database(uri: String) -> (Db, CommandLog) {
    let log = CommandLog::default();
    let observer = log.clone();
    let db = Db::connect(ConnectOptions {
        uri,
        database: format!("test_{}", ObjectId::new()),
        kind: ServerKind::Embedded,
        on_command: Some(EventHandler::callback(move |event| observer.note(&event))),
    })
    .await
    .unwrap();
    (db, log)
}

/// The clock of the tests stands long before the server's, which would forget what
/// is to expire at any moment of a test.
pub async fn forget_nothing(db: &Db) {
    for collection in inkstone::schema::collections() {
        for index in collection.indexes {
            if matches!(index.kind, IndexKind::Expiring(_) | IndexKind::ExpiringWhere(..)) {
                let handle = db.collection::<Document>(collection.name);
                handle.drop_index(index.name).await.unwrap();
            }
        }
    }
}

/// The end of a database, and of the test that used it.
pub async fn drop_database(db: &Db) {
    db.database().drop().await.unwrap();
    assert_none_refused(db);
}

/// MongoDB would have taken every command of this test.
pub fn assert_none_refused(db: &Db) {
    let refused = wire::take_refused(db.database().name());
    assert!(refused.is_empty(), "not on the list of MongoDB 7.0: {refused:?}");
}

/// Everything in a collection, by `_id`.
pub async fn documents(db: &Db, collection: &str) -> Vec<Document> {
    typed_documents(db, collection).await
}

/// One document, which is there.
pub async fn one(db: &Db, collection: &str, id: ObjectId) -> Document {
    let found = db.collection::<Document>(collection).find_one(doc! { "_id": id }).await.unwrap();
    found.unwrap_or_else(|| panic!("{collection} has no {id}"))
}

/// Everything in a collection, by `_id`, as documents of a feature.
pub async fn typed_documents<T: DeserializeOwned + Send + Sync>(
    db: &Db,
    collection: &str,
) -> Vec<T> {
    let collection = db.collection::<T>(collection);
    let found = collection.find(doc! {}).sort(doc! { "_id": 1 }).await.unwrap();
    found.try_collect().await.unwrap()
}
