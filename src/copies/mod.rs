//! Copies: what a document repeats of another, kept right by following the
//! changes of the database.
//!
//! Each copy has a file of its own and a row in [`COPIES`]. Its `apply` gets every
//! change and works the copy out anew from the source, never from the change: the
//! same change may come twice, late, or not at all. Its `check` looks at every
//! document and repairs what differs; it runs daily, and when changes were missed.
//! [`worker`] hands the changes on: in every process to whoever listens, and in the
//! one that holds the lease to the copies.

mod author_card;
mod category_card;
pub mod worker;

use futures_util::{FutureExt, future::BoxFuture};

use crate::db::{Db, DbError, change_stream::Change};

/// One redundant copy.
pub struct Copy {
    pub name: &'static str,
    /// Brings the copy up to a change of its source; gives how many documents
    /// changed.
    apply: for<'a> fn(&'a Db, &'a Change) -> BoxFuture<'a, Result<u64, DbError>>,
    /// Finds and repairs all differences; gives how many documents differed.
    check: fn(&Db) -> BoxFuture<'_, Result<u64, DbError>>,
    /// Whether a change may change the copy.
    concerns: fn(&Change) -> bool,
}

/// All copies.
pub const COPIES: &[Copy] = &[
    Copy {
        name: "author card",
        apply: |db, change| author_card::apply(db, change).boxed(),
        check: |db| author_card::check(db).boxed(),
        concerns: author_card::concerns,
    },
    Copy {
        name: "category card",
        apply: |db, change| category_card::apply(db, change).boxed(),
        check: |db| category_card::check(db).boxed(),
        concerns: category_card::concerns,
    },
];

/// Checks every copy. Gives how many documents of each differed; they are right
/// now.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn check_all(db: &Db) -> Result<Vec<(&'static str, u64)>, DbError> {
    let mut differed = Vec::new();
    for copy in COPIES {
        differed.push((copy.name, (copy.check)(db).await?));
    }
    Ok(differed)
}
