//! Who looks at a page. `users::recognition` finds out before the handlers run.

use std::future::{Ready, ready};

use actix_web::{
    FromRequest, HttpMessage, HttpRequest,
    dev::Payload,
    http::{Method, Uri, uri::PathAndQuery},
};
use mongodb::bson::oid::ObjectId;

use super::{
    error::{AppError, AppResult},
    site_key::SiteKey,
};
use crate::{
    db::DbError,
    domain::{author_card::AuthorCard, permission::Role, token::Token},
    urls,
};

/// What the tokens of forms are signed for.
const FORM_TOKEN: &str = "form";

/// Who sent the request.
#[derive(Debug, Clone, Default)]
pub enum Viewer {
    #[default]
    Visitor,
    Member(Member),
    /// Somebody with a session that could not be looked up: the database is away.
    /// Pages are drawn as for a visitor, but nothing is refused for good.
    Unknown,
}

/// Somebody signed in, as the database says at this request.
#[derive(Debug, Clone)]
pub struct Member {
    pub id: ObjectId,
    pub username: String,
    /// Display name.
    pub name: String,
    pub avatar: Option<String>,
    pub role: Role,
    pub card_version: i64,
    /// `_id` of the session: the hash of its token.
    pub session_id: String,
}

impl Viewer {
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        request.extensions().get::<Self>().cloned().unwrap_or_default()
    }

    #[must_use]
    pub fn member(&self) -> Option<&Member> {
        match self {
            Self::Member(member) => Some(member),
            Self::Visitor | Self::Unknown => None,
        }
    }

    #[must_use]
    pub fn is_visitor(&self) -> bool {
        matches!(self, Self::Visitor)
    }
}

impl Member {
    /// As embedded in what the member writes.
    #[must_use]
    pub fn card(&self) -> AuthorCard {
        AuthorCard {
            id: self.id,
            username: self.username.clone(),
            name: self.name.clone(),
            avatar: self.avatar.clone(),
            v: self.card_version,
        }
    }

    /// A token for the forms of one page: a random word, and a signature over it
    /// and the session (SEC-15). It is good as long as the session lives.
    #[must_use]
    pub fn form_token(&self, key: &SiteKey) -> String {
        let nonce = Token::random();
        let signature = key.sign(FORM_TOKEN, &self.signed(nonce.as_str()));
        format!("{}{signature}", nonce.as_str())
    }

    /// Whether a form comes from a page of this session.
    #[must_use]
    pub fn is_form_token(&self, key: &SiteKey, token: &str) -> bool {
        token.split_at_checked(64).is_some_and(|(nonce, signature)| {
            key.is_signature(FORM_TOKEN, &self.signed(nonce), signature)
        })
    }

    fn signed(&self, nonce: &str) -> String {
        format!("{} {nonce}", self.session_id)
    }
}

/// Goes on only if the policy says so: `allowed(may_write(member.role))?`.
///
/// # Errors
/// 403.
pub fn allowed(is_allowed: bool) -> AppResult<()> {
    if is_allowed { Ok(()) } else { Err(AppError::Forbidden) }
}

/// For handlers of members' pages. A visitor is sent to the sign-in page, and back
/// from there.
pub struct SignedIn(pub Member);

impl FromRequest for SignedIn {
    type Error = AppError;
    type Future = Ready<AppResult<Self>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(match Viewer::of(request) {
            Viewer::Member(member) => Ok(Self(member)),
            Viewer::Visitor => Err(AppError::SignedOut { signin: signin_from(request) }),
            Viewer::Unknown => Err(AppError::Unavailable(DbError::TooSlow)),
        })
    }
}

/// The sign-in page, which leads back to the page at hand: to the request's own, or
/// for a form to the one that it stood on.
#[must_use]
pub fn signin_from(request: &HttpRequest) -> String {
    let is_page = [Method::GET, Method::HEAD].contains(request.method());
    let referer = || {
        let header = request.headers().get(actix_web::http::header::REFERER)?;
        header.to_str().ok()?.parse::<Uri>().ok()?.into_parts().path_and_query
    };
    let back = if is_page { request.uri().path_and_query().cloned() } else { referer() };
    urls::signin(back.as_ref().map_or("/", PathAndQuery::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(session: &str) -> Member {
        Member {
            id: ObjectId::from_bytes([1; 12]),
            username: "ana".to_owned(),
            name: "Ana".to_owned(),
            avatar: None,
            role: Role::Author,
            card_version: 1,
            session_id: session.to_owned(),
        }
    }

    #[test]
    fn a_form_token_is_good_for_one_session() {
        let key = SiteKey::new([7; 64]);
        let (one, two) = (member("one"), member("two"));
        let token = one.form_token(&key);
        assert!(one.is_form_token(&key, &token));
        assert!(!two.is_form_token(&key, &token));
        assert!(!one.is_form_token(&SiteKey::new([8; 64]), &token));
        for wrong in ["", "x", &token[1..], &token[..64], &format!("{token}0"), &"语".repeat(64)] {
            assert!(!one.is_form_token(&key, wrong), "{wrong}");
        }
        assert_ne!(one.form_token(&key), token);
    }
}
