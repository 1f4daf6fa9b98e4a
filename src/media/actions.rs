//! Writes that span a picture, its files and its owner.

use std::convert::Infallible;

use mongodb::bson::oid::ObjectId;

use super::{
    commands,
    model::{Media, NewMedia},
};
use crate::{
    db::{
        Db, DbError,
        transaction::{self, Steps, Tx, TxError},
    },
    domain::image::hashes_in,
    users,
};

impl Steps for NewMedia {
    type Done = ();
    type Refusal = Infallible;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Infallible>> {
        Ok(commands::insert(tx, self).await?)
    }
}

/// Stores a picture and its files: all or nothing. One that is there already stays as
/// it is.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn store(db: &Db, new: &NewMedia) -> Result<(), DbError> {
    match never_refused(transaction::run(db, new).await) {
        Err(DbError::Duplicate { .. }) => Ok(()),
        outcome => outcome,
    }
}

/// Removes a picture with its files. `false` if a post or a member uses it.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn remove(db: &Db, media: &Media) -> Result<bool, DbError> {
    never_refused(transaction::run(db, &Remove(media)).await)
}

struct Remove<'a>(&'a Media);

impl Steps for Remove<'_> {
    type Done = bool;
    type Refusal = Infallible;

    async fn run(&self, tx: &mut Tx) -> Result<bool, TxError<Infallible>> {
        Ok(commands::remove(tx, self.0).await?)
    }
}

/// Makes a picture its owner's avatar, in its narrowest size, instead of the one
/// `before`. It is used then, as by a post.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn use_as_avatar(db: &Db, before: Option<&str>, media: &Media) -> Result<(), DbError> {
    let Some(size) = media.sizes.first() else { return Ok(()) };
    let steps = UseAsAvatar {
        owner: media.owner_id,
        before: hashes_in(before.unwrap_or_default()),
        address: media.address(size),
    };
    never_refused(transaction::run(db, &steps).await)
}

struct UseAsAvatar {
    owner: ObjectId,
    /// Hash of the avatar until now, if it is one of the site's pictures.
    before: Vec<String>,
    address: String,
}

impl Steps for UseAsAvatar {
    type Done = ();
    type Refusal = Infallible;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Infallible>> {
        users::commands::set_avatar(tx, self.owner, &self.address).await?;
        let after = hashes_in(&self.address);
        Ok(commands::set_used_in(tx, self.owner, &self.before, &after).await?)
    }
}

fn never_refused<T>(outcome: Result<T, TxError<Infallible>>) -> Result<T, DbError> {
    outcome.map_err(|error| match error {
        TxError::Refused(never) => match never {},
        TxError::Db(error) => error,
    })
}
