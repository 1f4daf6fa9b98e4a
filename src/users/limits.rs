//! How long a session lasts (SEC-11).

use std::time::Duration;

use mongodb::bson::DateTime;

use super::model::Session;
use crate::domain::permission::Role;

/// The use of a session is written down at most this often.
pub const TOUCH: Duration = Duration::from_mins(5);

/// The limits of one session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Ends it when nobody used it.
    pub idle: Duration,
    /// Ends it in any case.
    pub absolute: Duration,
}

impl Limits {
    #[must_use]
    pub fn of(role: Role) -> Self {
        if role.is_staff() {
            Self { idle: Duration::from_hours(12), absolute: Duration::from_hours(7 * 24) }
        } else {
            Self { idle: Duration::from_hours(30 * 24), absolute: Duration::from_hours(90 * 24) }
        }
    }

    /// When a session ends that was begun and last used at these times.
    #[must_use]
    pub fn end(self, created_at: DateTime, last_seen_at: DateTime) -> DateTime {
        later(created_at, self.absolute).min(later(last_seen_at, self.idle))
    }
}

/// Whether the session still runs, by the limits of the role as it is now.
#[must_use]
pub fn is_running(session: &Session, role: Role, now: DateTime) -> bool {
    now < session.expires_at && now < Limits::of(role).end(session.created_at, session.last_seen_at)
}

/// Whether its use should be written down.
#[must_use]
pub fn is_due(session: &Session, now: DateTime) -> bool {
    now >= later(session.last_seen_at, TOUCH)
}

/// So much later.
#[must_use]
pub fn later(at: DateTime, by: Duration) -> DateTime {
    let millis = i64::try_from(by.as_millis()).unwrap_or(i64::MAX);
    DateTime::from_millis(at.timestamp_millis().saturating_add(millis))
}
