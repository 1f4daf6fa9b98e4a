//! Files that ship inside the program: style sheet, icon, covers.
//!
//! An address with the content's hash never changes its content and is kept for
//! good; the plain name (used in posts) is checked on each visit.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, ETag, EntityTag, Header, IfNoneMatch},
    web,
};
use rust_embed::{EmbeddedFile, RustEmbed};

use super::error::{AppError, AppResult};
use crate::domain::text;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Files;

/// Hex digits of the hash in an address.
const HASH_DIGITS: usize = 12;

/// `style.css` → `/static/style.0123456789ab.css`. A name that is no file gives
/// its plain address; a test asks for every name that templates use.
#[must_use]
pub fn address(name: &str) -> String {
    match (Files::get(name), name.rsplit_once('.')) {
        (Some(file), Some((stem, ending))) => {
            format!("/static/{stem}.{}.{ending}", hash(&file))
        }
        _ => format!("/static/{name}"),
    }
}

fn hash(file: &EmbeddedFile) -> String {
    let mut digits = text::hex(&file.metadata.sha256_hash());
    digits.truncate(HASH_DIGITS);
    digits
}

/// `GET /static/{name}`, with or without the hash in it.
///
/// # Errors
/// 404 for anything that does not ship with this version.
pub async fn serve(request: HttpRequest, name: web::Path<String>) -> AppResult<HttpResponse> {
    let (file, plain, is_hashed) = find(&name).ok_or(AppError::NotFound)?;
    let tag = EntityTag::new_strong(hash(&file));
    let cache_control = if is_hashed {
        "public, max-age=31536000, immutable"
    } else {
        "public, max-age=0, must-revalidate"
    };
    let is_known = match IfNoneMatch::parse(&request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
        Err(_) => false,
    };
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response.insert_header(ETag(tag)).insert_header((header::CACHE_CONTROL, cache_control));
    if is_known {
        return Ok(response.finish());
    }
    Ok(response.content_type(content_type(&plain)).body(file.data.into_owned()))
}

/// The file, its plain name, and whether the address held its hash.
fn find(name: &str) -> Option<(EmbeddedFile, String, bool)> {
    if let Some(file) = Files::get(name) {
        return Some((file, name.to_owned(), false));
    }
    let (rest, ending) = name.rsplit_once('.')?;
    let (stem, given) = rest.rsplit_once('.')?;
    let plain = format!("{stem}.{ending}");
    let file = Files::get(&plain)?;
    (hash(&file) == given).then_some((file, plain, true))
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("webp") => "image/webp",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_hold_the_hash_and_find_their_file() {
        for name in ["style.css", "editor.js", "seal.svg", "covers/c1.webp"] {
            let address = address(name);
            let inner = address.strip_prefix("/static/").unwrap();
            assert_ne!(inner, name);
            let (_, plain, is_hashed) = find(inner).unwrap();
            assert_eq!((plain.as_str(), is_hashed), (name, true));
        }
        assert!(find("style.000000000000.css").is_none());
        assert!(find("../Cargo.toml").is_none());
    }
}
