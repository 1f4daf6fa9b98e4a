//! Writes to `users` and `sessions`.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use super::{
    collection::{self, SESSIONS, USERS},
    model::{Session, User},
};
use crate::{
    db::{Db, DbError, transaction::Tx, update::UpdateFilter},
    domain::permission::Role,
};

/// Stores a new user.
///
/// # Errors
/// [`DbError::Duplicate`] if another has the name or the e-mail address.
pub async fn insert(tx: &mut Tx, user: &User) -> Result<(), DbError> {
    collection::users_in(tx).insert_one(user).session(&mut tx.session).await?;
    Ok(())
}

/// One user.
#[must_use]
pub fn user_filter(id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "users: one",
        collection: USERS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
    }
}

/// Counts one published post more.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn add_post(tx: &mut Tx, id: ObjectId) -> Result<bool, DbError> {
    user_filter(id).apply(tx, doc! { "$inc": { "stats.posts": 1_i64 } }).await
}

/// Counts one published post less, but never less than none.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn remove_post(tx: &mut Tx, id: ObjectId) -> Result<bool, DbError> {
    let with_posts = doc! { "stats.posts": { "$gt": 0_i64 } };
    let filter = UpdateFilter { residual: with_posts, ..user_filter(id) };
    filter.apply(tx, doc! { "$inc": { "stats.posts": -1_i64 } }).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_password(db: &Db, id: ObjectId, hash: &str) -> Result<bool, DbError> {
    user_filter(id).apply_alone(db, doc! { "$set": { "passwordHash": hash } }).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_role(db: &Db, id: ObjectId, role: Role) -> Result<bool, DbError> {
    user_filter(id).apply_alone(db, doc! { "$set": { "role": role.name() } }).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn start_session(db: &Db, session: &Session) -> Result<(), DbError> {
    collection::sessions(db).insert_one(session).await?;
    Ok(())
}

/// One session.
#[must_use]
pub fn session_filter(id: &str) -> UpdateFilter {
    UpdateFilter {
        name: "sessions: one",
        collection: SESSIONS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
    }
}

/// Writes down that a session was used, and until when it lasts now.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn touch_session(
    db: &Db,
    id: &str,
    at: DateTime,
    expires_at: DateTime,
) -> Result<bool, DbError> {
    let change = doc! { "$set": { "lastSeenAt": at, "expiresAt": expires_at } };
    session_filter(id).apply_alone(db, change).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn end_session(db: &Db, id: &str) -> Result<bool, DbError> {
    session_filter(id).remove_alone(db).await
}

/// Every session of a user.
#[must_use]
pub fn sessions_filter(user_id: ObjectId) -> UpdateFilter {
    UpdateFilter {
        name: "sessions: of a user",
        collection: SESSIONS,
        index: "user",
        equal: doc! { "userId": user_id },
        residual: Document::new(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn end_sessions(db: &Db, user_id: ObjectId) -> Result<(), DbError> {
    sessions_filter(user_id).remove_all_alone(db).await
}
