//! Reads of users, one function an access pattern.

use mongodb::bson::{DateTime, Document, doc, oid::ObjectId};

use super::{
    collection::{SESSIONS, TOKENS, USERS},
    model::{
        Account, CardSource, Credentials, Link, Profile, Purpose, Session, SessionOfUser,
        SignedInUser,
    },
};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, NATURAL, Sort},
        linked,
    },
    domain::{email, names::UserName},
};

/// Sessions that one page shows.
const MOST_SESSIONS: usize = 100;

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
    let user = linked::Link {
        collection: USERS,
        by: "userId",
        into: "user",
        fields: SignedInUser::FIELDS,
    };
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

/// What somebody may see and change of themselves. Serves the settings.
#[must_use]
pub fn account_spec(id: ObjectId) -> FindSpec {
    FindSpec {
        name: "users: own account",
        collection: USERS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Account::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_account(db: &Db, id: ObjectId) -> Result<Option<Account>, DbError> {
    account_spec(id).first(db).await
}

/// Whose address this is. Serves letters about a forgotten password.
#[must_use]
pub fn account_by_email_spec(address: &str) -> FindSpec {
    FindSpec {
        name: "users: account by e-mail",
        collection: USERS,
        index: "email",
        equal: doc! { "emailKey": email::normal(address) },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: Account::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_account_by_email(db: &Db, address: &str) -> Result<Option<Account>, DbError> {
    account_by_email_spec(address).first(db).await
}

/// What anybody may see of an active user. Serves old names.
#[must_use]
pub fn profile_by_id_spec(id: ObjectId) -> FindSpec {
    FindSpec {
        name: "users: profile by id",
        collection: USERS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: doc! { "status": "active" },
        sort: Sort::None,
        limit: 1,
        projection: Profile::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_profile_by_id(db: &Db, id: ObjectId) -> Result<Option<Profile>, DbError> {
    profile_by_id_spec(id).first(db).await
}

/// Where somebody is signed in. Serves the page of own sessions.
#[must_use]
pub fn sessions_spec(user_id: ObjectId) -> FindSpec {
    FindSpec {
        name: "sessions: of a user",
        collection: SESSIONS,
        index: "user",
        equal: doc! { "userId": user_id },
        residual: Document::new(),
        sort: Sort::None,
        limit: MOST_SESSIONS,
        projection: Session::projection(),
    }
}

/// Running sessions of a user, the last used first.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_sessions(
    db: &Db,
    user_id: ObjectId,
    now: DateTime,
) -> Result<Vec<Session>, DbError> {
    let mut sessions: Vec<Session> = sessions_spec(user_id).all(db).await?;
    sessions.retain(|session| session.expires_at > now);
    sessions.sort_by_key(|session| std::cmp::Reverse(session.last_seen_at));
    Ok(sessions)
}

/// A link that may still be followed. The server forgets others late.
#[must_use]
pub fn link_spec(id: &str, kind: Purpose, now: DateTime) -> FindSpec {
    FindSpec {
        name: "tokens: good one",
        collection: TOKENS,
        index: "_id_",
        equal: doc! { "_id": id },
        residual: doc! { "kind": kind.name(), "expiresAt": { "$gt": now } },
        sort: Sort::None,
        limit: 1,
        projection: Link::projection(),
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_link(
    db: &Db,
    id: &str,
    kind: Purpose,
    now: DateTime,
) -> Result<Option<Link>, DbError> {
    link_spec(id, kind, now).first(db).await
}

/// Administrators, if there is more than one. The last one stays.
#[must_use]
pub fn admins_spec() -> FindSpec {
    FindSpec {
        name: "users: administrators",
        collection: USERS,
        index: "admins",
        equal: doc! { "role": "admin" },
        residual: doc! { "status": "active" },
        sort: Sort::None,
        limit: 2,
        projection: doc! { "_id": 1 },
    }
}

/// Whether somebody is the only administrator.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn is_last_admin(db: &Db, id: ObjectId) -> Result<bool, DbError> {
    let admins: Vec<Document> = admins_spec().all(db).await?;
    Ok(admins.len() == 1
        && admins.iter().all(|admin| admin.get_object_id("_id").is_ok_and(|admin| admin == id)))
}
