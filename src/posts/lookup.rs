//! Finding a post by an address, whatever it is called now.

use actix_web::HttpRequest;

use super::{model::PostMeta, queries};
use crate::{
    addresses::{self, model::Kind},
    domain::permission::may_edit,
    state::AppState,
    web::{
        error::{AppError, AppResult},
        viewer::Viewer,
    },
};

/// Where an address leads.
pub enum Found {
    Post(Box<PostMeta>),
    /// To the post's slug of today.
    Moved(String),
}

/// The post that is read under a slug; `meta` is what stands there now.
///
/// The metadata alone decides whether a post may be read: everybody reads public
/// ones, whoever may edit a post reads it in any status. A redirect never tells of
/// a post that one may not read.
///
/// # Errors
/// 404, and 410 for a post that was public and is deleted.
pub async fn readable(
    state: &AppState,
    viewer: &Viewer,
    slug: &str,
    meta: Option<PostMeta>,
) -> AppResult<Found> {
    if let Some(meta) = meta {
        return match readability(&meta, viewer) {
            Readability::Readable => Ok(Found::Post(Box::new(meta))),
            refused => Err(refused.error()),
        };
    }
    let address = addresses::queries::resolve(&state.db, Kind::Post, slug).await?;
    let target = address.ok_or(AppError::NotFound)?.target;
    let meta = queries::find_meta_by_id(&state.db, target).await?.ok_or(AppError::NotFound)?;
    match readability(&meta, viewer) {
        Readability::Readable => Ok(Found::Moved(meta.slug)),
        refused => Err(refused.error()),
    }
}

/// By slug, for pages that show nothing of the body.
///
/// # Errors
/// As [`readable`].
pub async fn find(state: &AppState, request: &HttpRequest, slug: &str) -> AppResult<Found> {
    let meta = queries::find_meta_by_slug(&state.db, slug).await?;
    readable(state, &Viewer::of(request), slug, meta).await
}

enum Readability {
    Readable,
    /// Nobody needs to know that it is there.
    Hidden,
    /// Many may know that it was there.
    Gone,
}

impl Readability {
    fn error(&self) -> AppError {
        match self {
            Self::Gone => AppError::Gone,
            Self::Readable | Self::Hidden => AppError::NotFound,
        }
    }
}

fn readability(meta: &PostMeta, viewer: &Viewer) -> Readability {
    let is_editor =
        viewer.member().is_some_and(|member| may_edit(member.role, meta.author.id, member.id));
    if meta.is_readable() || (is_editor && !meta.is_deleted()) {
        Readability::Readable
    } else if meta.is_deleted() && meta.published_at.is_some() {
        Readability::Gone
    } else {
        Readability::Hidden
    }
}
