//! Whether this process should be sent visitors. That it is alive says
//! `/healthz`; a process whose database is away is alive and not ready.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use tokio::{sync::Mutex, task::JoinHandle, time::timeout};

use crate::db::Db;

/// The database must answer a ping within this time.
const PING_DEADLINE: Duration = Duration::from_millis(500);

/// An answer holds this long, however many balancers ask.
const ANSWER_HOLDS: Duration = Duration::from_secs(1);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    Ready,
    /// Asked to stop: requests are still answered, new ones should go elsewhere.
    Draining,
    DatabaseAway,
}

/// Shared by all workers; cloning is cheap.
#[derive(Clone, Default)]
pub struct Readiness(Arc<Inner>);

#[derive(Default)]
struct Inner {
    is_draining: AtomicBool,
    database: Mutex<Probe>,
}

#[derive(Default)]
struct Probe {
    /// When it was given, and whether the database answered.
    last: Option<(Instant, bool)>,
    /// A ping that was too slow. It is waited for again before another is sent,
    /// so that a database that hangs does not gather pings.
    under_way: Option<JoinHandle<bool>>,
}

impl Readiness {
    /// From now on the answer is [`State::Draining`].
    pub fn drain(&self) {
        self.0.is_draining.store(true, Ordering::Relaxed);
    }

    pub async fn state(&self, db: &Db) -> State {
        if self.0.is_draining.load(Ordering::Relaxed) {
            return State::Draining;
        }
        // Who comes meanwhile waits for the same ping.
        let mut probe = self.0.database.lock().await;
        if probe.ask(db).await { State::Ready } else { State::DatabaseAway }
    }
}

impl Probe {
    async fn ask(&mut self, db: &Db) -> bool {
        if let Some((at, is_there)) = self.last
            && at.elapsed() < ANSWER_HOLDS
        {
            return is_there;
        }
        // In a task of its own: a driver's call must not be dropped half way.
        let mut ping = self.under_way.take().unwrap_or_else(|| {
            let db = db.clone();
            tokio::spawn(async move { db.ping().await.is_ok() })
        });
        let is_there = match timeout(PING_DEADLINE, &mut ping).await {
            Ok(answer) => answer.unwrap_or(false),
            Err(_) => {
                self.under_way = Some(ping);
                false
            }
        };
        self.last = Some((Instant::now(), is_there));
        is_there
    }
}
