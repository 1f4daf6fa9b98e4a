//! From settings to a running application, and back to nothing.

use std::{
    net::{SocketAddr, TcpListener},
    time::Duration,
};

use actix_web::{HttpServer, dev::Server, dev::ServerHandle};
use mongodb::event::{EventHandler, command::CommandEvent};
use tokio::{sync::watch, task::JoinSet, time::timeout};

use crate::{
    config::Config,
    copies,
    db::{
        Db, DbError,
        client::{ConnectError, ConnectOptions, ServerKind},
        embedded_engine::{EmbeddedEngine, EngineError, EngineSettings, installed_binary},
        engine_address::{self, Published},
        schema::SchemaError,
        secrets,
    },
    jobs,
    mail::{MailError, Mailer},
    operations::metrics,
    routes, schema,
    state::{AppState, Clock},
    web::site_key::SiteKey,
};

/// Requests under way get this long when the program is asked to stop.
const SHUTDOWN_SECS: u64 = 10;

/// Background work gets this long.
const BACKGROUND_GRACE: Duration = Duration::from_secs(5);

/// Why the program does not run, each one sentence.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(
        "{address} is in use by another program; stop it, or choose another with INKSTONE_BIND"
    )]
    PortInUse { address: SocketAddr },
    #[error("cannot listen on {address}: {reason}")]
    Listen { address: SocketAddr, reason: std::io::Error },
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error(transparent)]
    Connect(#[from] ConnectError),
    #[error(transparent)]
    Schema(#[from] SchemaError),
    #[error(transparent)]
    Mail(#[from] MailError),
    #[error("the site's key cannot be read: {0}")]
    Database(#[from] DbError),
    #[error("the server cannot start: {0}")]
    Server(std::io::Error),
}

/// A database and, if it is our own, the engine that holds it.
pub struct OpenDatabase {
    pub db: Db,
    engine: Option<(EmbeddedEngine, Published)>,
}

impl OpenDatabase {
    /// Stops the engine last, when nothing asks it any more.
    pub async fn close(self) {
        self.db.client().clone().shutdown().immediate(true).await;
        drop(self.db);
        if let Some((engine, published)) = self.engine {
            drop(published);
            // Joining its keeper waits for a last checkpoint.
            drop(tokio::task::spawn_blocking(move || drop(engine)).await);
        }
    }
}

/// Connects to the server that the settings name, or starts the embedded one.
///
/// # Errors
/// [`StartError`] within ten seconds.
pub async fn open_database(
    config: &Config,
    on_command: Option<EventHandler<CommandEvent>>,
) -> Result<OpenDatabase, StartError> {
    let (uri, kind, engine) = match &config.mongodb_uri {
        Some(uri) => (uri.clone(), ServerKind::MongoDb, None),
        None => {
            let folder = config.engine_folder();
            let settings = EngineSettings {
                binary: config.engine.clone().unwrap_or_else(installed_binary),
                folder: folder.clone(),
                log: config.data.join("engine.log"),
                extra_flags: Vec::new(),
            };
            let engine = tokio::task::spawn_blocking(|| EmbeddedEngine::start(settings))
                .await
                .map_err(|error| StartError::Server(error.into()))??;
            let uri = engine.uri();
            let published = Published::write(config.engine_address(), &uri)
                .map_err(|reason| EngineError::Folder { folder, reason })?;
            (uri, ServerKind::Embedded, Some((engine, published)))
        }
    };
    let database = config.mongodb_database.clone();
    let db = Db::connect(ConnectOptions { uri, database, kind, on_command }).await?;
    Ok(OpenDatabase { db, engine })
}

/// The same for a command that does its work and ends: beside a running site it
/// uses the site's own engine.
///
/// # Errors
/// [`StartError`] within ten seconds.
pub async fn reach_database(config: &Config) -> Result<OpenDatabase, StartError> {
    let running = engine_address::of_running(&config.engine_address());
    let (Some(uri), None) = (running, &config.mongodb_uri) else {
        return open_database(config, None).await;
    };
    let (database, kind) = (config.mongodb_database.clone(), ServerKind::Embedded);
    let db = Db::connect(ConnectOptions { uri, database, kind, on_command: None }).await?;
    Ok(OpenDatabase { db, engine: None })
}

/// What requests and commands reach, over a database that has its schema.
///
/// # Errors
/// [`StartError::Database`], or [`StartError::Mail`] for settings that make no sense.
pub async fn state(config: &Config, db: Db, clock: Clock) -> Result<AppState, StartError> {
    let mut fresh = [0; 64];
    rand::fill(&mut fresh);
    let key = secrets::get_or_make(&db, secrets::SITE_KEY, fresh).await?;
    let mailer = Mailer::new(&config.mail)?;
    Ok(AppState::new(db, config, clock, SiteKey::new(key), mailer))
}

/// A running server.
pub struct Application {
    server: Server,
    addresses: Vec<SocketAddr>,
    pub state: AppState,
}

impl Application {
    /// Takes the port before anything else, so that a second start fails at once.
    ///
    /// # Errors
    /// [`StartError::PortInUse`] or [`StartError::Listen`].
    pub fn listen(address: SocketAddr) -> Result<TcpListener, StartError> {
        TcpListener::bind(address).map_err(|reason| match reason.kind() {
            std::io::ErrorKind::AddrInUse => StartError::PortInUse { address },
            _ => StartError::Listen { address, reason },
        })
    }

    /// Brings the database to its schema and starts the workers.
    ///
    /// # Errors
    /// [`StartError`].
    pub async fn start(
        listener: TcpListener,
        config: &Config,
        db: Db,
        clock: Clock,
    ) -> Result<Self, StartError> {
        metrics::recorder();
        let report = schema::init(&db, config.validation).await?;
        for index in &report.unknown {
            tracing::warn!(index, "an index that no query of Inkstone names");
        }
        let state = state(config, db, clock).await?;
        if !config.site.is_https() {
            tracing::info!(
                "over plain http, session cookies are neither Secure nor bound to the host"
            );
        }
        let for_workers = state.clone();
        let server = HttpServer::new(move || routes::app(for_workers.clone()))
            .disable_signals()
            .shutdown_timeout(SHUTDOWN_SECS)
            .listen(listener)
            .map_err(StartError::Server)?;
        let addresses = server.addrs();
        Ok(Self { server: server.run(), addresses, state })
    }

    #[must_use]
    pub fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    #[must_use]
    pub fn handle(&self) -> ServerHandle {
        self.server.handle()
    }

    /// Serves until [`ServerHandle::stop`] is called.
    ///
    /// # Errors
    /// [`StartError::Server`].
    pub async fn run_until_stopped(self) -> Result<(), StartError> {
        let stopped = self.server.await.map_err(StartError::Server);
        self.state.writes.finished().await;
        stopped
    }
}

/// What a process does beside serving: it follows the changes of the database and
/// runs jobs, on the program's runtime and a client of its own.
pub struct Background {
    db: Db,
    stop: watch::Sender<bool>,
    tasks: JoinSet<()>,
}

impl Background {
    /// # Errors
    /// [`ConnectError::BadUri`].
    pub fn start(state: &AppState) -> Result<Self, ConnectError> {
        let db = state.db.for_background()?;
        let state = AppState { db: db.clone(), ..state.clone() };
        let (stop, stopped) = watch::channel(false);
        let mut tasks = JoinSet::new();
        tasks.spawn(copies::worker::run(state.clone(), stopped.clone()));
        for job in jobs::SCHEDULE {
            tasks.spawn(jobs::runner::keep(state.clone(), job, stopped.clone()));
        }
        Ok(Self { db, stop, tasks })
    }

    /// Lets what is under way end, saves places and gives leases back. What takes
    /// too long is cut off: its lease runs out, and another process begins it anew.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        let finished =
            timeout(BACKGROUND_GRACE, async { while self.tasks.join_next().await.is_some() {} });
        if finished.await.is_err() {
            tracing::warn!("background work was cut off");
            self.tasks.shutdown().await;
        }
        self.db.client().clone().shutdown().immediate(true).await;
    }
}
