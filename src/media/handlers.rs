//! The files of pictures.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header::{self, ETag, EntityTag, Header, IfNoneMatch},
    web::{Data, Path, ServiceConfig},
};

use super::{own, queries};
use crate::{
    domain::image::MediaAddress,
    state::AppState,
    urls,
    web::{
        error::{AppError, AppResult},
        routing::page,
    },
};

/// A file that is opened by itself runs nothing and loads nothing (SEC-33).
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; sandbox";

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::MEDIA_FILE, file)).configure(own::routes);
}

/// One size of a picture. Its address says what it is; nothing else of the request is
/// looked at, so an answer can be kept for good.
async fn file(
    request: HttpRequest,
    state: Data<AppState>,
    path: Path<(String, String)>,
) -> AppResult<HttpResponse> {
    let (hash, name) = path.into_inner();
    let address = MediaAddress::of_parts(&hash, &name).ok_or(AppError::NotFound)?;
    let file = queries::find_file(&state.db, &address.file_id()).await?;
    let file = file.ok_or(AppError::NotFound)?;
    // The content is never another under the same address.
    let tag = EntityTag::new_strong(format!("{}-{}", address.hash, address.width));
    let is_known = match IfNoneMatch::parse(&request) {
        Ok(IfNoneMatch::Any) => true,
        Ok(IfNoneMatch::Items(tags)) => tags.iter().any(|known| known.weak_eq(&tag)),
        Err(_) => false,
    };
    let mut response = if is_known { HttpResponse::NotModified() } else { HttpResponse::Ok() };
    response
        .insert_header(ETag(tag))
        .insert_header((header::CACHE_CONTROL, "public, max-age=31536000, immutable"))
        .insert_header((header::CONTENT_SECURITY_POLICY, CONTENT_SECURITY_POLICY))
        .insert_header((header::CROSS_ORIGIN_RESOURCE_POLICY, "cross-origin"));
    if is_known {
        return Ok(response.finish());
    }
    let kind = address.image_type;
    let name =
        format!("inline; filename=\"{}-{}.{}\"", address.hash, address.width, kind.extension());
    Ok(response
        .content_type(kind.content_type())
        .insert_header((header::CONTENT_DISPOSITION, name))
        .body(file.bytes.bytes))
}
