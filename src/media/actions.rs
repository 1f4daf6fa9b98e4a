//! Storing a picture: the write that spans what is known of it and its files.

use std::convert::Infallible;

use super::{commands, model::NewMedia};
use crate::db::{
    Db, DbError,
    transaction::{self, Steps, Tx, TxError},
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
    match transaction::run(db, new).await {
        Ok(()) | Err(TxError::Db(DbError::Duplicate { .. })) => Ok(()),
        Err(TxError::Refused(never)) => match never {},
        Err(TxError::Db(error)) => Err(error),
    }
}
