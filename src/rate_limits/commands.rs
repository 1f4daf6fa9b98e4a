//! Counting.

use mongodb::bson::{DateTime, Document, doc};

use super::{collection::RATE_LIMITS, model::Limit};
use crate::db::{Db, DbError, update::UpdateFilter};

/// One counter.
#[must_use]
pub fn counter_filter(id: &str) -> UpdateFilter {
    UpdateFilter {
        name: "rate_limits: one counter",
        collection: RATE_LIMITS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
    }
}

/// Counts a try and says whether it is one too many: counted before it is made, so
/// that many at once do not all pass.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn is_too_many(
    db: &Db,
    limit: &Limit,
    key: &str,
    now: DateTime,
) -> Result<bool, DbError> {
    let filter = counter_filter(&limit.counter(key, now));
    let change = doc! { "$inc": { "n": 1_i64 }, "$setOnInsert": { "expiresAt": limit.end(now) } };
    let counted = filter.apply_and_read(db, change).await?;
    Ok(counted.get_i64("n").unwrap_or(0) > limit.tries)
}

/// Takes back a try that turned out to be none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn take_back(db: &Db, limit: &Limit, key: &str, now: DateTime) -> Result<(), DbError> {
    let counter = counter_filter(&limit.counter(key, now));
    counter.apply_alone(db, doc! { "$inc": { "n": -1_i64 } }).await?;
    Ok(())
}
