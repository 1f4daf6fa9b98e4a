//! Home and post pages.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path, ServiceConfig},
};
use futures_util::future::join;

use super::{
    model::{PostBody, PostMeta},
    pages::{CardList, HomePage, ListKind, ShowPage, ShowParts, weigh},
    queries::{self, PostList},
};
use crate::{
    comments::{forms::CommentForm, pages::CommentFormPart},
    db::{Db, DbError},
    domain::paging::{Cursor, Page, Position},
    state::AppState,
    tags, urls,
    web::{
        error::{AppError, AppResult},
        extractors::ListQuery,
        form_state::FormState,
        layout::Layout,
        render::{CachePolicy, DependsOn, render, render_as},
        routing::page,
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
    let page = HomePage {
        layout: Layout::of(&request, &state),
        list,
        cloud: weigh(or_nothing(cloud, "the tag cloud")),
    };
    render(&page, CachePolicy::Shared, DependsOn::on(["list:newest".to_owned()]))
}

/// What to do with a page of a list.
pub enum Settled {
    Page(Page<super::model::PostCard, Cursor>),
    /// Another answer than this page.
    Elsewhere(AppResult<HttpResponse>),
}

/// Going back to the start of a list ends on its first page, which has one
/// address; going on beyond its end leads nowhere.
#[must_use]
pub fn settled(
    page: Page<super::model::PostCard, Cursor>,
    position: &Position<Cursor>,
    first_page: &str,
) -> Settled {
    match position {
        Position::Preceding(_) if page.preceding.is_none() => {
            Settled::Elsewhere(Ok(HttpResponse::Found()
                .insert_header((header::LOCATION, first_page))
                .finish()))
        }
        Position::Following(_) if page.items.is_empty() => {
            Settled::Elsewhere(Err(AppError::NotFound))
        }
        _ => Settled::Page(page),
    }
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
    let (meta, body) =
        join(queries::find_meta_by_slug(db, slug), queries::find_body_by_slug(db, slug)).await;
    // The metadata alone decides whether a post may be read.
    let meta = meta?.filter(PostMeta::is_readable).ok_or(AppError::NotFound)?;
    let body = body_of(db, &meta, body).await;
    let ids: Vec<_> = body
        .iter()
        .flat_map(|body| body.prev.iter().chain(&body.next).chain(&body.related))
        .copied()
        .collect();
    let links = or_nothing(queries::find_links(db, &ids).await, "neighbours and related posts");
    let layout = Layout::of(request, state);
    let policy = match (status, &body) {
        (StatusCode::OK, Some(_)) => CachePolicy::Shared,
        _ => CachePolicy::Private,
    };
    let depends_on = DependsOn::on([
        format!("post:{}", meta.id.to_hex()),
        format!("author:{}", meta.author.id.to_hex()),
    ]);
    // A closed post shows no form, but one that came back keeps its text.
    let has_form = meta.takes_comments() || !form.mistakes.is_empty();
    let form = has_form.then(|| CommentFormPart::for_post(&layout, &meta.slug, form));
    let page = ShowPage::new(layout, ShowParts { meta, body, links, form });
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
