//! Reads of users, one function an access pattern.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use super::{
    collection::{SESSIONS, USERS},
    model::{CardSource, Credentials, Profile, Session, SessionOfUser, SignedInUser},
};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, NATURAL, Sort},
        linked::{self, Link},
    },
    domain::{email, names::UserName},
};

/// What anybody may see of an active user. Serves the author page.
#[must_use]
pub fn profile_spec(username: &str) -> FindSpec {
    FindSpec {
        name: "users: profile by user name",
        collection: USERS,
        index: "username",
        equal: doc! { "usernameKey": UserName::normal(username) },
        residual: doc! { "status": "active" },
        sort: Sort::None,
        limit: 1,
        projection: Profile::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_profile(db: &Db, username: &str) -> Result<Option<Profile>, DbError> {
    profile_spec(username).first(db).await
}

/// Whether there is anybody at all, by whichever document comes first. Serves
/// the first start.
#[must_use]
pub fn any_spec() -> FindSpec {
    FindSpec {
        name: "users: any",
        collection: USERS,
        index: NATURAL,
        equal: Document::new(),
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: doc! { "_id": 1 },
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn is_any(db: &Db) -> Result<bool, DbError> {
    Ok(any_spec().first::<Document>(db).await?.is_some())
}

/// Ids of one read.
const SOURCES: usize = 200;

/// What some users' cards are made of, whatever became of them; at most 200.
/// Serves copies.
#[must_use]
pub fn card_sources_spec(ids: &[ObjectId]) -> FindSpec {
    let ids: Vec<_> = ids.iter().copied().take(SOURCES).collect();
    FindSpec {
        name: "users: card sources by ids",
        collection: USERS,
        index: "_id_",
        limit: ids.len(),
        equal: doc! { "_id": { "$in": ids } },
        residual: Document::new(),
        sort: Sort::None,
        projection: CardSource::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_card_sources(db: &Db, ids: &[ObjectId]) -> Result<Vec<CardSource>, DbError> {
    let mut found = Vec::new();
    for some in ids.chunks(SOURCES) {
        found.extend(card_sources_spec(some).all::<CardSource>(db).await?);
    }
    Ok(found)
}

/// A running session. Serves every request that brings one. The server forgets
/// expired ones late, so the time is asked for here.
#[must_use]
pub fn session_spec(id: &str, now: DateTime) -> FindSpec {
    FindSpec {
        name: "sessions: running one",
        collection: SESSIONS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: doc! { "expiresAt": { "$gt": now } },
        sort: Sort::None,
        limit: 1,
        projection: Session::projection(),
    }
}

/// The session with its user, in one command.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_session(
    db: &Db,
    id: &str,
    now: DateTime,
) -> Result<Option<SessionOfUser>, DbError> {
    let user = Link { collection: USERS, by: "userId", into: "user", fields: SignedInUser::FIELDS };
    linked::first_with(db, &session_spec(id, now), &user).await
}

/// By the user name that somebody typed to sign in.
#[must_use]
pub fn credentials_by_name_spec(login: &str) -> FindSpec {
    FindSpec {
        name: "users: credentials by user name",
        collection: USERS,
        index: "username",
        equal: doc! { "usernameKey": UserName::normal(login) },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Credentials::projection(),
    }
}

/// By the e-mail address that somebody typed to sign in.
#[must_use]
pub fn credentials_by_email_spec(login: &str) -> FindSpec {
    FindSpec {
        name: "users: credentials by e-mail",
        collection: USERS,
        index: "email",
        equal: doc! { "emailKey": email::normal(login) },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Credentials::projection(),
    }
}

/// Whom a user name or an e-mail address belongs to; no user name holds an `@`.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_credentials(db: &Db, login: &str) -> Result<Option<Credentials>, DbError> {
    let spec = if login.contains('@') {
        credentials_by_email_spec(login)
    } else {
        credentials_by_name_spec(login)
    };
    spec.first(db).await
}
