//! Writes to `revisions`, inside a transaction.

use super::{collection::revisions_in, model::Revision};
use crate::db::{DbError, transaction::Tx};

/// Stores a revision.
///
/// # Errors
/// [`DbError::Duplicate`] if the post has one of this version.
pub async fn insert(tx: &mut Tx, revision: &Revision) -> Result<(), DbError> {
    let revisions = revisions_in(tx);
    revisions.insert_one(revision).session(&mut tx.session).await?;
    Ok(())
}
