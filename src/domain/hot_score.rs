//! How hot a post is: what readers did, fading with the hours.

use std::time::Duration;

/// Older posts are not hot at all.
pub const HOT_FOR: Duration = Duration::from_hours(7 * 24);

/// Only so many posts keep a score.
pub const HOT_POSTS: usize = 5_000;

/// `(likes·5 + comments·8 + views) / (hours + 2)^1.5`.
#[must_use]
pub fn hot_score(likes: i64, comments: i64, views: i64, age: Duration) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "exact up to 2^53 reactions")]
    let reactions = (likes * 5 + comments * 8 + views) as f64;
    let hours = age.as_secs_f64() / 3600.0 + 2.0;
    // A square root is exact on every machine, a power need not be.
    reactions / (hours * hours.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_hours(hours: u64) -> f64 {
        hot_score(10, 5, 110, Duration::from_hours(hours))
    }

    #[test]
    fn it_follows_the_formula() {
        assert!((after_hours(2) - 200.0 / 8.0).abs() < 1e-12);
        assert!((after_hours(7) - 200.0 / 27.0).abs() < 1e-12);
        assert!(after_hours(0) > after_hours(1));
        assert!(hot_score(0, 0, 0, Duration::ZERO).abs() < f64::EPSILON);
    }
}
