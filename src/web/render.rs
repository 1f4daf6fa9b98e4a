//! The one way a page leaves: `render(page, policy, depends_on)`.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
};
use askama::Template;

use super::error::{AppError, AppResult};

/// Who may keep a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CachePolicy {
    /// Alike for everybody; checked for changes on each visit, since an hour in
    /// a browser's cache would hide a reader's own comment.
    Shared,
    /// For this visitor, or of this moment, only.
    Private,
}

/// What a page was made from, so that it can be dropped when that changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DependsOn(pub Vec<String>);

impl DependsOn {
    /// For pages that no stored thing changes.
    #[must_use]
    pub fn nothing() -> Self {
        Self(Vec::new())
    }

    #[must_use]
    pub fn on<const N: usize>(tags: [String; N]) -> Self {
        Self(tags.into())
    }
}

/// Marks an answer that is a page already, so that no error page replaces it.
pub struct IsPage;

/// A page with status 200.
///
/// # Errors
/// 500 if the template fails.
pub fn render(
    page: &impl Template,
    policy: CachePolicy,
    depends_on: DependsOn,
) -> AppResult<HttpResponse> {
    render_as(StatusCode::OK, page, policy, depends_on)
}

/// A page with another status: a form with mistakes (422), an error.
///
/// # Errors
/// 500 if the template fails.
pub fn render_as(
    status: StatusCode,
    page: &impl Template,
    policy: CachePolicy,
    depends_on: DependsOn,
) -> AppResult<HttpResponse> {
    let html = page.render().map_err(|error| AppError::Internal(error.into()))?;
    let cache_control = match policy {
        CachePolicy::Shared => "public, max-age=0, must-revalidate",
        CachePolicy::Private => "private, no-store",
    };
    let mut response = HttpResponse::build(status)
        .content_type("text/html; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, cache_control))
        // The theme's cookie changes one attribute of the page.
        .insert_header((header::VARY, "Accept-Encoding, Cookie"))
        .body(html);
    response.extensions_mut().insert(IsPage);
    response.extensions_mut().insert(depends_on);
    Ok(response)
}
