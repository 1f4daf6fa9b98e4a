//! Requests taken apart: what does not fit gets 400, 404 or 413, never 500.

use std::time::Duration;

use actix_web::{
    FromRequest, HttpRequest,
    dev::Payload,
    http::header,
    web::{self, Bytes},
};
use futures_util::future::LocalBoxFuture;
use mongodb::bson::oid::ObjectId;
use serde::{Deserialize, de::DeserializeOwned};
use tokio::time::timeout;

use super::error::{AppError, AppResult};
use crate::domain::paging::{CountCursor, Cursor, Position};

/// A form larger than this is refused before it is read. An overlong comment
/// fits, so that it comes back in its form instead.
pub const FORM_LIMIT_BYTES: usize = 256 * 1024;

/// A form that takes longer to arrive holds its connection for nothing: actix
/// only limits the time of a request's head.
const FORM_PATIENCE: Duration = Duration::from_secs(10);

/// An urlencoded form of at most `LIMIT` bytes. Unknown fields are passed over; a
/// field given twice is a bad request. Bytes that are not UTF-8 become U+FFFD.
pub struct Form<T, const LIMIT: usize = FORM_LIMIT_BYTES>(pub T);

impl<T: DeserializeOwned + 'static, const LIMIT: usize> FromRequest for Form<T, LIMIT> {
    type Error = AppError;
    type Future = LocalBoxFuture<'static, AppResult<Self>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = form_body(request, payload, LIMIT);
        Box::pin(async move { fields(&body.await?).map(Self) })
    }
}

/// The bytes of an urlencoded form.
pub(super) fn form_body(
    request: &HttpRequest,
    payload: &mut Payload,
    limit: usize,
) -> LocalBoxFuture<'static, AppResult<Bytes>> {
    let is_form = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.split(';').next())
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/x-www-form-urlencoded"));
    let body = web::Payload::from_request(request, payload);
    Box::pin(async move {
        if !is_form {
            return Err(AppError::BadRequest("the body is not an urlencoded form"));
        }
        let body = body.await.map_err(|_| AppError::BadRequest("the form has no body"))?;
        match timeout(FORM_PATIENCE, body.to_bytes_limited(limit)).await {
            Err(_) => Err(AppError::Timeout),
            Ok(Err(_)) => Err(AppError::TooLarge),
            Ok(Ok(Err(_))) => Err(AppError::BadRequest("the form broke off")),
            Ok(Ok(Ok(bytes))) => Ok(bytes),
        }
    })
}

pub(super) fn fields<T: DeserializeOwned>(body: &[u8]) -> AppResult<T> {
    serde_urlencoded::from_bytes(body)
        .map_err(|_| AppError::BadRequest("a field of the form is missing or doubled"))
}

/// A parameter of the query string; the first, if it is there twice.
#[must_use]
pub fn parameter(request: &HttpRequest, name: &str) -> Option<String> {
    let query: Vec<(String, String)> = serde_urlencoded::from_str(request.query_string()).ok()?;
    query.into_iter().find(|(key, _)| key == name).map(|(_, value)| value)
}

/// As browsers call themselves; at most 200 characters.
#[must_use]
pub fn agent(request: &HttpRequest) -> String {
    let agent =
        request.headers().get(header::USER_AGENT).map_or(&b""[..], |agent| agent.as_bytes());
    String::from_utf8_lossy(agent).chars().filter(|c| !c.is_control()).take(200).collect()
}

/// Where in a list a request wants to read: `?before=` older, `?after=` newer; in
/// a list by another order, what stands before or after.
#[derive(Debug, Default, Deserialize)]
pub struct ListQuery {
    before: Option<String>,
    after: Option<String>,
    sort: Option<String>,
}

impl ListQuery {
    /// Reads the query string.
    ///
    /// # Errors
    /// 404 for a parameter given twice.
    pub fn of(request: &HttpRequest) -> AppResult<Self> {
        serde_urlencoded::from_str(request.query_string()).map_err(|_| AppError::NotFound)
    }

    /// `?sort=oldest`, for lists that can be read from either end.
    #[must_use]
    pub fn is_oldest_first(&self) -> bool {
        self.sort.as_deref() == Some("oldest")
    }

    /// For lists by time with the newest on top.
    ///
    /// # Errors
    /// 404 for a cursor that is none, or for both at once.
    pub fn newest_first(&self) -> AppResult<Position<Cursor>> {
        position(self.before.as_deref(), self.after.as_deref(), Cursor::decode)
    }

    /// For lists by a count with the largest on top.
    ///
    /// # Errors
    /// As [`ListQuery::newest_first`].
    pub fn largest_first(&self) -> AppResult<Position<CountCursor>> {
        position(self.after.as_deref(), self.before.as_deref(), CountCursor::decode)
    }

    /// For lists by `_id` with the newest on top.
    ///
    /// # Errors
    /// As [`ListQuery::newest_first`].
    pub fn by_id_newest_first(&self) -> AppResult<Position<ObjectId>> {
        position(self.before.as_deref(), self.after.as_deref(), |text| parse_id(text).ok())
    }

    /// For lists by `_id` in the order of making.
    ///
    /// # Errors
    /// As [`ListQuery::newest_first`].
    pub fn by_id_oldest_first(&self) -> AppResult<Position<ObjectId>> {
        position(self.after.as_deref(), self.before.as_deref(), |text| parse_id(text).ok())
    }
}

fn position<C>(
    following: Option<&str>,
    preceding: Option<&str>,
    decode: impl Fn(&str) -> Option<C>,
) -> AppResult<Position<C>> {
    let position = match (following.unwrap_or_default(), preceding.unwrap_or_default()) {
        ("", "") => Some(Position::First),
        (text, "") => decode(text).map(Position::Following),
        ("", text) => decode(text).map(Position::Preceding),
        (_, _) => None,
    };
    position.ok_or(AppError::NotFound)
}

/// An id in an address: 24 lowercase hex digits.
///
/// # Errors
/// 404 for anything else.
pub fn parse_id(text: &str) -> AppResult<ObjectId> {
    let id = ObjectId::parse_str(text).map_err(|_| AppError::NotFound)?;
    if id.to_hex() == text { Ok(id) } else { Err(AppError::NotFound) }
}
