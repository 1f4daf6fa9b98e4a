//! Making users, and the changes to them that need more than one write: each one
//! transaction.

use std::{convert::Infallible, time::Duration};

use mongodb::bson::{DateTime, oid::ObjectId};

use super::{
    commands::{self, Change},
    limits::{Limits, later},
    model::{Link, Purpose, Session, User, UserStats, UserStatus},
};
use crate::{
    addresses::{
        self,
        commands::{Reservation, reserve},
        model::Kind,
    },
    db::{
        Db, DbError,
        transaction::{self, Steps, Tx, TxError},
    },
    domain::{email, names::UserName, permission::Role, token::Token},
    state::{AppState, Clock},
};

/// How long a link may be followed (SEC-6).
pub const LINK_LIFE: Duration = Duration::from_hours(1);

/// Somebody who is to become a user.
#[derive(Debug, Clone)]
pub struct NewUser {
    pub username: UserName,
    /// As typed.
    pub email: Option<String>,
    pub password_hash: Option<String>,
    pub role: Role,
    /// The hash of an invitation's token, to be used up.
    pub invitation: Option<String>,
}

/// Why a user was not made, or not given another name or address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Another has the name, or one that looks like it.
    UsernameTaken,
    EmailTaken,
    /// The link was used, or is too old.
    LinkStale,
}

/// Stores a user with the addresses that make name and e-mail unique.
///
/// # Errors
/// [`TxError::Refused`] says why; otherwise the database did not answer.
pub async fn create(state: &AppState, new: NewUser) -> Result<ObjectId, TxError<Refusal>> {
    let NewUser { username, email, password_hash, role, invitation } = new;
    let user = User {
        id: state.clock.new_id(),
        name: username.display.clone(),
        username_key: username.name.clone(),
        username: username.display.clone(),
        email_key: email.as_deref().map(email::normal),
        email,
        password_hash,
        avatar: None,
        bio: String::new(),
        city: String::new(),
        website: None,
        role,
        status: UserStatus::Active,
        card_version: 1,
        stats: UserStats::default(),
        created_at: state.clock.now(),
    };
    let steps = Create { user, username, invitation };
    transaction::run(&state.db, &steps).await?;
    Ok(steps.user.id)
}

struct Create {
    user: User,
    username: UserName,
    invitation: Option<String>,
}

impl Steps for Create {
    type Done = ();
    type Refusal = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        let user = &self.user;
        if let Some(id) = &self.invitation {
            use_link(tx, id, Purpose::Invitation, user.created_at).await?;
        }
        take_username(tx, user.id, &self.username).await?;
        if let Some(key) = &user.email_key {
            take_email(tx, user.id, key).await?;
        }
        commands::insert(tx, user).await?;
        Ok(())
    }
}

async fn use_link(
    tx: &mut Tx,
    id: &str,
    kind: Purpose,
    now: DateTime,
) -> Result<(), TxError<Refusal>> {
    let is_good = commands::use_link(tx, id, kind, now).await?;
    if is_good { Ok(()) } else { Err(TxError::Refused(Refusal::LinkStale)) }
}

async fn take_username(
    tx: &mut Tx,
    user: ObjectId,
    name: &UserName,
) -> Result<(), TxError<Refusal>> {
    for (kind, key) in [(Kind::Look, &name.look), (Kind::User, &name.name)] {
        if reserve(tx, kind, key, user).await? == Reservation::Taken {
            return Err(TxError::Refused(Refusal::UsernameTaken));
        }
    }
    addresses::commands::make_current(tx, Kind::User, &name.name, user).await?;
    Ok(())
}

async fn take_email(tx: &mut Tx, user: ObjectId, key: &str) -> Result<(), TxError<Refusal>> {
    if reserve(tx, Kind::Email, key, user).await? == Reservation::Taken {
        return Err(TxError::Refused(Refusal::EmailTaken));
    }
    addresses::commands::make_current(tx, Kind::Email, key, user).await?;
    Ok(())
}

/// Gives a user another name. The old one stays theirs and leads to the new one.
///
/// # Errors
/// [`Refusal::UsernameTaken`]; otherwise the database did not answer.
pub async fn rename(db: &Db, id: ObjectId, name: UserName) -> Result<(), TxError<Refusal>> {
    transaction::run(db, &Rename { id, name }).await
}

struct Rename {
    id: ObjectId,
    name: UserName,
}

impl Steps for Rename {
    type Done = ();
    type Refusal = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        take_username(tx, self.id, &self.name).await?;
        commands::set_username(tx, self.id, &self.name).await?;
        Ok(())
    }
}

