//! Reads of addresses, one function an access pattern.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::ADDRESSES,
    model::{Address, Kind},
};
use crate::db::{
    Db, DbError,
    find::{FindSpec, Sort},
};

/// What an address leads or led to. Serves redirects: asked only when a page is
/// not found by its current address.
#[must_use]
pub fn resolve_spec(kind: Kind, key: &str) -> FindSpec {
    FindSpec {
        name: "addresses: one",
        collection: ADDRESSES,
        index: "_id_",
        equal: doc! { "_id": kind.id(key) },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Address::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn resolve(db: &Db, kind: Kind, key: &str) -> Result<Option<Address>, DbError> {
    resolve_spec(kind, key).first(db).await
}

/// Where something is to be found now.
#[must_use]
pub fn current_spec(target: ObjectId, kind: Kind) -> FindSpec {
    FindSpec {
        name: "addresses: current one of a target",
        collection: ADDRESSES,
        index: "target",
        equal: doc! { "target": target, "kind": kind.letter() },
        residual: doc! { "current": true },
        sort: Sort::None,
        limit: 1,
        projection: Address::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn current_of(db: &Db, target: ObjectId, kind: Kind) -> Result<Option<Address>, DbError> {
    current_spec(target, kind).first(db).await
}

/// Where something moved that is not at this address any more; `None` if nothing
/// ever was there, or still is.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn moved_to(db: &Db, kind: Kind, key: &str) -> Result<Option<Address>, DbError> {
    match resolve(db, kind, key).await? {
        Some(old) if !old.current => current_of(db, old.target, kind).await,
        _ => Ok(None),
    }
}
