//! Writes to `users`, `sessions` and `tokens`.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use super::{
    collection::{self, SESSIONS, TOKENS, USERS},
    model::{Link, ProfileText, Purpose, Session, User, UserStatus},
};
use crate::{
    db::{Db, DbError, transaction::Tx, update::UpdateFilter},
    domain::{author_card::AuthorCard, names::UserName, permission::Role},
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

/// Keeps the same password under a newer hash.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn renew_hash(db: &Db, id: ObjectId, hash: &str) -> Result<bool, DbError> {
    user_filter(id).apply_alone(db, doc! { "$set": { "passwordHash": hash } }).await
}

/// A change after which nobody stays signed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// The hash of another password.
    Password(String),
    Role(Role),
    Status(UserStatus),
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn change(tx: &mut Tx, id: ObjectId, change: &Change) -> Result<bool, DbError> {
    let set = match change {
        Change::Password(hash) => doc! { "passwordHash": hash },
        Change::Role(role) => doc! { "role": role.name() },
        Change::Status(status) => doc! { "status": status.name() },
    };
    user_filter(id).apply(tx, doc! { "$set": set }).await
}

/// What a user says of themselves. Cards show the name, so they have a new version.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_profile(db: &Db, id: ObjectId, text: &ProfileText) -> Result<bool, DbError> {
    let mut set = doc! { "name": &text.name, "bio": &text.bio, "city": &text.city };
    let mut change = doc! { "$inc": { "cardVersion": 1_i64 } };
    match &text.website {
        Some(website) => drop(set.insert("website", website)),
        None => drop(change.insert("$unset", doc! { "website": "" })),
    }
    change.insert("$set", set);
    user_filter(id).apply_alone(db, change).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_username(tx: &mut Tx, id: ObjectId, name: &UserName) -> Result<bool, DbError> {
    let set = doc! { "username": &name.display, "usernameKey": &name.name };
    user_filter(id).apply(tx, doc! { "$set": set, "$inc": { "cardVersion": 1_i64 } }).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_email(
    tx: &mut Tx,
    id: ObjectId,
    email: &str,
    email_key: &str,
) -> Result<bool, DbError> {
    let set = doc! { "email": email, "emailKey": email_key };
    user_filter(id).apply(tx, doc! { "$set": set }).await
}

/// Another picture on a card of a new version.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_avatar(tx: &mut Tx, id: ObjectId, address: &str) -> Result<bool, DbError> {
    let change = doc! { "$set": { "avatar": address }, "$inc": { "cardVersion": 1_i64 } };
    user_filter(id).apply(tx, change).await
}

/// Leaves nothing of a person: a neutral name on a card of a new version, and no way
/// to sign in. The document stays, since posts and comments point to it.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn forget(tx: &mut Tx, id: ObjectId, neutral_name: &str) -> Result<bool, DbError> {
    let username = AuthorCard::name_of_deleted(id);
    let change = doc! {
        "$set": {
            "username": &username, "usernameKey": &username, "name": neutral_name, "bio": "",
            "city": "", "role": Role::Reader.name(), "status": UserStatus::Deleted.name(),
        },
        "$unset": { "email": "", "emailKey": "", "passwordHash": "", "avatar": "", "website": "" },
        "$inc": { "cardVersion": 1_i64 },
    };
    user_filter(id).apply(tx, change).await
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

/// One session, if it is this user's.
#[must_use]
pub fn own_session_filter(user_id: ObjectId, id: &str) -> UpdateFilter {
    UpdateFilter {
        name: "sessions: own one",
        collection: SESSIONS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: doc! { "userId": user_id },
    }
}

/// Ends a session that its user does not want any more. `false` if it is not theirs.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn end_own_session(db: &Db, user_id: ObjectId, id: &str) -> Result<bool, DbError> {
    own_session_filter(user_id, id).remove_alone(db).await
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
pub async fn end_sessions(tx: &mut Tx, user_id: ObjectId) -> Result<(), DbError> {
    sessions_filter(user_id).remove_all(tx).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn save_link(db: &Db, link: &Link) -> Result<(), DbError> {
    collection::tokens(db).insert_one(link).await?;
    Ok(())
}

/// A link that may still be followed.
#[must_use]
pub fn link_filter(id: &str, kind: Purpose, now: DateTime) -> UpdateFilter {
    UpdateFilter {
        name: "tokens: good one",
        collection: TOKENS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: doc! { "kind": kind.name(), "expiresAt": { "$gt": now } },
    }
}

/// Uses a link up. `false` if it was used or is too old.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn use_link(
    tx: &mut Tx,
    id: &str,
    kind: Purpose,
    now: DateTime,
) -> Result<bool, DbError> {
    link_filter(id, kind, now).remove(tx).await
}
