//! One connection pool to one database, and how it is opened.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use mongodb::{
    Client, Collection, Database,
    bson::{Document, doc},
    error::{Error, ErrorKind},
    event::{EventHandler, command::CommandEvent},
    options::{Acknowledgment, ClientOptions, ReadPreference, SelectionCriteria, WriteConcern},
};

use super::{DbError, breaker::Breaker, window::Windows};

/// How long a start waits for a server before it gives up.
const CONNECT_DEADLINE: Duration = Duration::from_secs(5);

/// How long background work waits for a server.
const BACKGROUND_PATIENCE: Duration = Duration::from_secs(30);

/// MongoDB's codes for a failed authentication and for a missing one.
const AUTHENTICATION_FAILED: i32 = 18;
const UNAUTHORIZED: i32 = 13;

/// Which program answers on the other side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerKind {
    /// The engine that Inkstone starts itself.
    Embedded,
    /// A MongoDB replica set or sharded cluster.
    MongoDb,
}

/// Where to connect.
pub struct ConnectOptions {
    pub uri: String,
    pub database: String,
    pub kind: ServerKind,
    /// Called with every command sent and answered; for tests and diagnosis.
    pub on_command: Option<EventHandler<CommandEvent>>,
}

/// Why no connection was made, each a sentence for the person who starts the
/// program. Passwords never show.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    #[error("MONGODB_URI cannot be read: {0}")]
    BadUri(String),
    #[error("no MongoDB server answers at {hosts}: {reason}")]
    Unreachable { hosts: String, reason: String },
    #[error("MongoDB at {hosts} refused the user name or password in MONGODB_URI")]
    Credentials { hosts: String },
    #[error("MongoDB at {hosts} lets nobody in without the right user name in MONGODB_URI")]
    Unauthorized { hosts: String },
    #[error(
        "MongoDB at {hosts} is a standalone server; Inkstone needs a replica set, since it uses \
         transactions (start mongod with --replSet rs0 and run rs.initiate() once)"
    )]
    Standalone { hosts: String },
    #[error("MongoDB at {hosts} refused a first command: {reason}")]
    Refused { hosts: String, reason: String },
}

/// A cheap, clonable handle on the database.
#[derive(Clone, Debug)]
pub struct Db {
    client: Client,
    database: Database,
    kind: ServerKind,
    /// Only for the embedded engine, which reads whole lists without them.
    windows: Option<Arc<Windows>>,
    breaker: Arc<Breaker>,
    options: Arc<ClientOptions>,
}

impl Db {
    /// Opens the pool and checks that a replica set or cluster answers.
    ///
    /// # Errors
    /// One sentence within [`CONNECT_DEADLINE`] and a little.
    pub async fn connect(options: ConnectOptions) -> Result<Self, ConnectError> {
        let mut client_options = ClientOptions::parse(&options.uri)
            .await
            .map_err(|error| ConnectError::BadUri(reason(&error)))?;
        fill_in(&mut client_options);
        client_options.command_event_handler = options.on_command;
        let hosts =
            client_options.hosts.iter().map(ToString::to_string).collect::<Vec<_>>().join(",");
        let client = Client::with_options(client_options.clone())
            .map_err(|error| ConnectError::BadUri(reason(&error)))?;
        let hello = match first_answer(&client, &hosts).await {
            // Asked for a replica set, the driver passes a standalone over.
            Err(ConnectError::Unreachable { .. })
                if is_standalone(client_options.clone()).await =>
            {
                return Err(ConnectError::Standalone { hosts });
            }
            answer => answer?,
        };
        if is_alone(&hello) {
            return Err(ConnectError::Standalone { hosts });
        }
        let database = client.database(&options.database);
        // Anybody may say hello; this needs the user's rights.
        if let Err(error) = database.list_collection_names().await {
            return Err(match error.kind.as_ref() {
                ErrorKind::Command(command) if command.code == UNAUTHORIZED => {
                    ConnectError::Unauthorized { hosts }
                }
                _ => ConnectError::Refused { hosts, reason: reason(&error) },
            });
        }
        let windows = match options.kind {
            ServerKind::Embedded => Some(Arc::new(Windows::default())),
            ServerKind::MongoDb => None,
        };
        Ok(Self {
            client,
            database,
            kind: options.kind,
            windows,
            breaker: Arc::default(),
            options: Arc::new(client_options),
        })
    }

    /// The same database, read without windows: for comparing.
    #[must_use]
    pub fn without_windows(&self) -> Self {
        Self { windows: None, ..self.clone() }
    }

