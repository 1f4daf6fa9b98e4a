//! Spares visitors the wait for a database that is known to be away.
//!
//! Without it every request would wait two seconds for a server to be selected,
//! and gather with all the others that wait. After some failures in a row the
//! answer comes at once; every two seconds one call is let through to see
//! whether the database is back.

use std::{
    future::Future,
    sync::{Mutex, PoisonError},
    time::{Duration, Instant},
};

use super::DbError;

/// Calls in a row that found no server.
const FAILURES: u32 = 3;

/// How long nobody asks after that.
const PAUSE: Duration = Duration::from_secs(2);

/// A call that looks whether the database is back has this long; if it was lost,
/// another one looks.
const PROBE: Duration = Duration::from_secs(5);

/// Shared by all handles on a database.
#[derive(Debug)]
pub(super) struct Breaker(Mutex<State>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Calls go through; so many in a row found no server.
    Closed(u32),
    /// No call goes through before this time; the first one after it looks.
    Open(Instant),
}

impl Default for Breaker {
    fn default() -> Self {
        Self(Mutex::new(State::Closed(0)))
    }
}

/// An error that may mean that there is no server.
pub(super) trait MayBeAway {
    fn is_away(&self) -> bool;
}

impl MayBeAway for DbError {
    fn is_away(&self) -> bool {
        self.is_without_server()
    }
}

impl Breaker {
    /// Makes a call, or refuses at once while the database is away.
    ///
    /// # Errors
    /// [`DbError::Away`], or the call's own.
    pub(super) async fn guard<T, E: MayBeAway + From<DbError>>(
        &self,
        call: impl Future<Output = Result<T, E>>,
    ) -> Result<T, E> {
        if !self.lets_through(Instant::now()) {
            return Err(DbError::Away.into());
        }
        let outcome = call.await;
        match &outcome {
            Err(error) if error.is_away() => self.failed(Instant::now()),
            _ => self.change(|_| State::Closed(0)),
        }
        outcome
    }

    fn lets_through(&self, now: Instant) -> bool {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match *state {
            State::Closed(_) => true,
            State::Open(until) if now < until => false,
            State::Open(_) => {
                // The others wait for what this call finds.
                *state = State::Open(now + PROBE);
                true
            }
        }
    }

    fn failed(&self, now: Instant) {
        self.change(|state| match state {
            State::Closed(failures) if failures + 1 < FAILURES => State::Closed(failures + 1),
            State::Closed(_) | State::Open(_) => State::Open(now + PAUSE),
        });
    }

    fn change(&self, next: impl FnOnce(State) -> State) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let before = *state;
        *state = next(before);
        match (before, *state) {
            (State::Closed(_), State::Open(_)) => {
                tracing::error!("the database is away; it is asked again every two seconds");
            }
            (State::Open(_), State::Closed(_)) => tracing::info!("the database is back"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opens_after_failures_in_a_row_and_lets_one_call_look() {
        let breaker = Breaker::default();
        let start = Instant::now();
        let after = |millis| start + Duration::from_millis(millis);
        breaker.failed(start);
        breaker.failed(start);
        assert!(breaker.lets_through(start), "two failures are not enough");
        breaker.change(|_| State::Closed(0));
        breaker.failed(start);
        breaker.failed(start);
        assert!(breaker.lets_through(start), "an answer between starts the count anew");
        breaker.failed(start);
        assert!(!breaker.lets_through(after(1_999)));
        assert!(breaker.lets_through(after(2_000)), "one call looks");
        assert!(!breaker.lets_through(after(2_001)), "and only one");
        breaker.failed(after(2_100));
        assert!(!breaker.lets_through(after(4_099)));
        assert!(breaker.lets_through(after(4_100)));
        assert!(!breaker.lets_through(after(9_099)), "a look may take a while");
        assert!(breaker.lets_through(after(9_100)), "a lost look is made up for");
        breaker.change(|_| State::Closed(0));
        assert!(breaker.lets_through(after(9_101)), "back");
    }

    #[tokio::test]
    async fn only_a_missing_server_counts() {
        let breaker = Breaker::default();
        for _ in 0..10 {
            let outcome: Result<(), DbError> = breaker.guard(async { Err(DbError::TooSlow) }).await;
            assert!(matches!(outcome, Err(DbError::TooSlow)));
        }
        let gone = || mongodb::error::Error::from(std::io::Error::other("gone"));
        for _ in 0..3 {
            let outcome: Result<(), DbError> =
                breaker.guard(async { Err(DbError::Unavailable(gone())) }).await;
            assert!(matches!(outcome, Err(DbError::Unavailable(_))));
        }
        let outcome = breaker.guard(async { Ok::<_, DbError>(()) }).await;
        assert!(matches!(outcome, Err(DbError::Away)), "not even tried");
    }
}