/// Gives a user another e-mail address. The old one is free again.
///
/// # Errors
/// [`Refusal::EmailTaken`]; otherwise the database did not answer.
pub async fn set_email(
    db: &Db,
    id: ObjectId,
    old_key: Option<String>,
    email: String,
) -> Result<(), TxError<Refusal>> {
    let key = email::normal(&email);
    transaction::run(db, &SetEmail { id, old_key, email, key }).await
}

struct SetEmail {
    id: ObjectId,
    old_key: Option<String>,
    email: String,
    key: String,
}

impl Steps for SetEmail {
    type Done = ();
    type Refusal = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        take_email(tx, self.id, &self.key).await?;
        if let Some(old) = self.old_key.as_ref().filter(|old| **old != self.key) {
            addresses::commands::give_back(tx, Kind::Email, old, self.id).await?;
        }
        commands::set_email(tx, self.id, &self.email, &self.key).await?;
        Ok(())
    }
}

/// Changes a user, and signs them out everywhere (SEC-12, SEC-13).
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn change(db: &Db, id: ObjectId, change: Change) -> Result<(), DbError> {
    match transaction::run(db, &ChangeUser { id, change }).await {
        Ok(()) => Ok(()),
        Err(TxError::Db(error)) => Err(error),
        Err(TxError::Refused(never)) => match never {},
    }
}

struct ChangeUser {
    id: ObjectId,
    change: Change,
}

impl Steps for ChangeUser {
    type Done = ();
    type Refusal = Infallible;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Infallible>> {
        commands::change(tx, self.id, &self.change).await?;
        commands::end_sessions(tx, self.id).await?;
        Ok(())
    }
}

/// Gives whoever follows a reset link another password, and signs them out
/// everywhere.
///
/// # Errors
/// [`Refusal::LinkStale`]; otherwise the database did not answer.
pub async fn reset_password(
    state: &AppState,
    link: &Link,
    user_id: ObjectId,
    hash: String,
) -> Result<(), TxError<Refusal>> {
    let (id, now) = (link.id.clone(), state.clock.now());
    let steps = ResetPassword { link: id, now, user: user_id, change: Change::Password(hash) };
    transaction::run(&state.db, &steps).await
}

struct ResetPassword {
    link: String,
    now: DateTime,
    user: ObjectId,
    change: Change,
}

impl Steps for ResetPassword {
    type Done = ();
    type Refusal = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        use_link(tx, &self.link, Purpose::Reset, self.now).await?;
        commands::change(tx, self.user, &self.change).await?;
        commands::end_sessions(tx, self.user).await?;
        Ok(())
    }
}

/// Deletes an account: what says who it was goes, what was written stays under a
/// neutral name, and nobody else ever gets the user name.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn delete(
    db: &Db,
    id: ObjectId,
    email_key: Option<String>,
    neutral_name: String,
) -> Result<(), DbError> {
    match transaction::run(db, &Delete { id, email_key, neutral_name }).await {
        Ok(()) => Ok(()),
        Err(TxError::Db(error)) => Err(error),
        Err(TxError::Refused(never)) => match never {},
    }
}

struct Delete {
    id: ObjectId,
    email_key: Option<String>,
    neutral_name: String,
}

impl Steps for Delete {
    type Done = ();
    type Refusal = Infallible;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Infallible>> {
        commands::forget(tx, self.id, &self.neutral_name).await?;
        if let Some(key) = &self.email_key {
            addresses::commands::give_back(tx, Kind::Email, key, self.id).await?;
        }
        addresses::commands::retire(tx, Kind::User, self.id).await?;
        commands::end_sessions(tx, self.id).await?;
        Ok(())
    }
}

/// Begins a session for somebody who has proved who they are.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn start_session(
    db: &Db,
    clock: &Clock,
    user_id: ObjectId,
    role: Role,
    agent: &str,
) -> Result<Token, DbError> {
    let (token, now) = (Token::random(), clock.now());
    let session = Session {
        id: token.hash(),
        user_id,
        created_at: now,
        last_seen_at: now,
        expires_at: Limits::of(role).end(now, now),
        agent: agent.to_owned(),
    };
    commands::start_session(db, &session).await?;
    Ok(token)
}

/// Makes a link that can be followed once. Only the hash of its token is kept.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn make_link(
    state: &AppState,
    kind: Purpose,
    user_id: Option<ObjectId>,
) -> Result<Token, DbError> {
    let token = Token::random();
    let expires_at = later(state.clock.now(), LINK_LIFE);
    commands::save_link(&state.db, &Link { id: token.hash(), kind, user_id, expires_at }).await?;
    Ok(token)
}
