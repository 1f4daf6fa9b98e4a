//! Light or dark: the system decides, a cookie overrides.

use actix_web::{
    HttpRequest, HttpResponse,
    cookie::{Cookie, SameSite, time::Duration},
    http::header,
};

use super::{error::AppResult, extractors::Form};
use crate::{state::AppState, urls};

const COOKIE: &str = "theme";

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Theme {
    System,
    Light,
    Dark,
}

impl Theme {
    /// The choice in the visitor's cookie.
    #[must_use]
    pub fn of(request: &HttpRequest) -> Self {
        request.cookie(COOKIE).map_or(Self::System, |cookie| Self::named(cookie.value()))
    }

    fn named(name: &str) -> Self {
        match name {
            "light" => Self::Light,
            "dark" => Self::Dark,
            _ => Self::System,
        }
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::System => "auto",
            Self::Light => "light",
            Self::Dark => "dark",
        }
    }
}

#[derive(serde::Deserialize)]
pub struct ThemeForm {
    theme: String,
}

/// `POST /theme`: remembers the choice and goes back.
///
/// # Errors
/// 400 for a form without a choice.
pub async fn choose(
    request: HttpRequest,
    state: actix_web::web::Data<AppState>,
    form: Form<ThemeForm>,
) -> AppResult<HttpResponse> {
    let theme = Theme::named(&form.0.theme);
    let cookie = Cookie::build(COOKIE, theme.name())
        .path("/")
        .http_only(true)
        .secure(state.site.is_https())
        .same_site(SameSite::Lax)
        .max_age(if theme == Theme::System { Duration::ZERO } else { Duration::days(365) })
        .finish();
    // Only the path: whatever host the header names, nobody is sent away.
    let back = request
        .headers()
        .get(header::REFERER)
        .and_then(|value| value.to_str().ok())
        .and_then(path_of)
        .unwrap_or(urls::home())
        .to_owned();
    Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, back)).cookie(cookie).finish())
}

/// Path and query of an absolute address, as far as they can be gone back to.
fn path_of(address: &str) -> Option<&str> {
    let (_, rest) = address.split_once("://")?;
    let path = rest.get(rest.find('/')?..)?;
    let is_path = !path.starts_with("//")
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    is_path.then_some(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_sent_to_another_site() {
        for (address, wanted) in [
            ("https://ink.example/posts/a?x=1", Some("/posts/a?x=1")),
            ("http://127.0.0.1:8080/", Some("/")),
            ("https://ink.example", None),
            ("https://evil.example/posts/a", Some("/posts/a")),
            ("https://ink.example//evil.example", None),
            ("https://ink.example/\\evil", None),
            ("https://ink.example/a b", None),
            ("javascript:alert(1)", None),
        ] {
            assert_eq!(path_of(address), wanted, "{address}");
        }
    }
}
