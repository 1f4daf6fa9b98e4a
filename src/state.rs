//! What every request can reach.

use std::sync::{
    Arc,
    atomic::{AtomicI64, Ordering},
};

use mongodb::bson::{DateTime, oid::ObjectId};
use tokio::sync::broadcast;

use crate::{
    comments::post_locks::PostLocks,
    config::{Accounts, Config, Site},
    db::{Db, change_stream::News},
    mail::{Letter, Mailer},
    operations::readiness::Readiness,
    posts::slugs::Slugs,
    users::passwords::Passwords,
    web::{messages::Messages, rendering::Rendering, site_key::SiteKey, writes::Writes},
};

/// A listener that falls further behind is told so, and takes everything for
/// changed.
const NEWS_KEPT: usize = 1_024;

/// Shared by all workers; cloning is cheap.
#[derive(Clone)]
pub struct AppState {
    pub db: Db,
    pub site: Arc<Site>,
    pub accounts: Accounts,
    pub mailer: Mailer,
    pub site_key: SiteKey,
    pub messages: Arc<Messages>,
    pub clock: Clock,
    pub post_locks: PostLocks,
    pub writes: Writes,
    pub slugs: Slugs,
    pub rendering: Rendering,
    /// For pictures, which take long and much memory: slots of their own.
    pub images: Rendering,
    pub passwords: Passwords,
    pub readiness: Readiness,
    /// Changes of the database as this process hears of them, whoever made them.
    pub news: broadcast::Sender<News>,
}

impl AppState {
    /// Must be called on the program's runtime, which outlives the workers'.
    #[must_use]
    pub fn new(db: Db, config: &Config, clock: Clock, site_key: SiteKey, mailer: Mailer) -> Self {
        let site = config.site.clone();
        let messages = Arc::new(Messages::load(site.lang));
        Self {
            db,
            site: Arc::new(site),
            accounts: config.accounts.clone(),
            mailer,
            site_key,
            messages,
            clock,
            post_locks: PostLocks::default(),
            writes: Writes::on(tokio::runtime::Handle::current()),
            slugs: Slugs::default(),
            rendering: Rendering::default(),
            images: Rendering::default(),
            passwords: Passwords::default(),
            readiness: Readiness::default(),
            news: broadcast::Sender::new(NEWS_KEPT),
        }
    }
}

impl AppState {
    /// Sends a letter beside the answer; nobody waits for the mail server.
    pub fn send(&self, letter: Letter) {
        let mailer = self.mailer.clone();
        self.writes.aside(async move {
            if let Err(error) = mailer.send(letter).await {
                tracing::error!(%error, "a letter was not sent");
            }
        });
    }
}

/// The one clock of the program; tests set it.
#[derive(Clone, Debug, Default)]
pub enum Clock {
    #[default]
    System,
    /// Milliseconds since 1970.
    Set(Arc<AtomicI64>),
}

impl Clock {
    #[must_use]
    #[expect(clippy::disallowed_methods, reason = "this is the clock that others use")]
    pub fn now(&self) -> DateTime {
        match self {
            Self::System => DateTime::now(),
            Self::Set(millis) => DateTime::from_millis(millis.load(Ordering::Relaxed)),
        }
    }

    /// A new id that holds the time of this clock, in seconds.
    #[must_use]
    pub fn new_id(&self) -> ObjectId {
        let mut bytes = ObjectId::new().bytes();
        let seconds = u32::try_from(self.now().timestamp_millis() / 1000).unwrap_or_default();
        for (byte, time) in bytes.iter_mut().zip(seconds.to_be_bytes()) {
            *byte = time;
        }
        ObjectId::from_bytes(bytes)
    }
}
