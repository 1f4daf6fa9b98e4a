//! Forms of other sites are refused (SEC-15). Shared pages carry no token, so
//! what browsers say of a request's origin is what protects them.

use actix_web::{
    Error,
    body::{BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{
        Method,
        header::{self, HeaderMap, HeaderName},
    },
    middleware::Next,
    web::Data,
};

use crate::{state::AppState, urls, web::error::AppError};

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Lets safe methods through, and unsafe ones only from this site.
///
/// # Errors
/// None of its own: an `Err` from here would pass by the middleware outside, and
/// go out without page and headers.
pub async fn check_origin(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody, BoxBody>>, Error> {
    let is_safe =
        [Method::GET, Method::HEAD, Method::OPTIONS, Method::TRACE].contains(request.method());
    // Browsers send their reports as they like; a report changes nothing.
    let is_allowed = is_safe || request.path() == urls::pattern::CSP_REPORT || {
        let state = request.app_data::<Data<AppState>>();
        is_own(request.headers(), state.map_or("", |state| state.site.url.as_str()))
    };
    if is_allowed {
        Ok(next.call(request).await?.map_into_left_body())
    } else {
        Ok(request.error_response(AppError::CrossSite).map_into_right_body())
    }
}

/// `Sec-Fetch-Site` decides where it is sent; else `Origin`; with neither, the
/// sender is no browser that we can trust.
fn is_own(headers: &HeaderMap, site_url: &str) -> bool {
    match (headers.get(SEC_FETCH_SITE), headers.get(header::ORIGIN)) {
        (Some(site), origin) => {
            site == "same-origin" && origin.is_none_or(|origin| origin != "null")
        }
        (None, Some(origin)) => origin.as_bytes() == site_url.as_bytes(),
        (None, None) => false,
    }
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::HeaderValue;

    use super::*;

    #[test]
    fn only_this_sites_forms_pass() {
        let site = "https://ink.example";
        let own = |fetch_site: Option<&'static str>, origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            if let Some(value) = fetch_site {
                headers.insert(SEC_FETCH_SITE, HeaderValue::from_static(value));
            }
            if let Some(value) = origin {
                headers.insert(header::ORIGIN, HeaderValue::from_static(value));
            }
            is_own(&headers, site)
        };
        assert!(own(Some("same-origin"), Some(site)));
        assert!(own(Some("same-origin"), None));
        assert!(own(None, Some(site)));
        for fetch_site in ["same-site", "cross-site", "none", ""] {
            assert!(!own(Some(fetch_site), Some(site)), "{fetch_site}");
            assert!(!own(Some(fetch_site), None), "{fetch_site}");
        }
        for origin in ["https://evil.example", "null", "https://ink.example.evil", ""] {
            assert!(!own(None, Some(origin)), "{origin}");
        }
        assert!(!own(Some("same-origin"), Some("null")));
        assert!(!own(None, None));
    }
}
