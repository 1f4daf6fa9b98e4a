//! What is counted.

use std::time::Duration;

use mongodb::bson::DateTime;

/// So many tries in so long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limit {
    /// Tells it from others, and stands in the counter's id.
    pub name: &'static str,
    pub tries: i64,
    pub window: Duration,
}

impl Limit {
    fn window_millis(&self) -> i64 {
        i64::try_from(self.window.as_millis()).unwrap_or(i64::MAX).max(1)
    }

    /// The counter of one key at this time.
    #[must_use]
    pub fn counter(&self, key: &str, now: DateTime) -> String {
        let window = now.timestamp_millis().div_euclid(self.window_millis());
        format!("{}:{window}:{key}", self.name)
    }

    /// When the window ends and the counter is forgotten.
    #[must_use]
    pub fn end(&self, now: DateTime) -> DateTime {
        let millis = self.window_millis();
        let window = now.timestamp_millis().div_euclid(millis);
        DateTime::from_millis(window.saturating_add(1).saturating_mul(millis))
    }

    /// Whole seconds until the window ends, at least one.
    #[must_use]
    pub fn wait_secs(&self, now: DateTime) -> i64 {
        let millis = self.end(now).timestamp_millis() - now.timestamp_millis();
        millis.div_euclid(1000).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_ends_and_another_begins() {
        let limit = Limit { name: "x", tries: 5, window: Duration::from_mins(5) };
        let at = |secs: i64| DateTime::from_millis(secs * 1000);
        assert_eq!(limit.counter("k", at(0)), limit.counter("k", at(299)));
        assert_ne!(limit.counter("k", at(0)), limit.counter("k", at(300)));
        assert_ne!(limit.counter("k", at(0)), limit.counter("l", at(0)));
        assert_eq!((limit.end(at(299)), limit.wait_secs(at(299))), (at(300), 1));
    }
}
