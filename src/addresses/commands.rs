//! Writes to `addresses`, each inside a transaction.

use mongodb::bson::{doc, oid::ObjectId};

use super::{collection::ADDRESSES, model::Kind};
use crate::db::{DbError, transaction::Tx, update::UpdateFilter};

/// Whether a target got the address it asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reservation {
    /// It belongs to the target, since now or since long ago.
    Ours,
    /// It belongs to another. The transaction is over: refuse, and start anew with
    /// another key.
    Taken,
}

/// One address of one target.
#[must_use]
pub fn address_filter(kind: Kind, key: &str, target: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "addresses: one",
        collection: ADDRESSES,
        index: "_id_",
        equal: doc! { "_id": kind.id(key) },
        residual: doc! { "target": target },
    }
}

/// Gives an address to a target for good. A target's own old address is its own.
///
/// One statement: it finds the target's own row or makes one, and where another
/// target has the row, making one violates `_id`.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn reserve(
    tx: &mut Tx,
    kind: Kind,
    key: &str,
    target: ObjectId,
) -> Result<Reservation, DbError> {
    let change = doc! { "$setOnInsert": { "kind": kind.letter(), "current": false } };
    match address_filter(kind, key, target).apply_or_insert(tx, change).await {
        Ok(()) => Ok(Reservation::Ours),
        Err(DbError::Duplicate { .. }) => Ok(Reservation::Taken),
        Err(error) => Err(error),
    }
}

/// The current address of a target.
#[must_use]
pub fn current_filter(target: ObjectId, kind: Kind) -> UpdateFilter {
    UpdateFilter {
        name: "addresses: current one of a target",
        collection: ADDRESSES,
        index: "target",
        equal: doc! { "target": target, "kind": kind.letter() },
        residual: doc! { "current": true },
    }
}

/// Makes a reserved address the one that the target's others redirect to. `false`
/// if it is not the target's.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn make_current(
    tx: &mut Tx,
    kind: Kind,
    key: &str,
    target: ObjectId,
) -> Result<bool, DbError> {
    current_filter(target, kind).apply(tx, doc! { "$set": { "current": false } }).await?;
    let change = doc! { "$set": { "current": true }, "$currentDate": { "at": true } };
    address_filter(kind, key, target).apply(tx, change).await
}

/// Frees an address that nobody needs to find any more: a draft's, which was never
/// public, or an e-mail address that is not used any longer and says only who
/// somebody is.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn give_back(
    tx: &mut Tx,
    kind: Kind,
    key: &str,
    target: ObjectId,
) -> Result<bool, DbError> {
    address_filter(kind, key, target).remove(tx).await
}

/// Leaves a target without a current address: its addresses lead nowhere, and stay
/// taken. `false` if it had none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn retire(tx: &mut Tx, kind: Kind, target: ObjectId) -> Result<bool, DbError> {
    current_filter(target, kind).apply(tx, doc! { "$set": { "current": false } }).await
}
