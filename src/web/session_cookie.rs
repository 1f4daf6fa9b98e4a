//! The cookie that holds a session's token (SEC-9).

use actix_web::{
    HttpRequest,
    cookie::{Cookie, SameSite, time},
};

use crate::{config::Site, domain::token::Token};

/// Over https a name that browsers only take with `Secure`, for this host and the
/// whole site. On plain http they would refuse it.
fn name(site: &Site) -> &'static str {
    if site.is_https() { "__Host-sid" } else { "sid" }
}

/// The token that the request brings, if it can be one.
#[must_use]
pub fn token_of(request: &HttpRequest, site: &Site) -> Option<Token> {
    request.cookie(name(site)).and_then(|cookie| Token::parse(cookie.value()))
}

/// Hands out a session for so many seconds.
#[must_use]
pub fn hand_out(site: &Site, token: &Token, secs: i64) -> Cookie<'static> {
    build(site, token.as_str().to_owned(), secs)
}

/// Takes the session back.
#[must_use]
pub fn take_back(site: &Site) -> Cookie<'static> {
    build(site, String::new(), 0)
}

fn build(site: &Site, value: String, secs: i64) -> Cookie<'static> {
    Cookie::build(name(site), value)
        .path("/")
        .http_only(true)
        .secure(site.is_https())
        .same_site(SameSite::Lax)
        .max_age(time::Duration::seconds(secs))
        .finish()
}
