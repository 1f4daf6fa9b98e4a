//! Pages that have another address now.

use actix_web::{HttpRequest, HttpResponse, http::header};
use percent_encoding::{CONTROLS, utf8_percent_encode};

/// One hop to where a page is now, for good; the query comes along. `path` is from
/// `urls`, so it is ASCII; of the query whatever is not becomes so. Browsers ask
/// again each time: what is renamed back must not go round in circles.
#[must_use]
pub fn moved_permanently(request: &HttpRequest, path: &str) -> HttpResponse {
    let query = request.query_string();
    let joint = if query.is_empty() { "" } else { "?" };
    let query = utf8_percent_encode(query, CONTROLS);
    HttpResponse::MovedPermanently()
        .insert_header((header::LOCATION, format!("{path}{joint}{query}")))
        .insert_header((header::CACHE_CONTROL, "public, max-age=0, must-revalidate"))
        .finish()
}
