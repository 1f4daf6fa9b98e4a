//! Home and post pages.

use actix_web::{
    HttpRequest, HttpResponse,
    http::StatusCode,
    web::{Data, Path, ServiceConfig},
};
use futures_util::future::join;

use super::{
    lookup::{self, Found},
    model::{PostBody, PostMeta},
    pages::{CardList, HomePage, ListKind, ShowPage, ShowParts},
    queries::{self, PostList},
};
use crate::{
    comments::{forms::CommentForm, pages::CommentFormPart},
    db::{Db, DbError},
    domain::{paging::Position, permission::may_edit},
    state::AppState,
    tags, urls,
    web::{
        error::AppResult,
        extractors::ListQuery,
        form_state::FormState,
        layout::Layout,
        list_pages::{Settled, settled},
        moved::moved_permanently,
        render::{CachePolicy, DependsOn, render, render_as},
        routing::page,
        viewer::Viewer,
    },
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::HOME, home)).service(page(urls::pattern::POST, show));
}

async fn home(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let position = ListQuery::of(&request)?.newest_first()?;
    let (page, cloud) =
        join(queries::list(&state.db, &PostList::All, &position), tags::queries::cloud(&state.db))
            .await;
    let page = match settled(page?, &position, urls::home()) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    let mut list = CardList::new(page, urls::home(), ListKind::Everybody);
    list.has_lead = position == Position::First;
    let cloud = tags::pages::top_cloud(or_nothing(cloud, "the tag cloud"));
    let page = HomePage { layout: Layout::of(&request, &state), list, cloud };
    render(&page, CachePolicy::Shared, DependsOn::on(["list:newest".to_owned()]))
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    slug: Path<String>,
) -> AppResult<HttpResponse> {
    show_with_form(&request, &state, &slug, StatusCode::OK, FormState::default()).await
}

/// The post page with the state of its comment form: empty, or as it came back.
///
/// Metadata and body are asked for at once; neighbours and related posts, whose
/// ids the body holds, follow in a second wave.
///
/// # Errors
/// 404 for a post that is not there to be read.
pub async fn show_with_form(
    request: &HttpRequest,
    state: &AppState,
    slug: &str,
    status: StatusCode,
    form: FormState<CommentForm>,
) -> AppResult<HttpResponse> {
    let db = &state.db;
    let viewer = Viewer::of(request);
    let (found, body) = lookup::find_with_body(state, &viewer, slug).await?;
    let meta = match found {
        Found::Post(meta) => *meta,
        Found::Moved(slug) => return Ok(moved_permanently(request, &urls::post(&slug))),
    };
    let body = body_of(db, &meta, body).await;
    let ids: Vec<_> = body
        .iter()
        .flat_map(|body| body.prev.iter().chain(&body.next).chain(&body.related))
        .copied()
        .collect();
    let links = or_nothing(queries::find_links(db, &ids).await, "neighbours and related posts");
    let layout = Layout::of(request, state);
    let policy = match (status, &body) {
        (StatusCode::OK, Some(_)) if meta.is_readable() => CachePolicy::Shared,
        _ => CachePolicy::Private,
    };
    let depends_on = DependsOn::on([
        format!("post:{}", meta.id.to_hex()),
        format!("author:{}", meta.author.id.to_hex()),
    ]);
    // A closed post shows no form, but one that came back keeps its text.
    let has_form = meta.takes_comments() || !form.mistakes.is_empty();
    let form = has_form.then(|| CommentFormPart::for_post(&layout, &meta.slug, form));
    let is_editor =
        viewer.member().is_some_and(|member| may_edit(member.role, meta.author.id, member.id));
    let page = ShowPage::new(layout, ShowParts { meta, body, links, form, is_editor });
    render_as(status, &page, policy, depends_on)
}

/// What stands beside the matter of a page must not take the page down.
fn or_nothing<T>(found: Result<Vec<T>, DbError>, what: &str) -> Vec<T> {
    found.unwrap_or_else(|error| {
        tracing::error!(cause = error.chain(), "{what} cannot be read");
        Vec::new()
    })
}

/// The body that belongs to the metadata. Between two reads by slug a rename may
/// have happened, so what is missing is asked for once more by id; after that a
/// page without a body beats an error (row R3).
async fn body_of(
    db: &Db,
    meta: &PostMeta,
    body: Result<Option<PostBody>, DbError>,
) -> Option<PostBody> {
    let found = match body {
        Ok(Some(body)) if body.id == meta.id => return Some(body),
        Ok(_) => queries::find_body_by_id(db, meta.id).await,
        Err(error) => Err(error),
    };
    match found {
        Ok(Some(body)) => Some(body),
        Ok(None) => {
            tracing::error!(post = %meta.id, "a post has no body");
            None
        }
        Err(error) => {
            tracing::error!(post = %meta.id, cause = error.chain(), "a body cannot be read");
            None
        }
    }
}