    /// The same database through a client of its own, for work that nobody waits
    /// for: it waits longer for a server. Its owner shuts it down.
    ///
    /// # Errors
    /// [`ConnectError::BadUri`], which [`Db::connect`] would have told before.
    pub fn for_background(&self) -> Result<Self, ConnectError> {
        let mut options = ClientOptions::clone(&self.options);
        options.server_selection_timeout = Some(BACKGROUND_PATIENCE);
        options.min_pool_size = None;
        let client = Client::with_options(options.clone())
            .map_err(|error| ConnectError::BadUri(reason(&error)))?;
        let database = client.database(self.database.name());
        // Whoever waits longer must not find the way closed by those who do not.
        let breaker = Arc::default();
        Ok(Self { client, database, breaker, options: Arc::new(options), ..self.clone() })
    }

    pub(super) fn windows(&self) -> Option<&Windows> {
        self.windows.as_deref()
    }

    pub(super) fn breaker(&self) -> &Breaker {
        &self.breaker
    }

    #[must_use]
    pub fn kind(&self) -> ServerKind {
        self.kind
    }

    /// The settings of the connection in force: those of the URI and ours.
    #[must_use]
    pub fn options(&self) -> &ClientOptions {
        &self.options
    }

    #[must_use]
    pub fn client(&self) -> &Client {
        &self.client
    }

    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Asks for a sign of life.
    ///
    /// # Errors
    /// [`DbError`] when none came.
    pub async fn ping(&self) -> Result<(), DbError> {
        self.database.run_command(doc! { "ping": 1 }).await?;
        Ok(())
    }

    /// A typed handle. Names of collections stand in `collection.rs` files only.
    #[must_use]
    pub fn collection<T: Send + Sync>(&self, name: &str) -> Collection<T> {
        self.database.collection(name)
    }
}

/// Neither a member of a replica set, which has a setName, nor a mongos.
fn is_alone(hello: &Document) -> bool {
    !hello.contains_key("setName") && hello.get_str("msg").ok() != Some("isdbgrid")
}

/// Asks the first host by itself, whatever set it was expected in.
async fn is_standalone(mut options: ClientOptions) -> bool {
    options.repl_set_name = None;
    options.direct_connection = Some(true);
    options.hosts.truncate(1);
    let Ok(client) = Client::with_options(options) else { return false };
    let hello = client.database("admin").run_command(doc! { "hello": 1 }).await;
    hello.is_ok_and(|hello| is_alone(&hello))
}

/// Settings of ours where the URI says nothing (durable writes, quick failure,
/// a pool that fits a web server).
fn fill_in(options: &mut ClientOptions) {
    options.app_name.get_or_insert_with(|| "inkstone".to_owned());
    options.retry_reads.get_or_insert(true);
    options.retry_writes.get_or_insert(true);
    options.server_selection_timeout.get_or_insert(Duration::from_secs(2));
    options.connect_timeout.get_or_insert(Duration::from_secs(1));
    options.heartbeat_freq.get_or_insert(Duration::from_secs(2));
    options.max_pool_size.get_or_insert(50);
    options.min_pool_size.get_or_insert(4);
    options.max_idle_time.get_or_insert(Duration::from_mins(1));
    // Pages read their own writes, whatever the URI prefers.
    options.selection_criteria = Some(SelectionCriteria::ReadPreference(ReadPreference::Primary));
    options.write_concern.get_or_insert_with(|| {
        let mut concern = WriteConcern::default();
        concern.w = Some(Acknowledgment::Majority);
        concern.journal = Some(true);
        concern.w_timeout = Some(Duration::from_secs(3));
        concern
    });
}

/// Asks `hello` until a server answers or the deadline passes.
async fn first_answer(client: &Client, hosts: &str) -> Result<Document, ConnectError> {
    let admin = client.database("admin");
    let deadline = Instant::now() + CONNECT_DEADLINE;
    loop {
        let error = match admin.run_command(doc! { "hello": 1 }).await {
            Ok(hello) => return Ok(hello),
            Err(error) => error,
        };
        if is_credentials(&error) {
            return Err(ConnectError::Credentials { hosts: hosts.to_owned() });
        }
        let unreachable = matches!(DbError::from(error.clone()), DbError::Unavailable(_));
        if !unreachable {
            return Err(ConnectError::Refused { hosts: hosts.to_owned(), reason: reason(&error) });
        }
        if Instant::now() >= deadline {
            return Err(ConnectError::Unreachable {
                hosts: hosts.to_owned(),
                reason: reason(&error),
            });
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

fn is_credentials(error: &Error) -> bool {
    match error.kind.as_ref() {
        ErrorKind::Authentication { .. } => true,
        ErrorKind::Command(command) => command.code == AUTHENTICATION_FAILED,
        // During server selection the cause is only in the text.
        ErrorKind::ServerSelection { message, .. } => {
            message.contains("Authentication failed") || message.contains("SCRAM failure")
        }
        _ => false,
    }
}

/// The driver's own words for the kind of error, without its debug wrapping.
fn reason(error: &Error) -> String {
    match error.kind.as_ref() {
        ErrorKind::ServerSelection { message, .. } => message.clone(),
        kind => kind.to_string(),
    }
}
