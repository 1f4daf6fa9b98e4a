//! Finding a post by an address, whatever it is called now.

use actix_web::HttpRequest;
use futures_util::future::join;

use super::{
    model::{PostBody, PostMeta},
    queries,
};
use crate::{
    addresses::{self, model::Kind},
    db::DbError,
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

/// The post that is read under a slug, and its body as far as it could be read: both
/// at once, by the post's id if this process knows the slug, or else by the slug.
///
/// The metadata alone decides whether a post may be read: everybody reads public
/// ones, whoever may edit a post reads it in any status. A redirect never tells of
/// a post that one may not read.
///
/// # Errors
/// 404, and 410 for a post that was public and is deleted.
pub async fn find_with_body(
    state: &AppState,
    viewer: &Viewer,
    slug: &str,
) -> AppResult<(Found, Result<Option<PostBody>, DbError>)> {
    known_to_some(state, slug)?;
    let db = &state.db;
    let (meta, body) = match state.slugs.post(slug) {
        Some(id) => join(queries::find_meta_by_id(db, id), queries::find_body_by_id(db, id)).await,
        None => {
            join(queries::find_meta_by_slug(db, slug), queries::find_body_by_slug(db, slug)).await
        }
    };
    Ok((readable(state, viewer, slug, meta?).await?, body))
}

/// The same without the body, for pages that show nothing of it.
///
/// # Errors
/// As [`find_with_body`].
pub async fn find(state: &AppState, request: &HttpRequest, slug: &str) -> AppResult<Found> {
    known_to_some(state, slug)?;
    let meta = match state.slugs.post(slug) {
        Some(id) => queries::find_meta_by_id(&state.db, id).await?,
        None => queries::find_meta_by_slug(&state.db, slug).await?,
    };
    readable(state, &Viewer::of(request), slug, meta).await
}

fn known_to_some(state: &AppState, slug: &str) -> AppResult<()> {
    if state.slugs.is_unknown(slug) { Err(AppError::NotFound) } else { Ok(()) }
}

/// Without metadata the slug may be a former one.
async fn readable(
    state: &AppState,
    viewer: &Viewer,
    slug: &str,
    meta: Option<PostMeta>,
) -> AppResult<Found> {
    let meta = match meta {
        Some(meta) => meta,
        None => formerly(state, slug).await?.ok_or(AppError::NotFound)?,
    };
    state.slugs.learn(slug, &meta);
    match readability(&meta, viewer) {
        Readability::Readable if meta.slug == slug => Ok(Found::Post(Box::new(meta))),
        Readability::Readable => Ok(Found::Moved(meta.slug)),
        refused => Err(refused.error()),
    }
}

/// The post that once had the slug.
async fn formerly(state: &AppState, slug: &str) -> AppResult<Option<PostMeta>> {
    match addresses::queries::resolve(&state.db, Kind::Post, slug).await? {
        Some(address) => Ok(queries::find_meta_by_id(&state.db, address.target).await?),
        None => {
            state.slugs.miss(slug);
            Ok(None)
        }
    }
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
