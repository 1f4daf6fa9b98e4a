//! Making users, and the changes to them that need more than one write.

use mongodb::bson::oid::ObjectId;

use super::{
    commands,
    limits::Limits,
    model::{Session, User, UserStats, UserStatus},
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

/// Somebody who is to become a user.
#[derive(Debug, Clone)]
pub struct NewUser {
    pub username: UserName,
    /// As typed.
    pub email: Option<String>,
    pub password_hash: Option<String>,
    pub role: Role,
}

/// What another has already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// The name, or one that looks like it.
    Username,
    Email,
}

/// Stores a user with the addresses that make name and e-mail unique: all or
/// nothing.
///
/// # Errors
/// [`TxError::Refused`] says what is taken; otherwise the database did not answer.
pub async fn create(state: &AppState, new: NewUser) -> Result<ObjectId, TxError<Taken>> {
    let NewUser { username, email, password_hash, role } = new;
    let user = User {
        id: state.clock.new_id(),
        name: username.display.clone(),
        username_key: username.name.clone(),
        username: username.display,
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
    let steps = Create { user, look: username.look };
    transaction::run(&state.db, &steps).await?;
    Ok(steps.user.id)
}

struct Create {
    user: User,
    look: String,
}

impl Steps for Create {
    type Done = ();
    type Refusal = Taken;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Taken>> {
        let user = &self.user;
        take(tx, Kind::Look, &self.look, user.id, Taken::Username).await?;
        take(tx, Kind::User, &user.username_key, user.id, Taken::Username).await?;
        addresses::commands::make_current(tx, Kind::User, &user.username_key, user.id).await?;
        if let Some(key) = &user.email_key {
            take(tx, Kind::Email, key, user.id, Taken::Email).await?;
            addresses::commands::make_current(tx, Kind::Email, key, user.id).await?;
        }
        commands::insert(tx, user).await?;
        Ok(())
    }
}

async fn take(
    tx: &mut Tx,
    kind: Kind,
    key: &str,
    user: ObjectId,
    taken: Taken,
) -> Result<(), TxError<Taken>> {
    match reserve(tx, kind, key, user).await? {
        Reservation::Ours => Ok(()),
        Reservation::Taken => Err(TxError::Refused(taken)),
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

/// Gives a user another password. Whoever knew the old one is signed out.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_password(db: &Db, id: ObjectId, hash: &str) -> Result<(), DbError> {
    commands::set_password(db, id, hash).await?;
    commands::end_sessions(db, id).await
}

/// Gives a user another role. Sessions begun under the old one end (SEC-12).
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn set_role(db: &Db, id: ObjectId, role: Role) -> Result<(), DbError> {
    commands::set_role(db, id, role).await?;
    commands::end_sessions(db, id).await
}
