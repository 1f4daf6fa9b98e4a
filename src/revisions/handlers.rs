//! Looking at revisions, and going back to one.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, ServiceConfig, post},
};
use futures_util::future::join;
use serde::Deserialize;

use super::{
    editors::Names,
    model::Revision,
    pages::{RevisionPage, RevisionsPage},
    queries::{self, PAGE_VERSIONS},
};
use crate::{
    domain::text_diff::text_diff,
    state::AppState,
    urls,
    web::{
        error::{AppError, AppResult},
        extractors::parse_id,
        layout::Layout,
        member_form::MemberForm,
        render::{CachePolicy, DependsOn, render},
        routing::page,
        viewer::SignedIn,
    },
    writing::{answers::load, forms::PostForm, handlers::submit},
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::REVISIONS, list).route(post().to(restore)))
        .service(page(urls::pattern::REVISION, show));
}

#[derive(Deserialize)]
struct BeforeQuery {
    before: Option<i64>,
}

async fn list(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
    id: Path<String>,
) -> AppResult<HttpResponse> {
    let query: BeforeQuery =
        serde_urlencoded::from_str(request.query_string()).map_err(|_| AppError::NotFound)?;
    let (post, _) = load(&state, &member, parse_id(&id)?).await?;
    let newest = query.before.map_or(post.version, |before| before.saturating_sub(1));
    if newest > post.version || newest < 1 {
        return Err(AppError::NotFound);
    }
    let rows = queries::page(&state.db, post.id, newest).await?;
    let names = Names::find(&state.db, rows.iter().map(|row| row.by)).await?;
    let page = RevisionsPage::new(Layout::of(&request, &state), post, rows, names, newest);
    render(&page, CachePolicy::Private, DependsOn::nothing())
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
    path: Path<(String, String)>,
) -> AppResult<HttpResponse> {
    let (id, version) = path.into_inner();
    let version = version.parse().map_err(|_| AppError::NotFound)?;
    let (post, _) = load(&state, &member, parse_id(&id)?).await?;
    let found = queries::find(&state.db, post.id, version).await?;
    let revision: Revision = found.ok_or(AppError::NotFound)?;
    let (before, names) =
        join(before(&state, &revision), Names::find(&state.db, std::iter::once(revision.by))).await;
    let (before, names) = (before?, names?);
    let is_first = before.is_none();
    let (old, new) = (before.unwrap_or_default(), revision.source.clone());
    let hunks = state.rendering.run(move || text_diff(&old, &new)).await?;
    let layout = Layout::of(&request, &state);
    let page = RevisionPage { layout, post, revision, names, is_first, hunks };
    render(&page, CachePolicy::Private, DependsOn::nothing())
}

/// The text that a revision replaced.
async fn before(state: &AppState, revision: &Revision) -> AppResult<Option<String>> {
    let mut newest = revision.version - 1;
    while newest > 0 {
        let rows = queries::page(&state.db, revision.post_id, newest).await?;
        if let Some(row) = rows.first() {
            let found = queries::find(&state.db, revision.post_id, row.version).await?;
            return Ok(found.map(|revision| revision.source));
        }
        newest -= PAGE_VERSIONS;
    }
    Ok(None)
}

#[derive(Deserialize)]
struct RestoreForm {
    revision: i64,
    version: String,
}

/// An old text becomes the newest version; the ones between stay.
async fn restore(
    request: HttpRequest,
    state: Data<AppState>,
    id: Path<String>,
    form: MemberForm<RestoreForm>,
) -> AppResult<HttpResponse> {
    let (post, source) = load(&state, &form.member, parse_id(&id)?).await?;
    let found = queries::find(&state.db, post.id, form.fields.revision).await?;
    let revision: Revision = found.ok_or(AppError::NotFound)?;
    let typed = PostForm {
        title: revision.title,
        body: Some(revision.source),
        version: form.fields.version,
        action: "save".to_owned(),
        ..PostForm::of(&post, &source, &state.site.zone, state.site.slug_style)
    };
    submit(&request, &state, &form.member, Some(post.id), typed).await
}
