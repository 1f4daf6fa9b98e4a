//! Reading and posting comments.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path, ServiceConfig, post},
};
use futures_util::future::{join, join_all};
use mongodb::bson::oid::ObjectId;

use super::{
    actions::{self, Place, Refusal},
    forms::CommentForm,
    pages::{CommentsPage, ThreadPage, UnsentPage},
    queries::{self, ThreadOrder},
};
use crate::{
    db::{DbError, transaction::TxError},
    domain::paging::Position,
    posts::{
        self,
        lookup::{self, Found},
        model::PostMeta,
    },
    state::AppState,
    urls,
    web::{
        client_ip::client_ip,
        error::{AppError, AppResult, RETRY_AFTER_SECS},
        extractors::{Form, ListQuery, parse_id},
        form_state::{FormState, Mistake},
        layout::Layout,
        moved::moved_permanently,
        render::{CachePolicy, DependsOn, render, render_as},
        routing::page,
    },
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::POST_COMMENTS, all).route(post().to(add)))
        .service(page(urls::pattern::THREAD, thread));
}

async fn all(
    request: HttpRequest,
    state: Data<AppState>,
    slug: Path<String>,
) -> AppResult<HttpResponse> {
    let query = ListQuery::of(&request)?;
    let order =
        if query.is_oldest_first() { ThreadOrder::OldestFirst } else { ThreadOrder::NewestFirst };
    let position = match order {
        ThreadOrder::NewestFirst => query.by_id_newest_first()?,
        ThreadOrder::OldestFirst => query.by_id_oldest_first()?,
    };
    let post = match lookup::find(&state, &request, &slug).await? {
        Found::Post(post) => *post,
        Found::Moved(slug) => return Ok(moved_permanently(&request, &urls::comments(&slug))),
    };
    let page = queries::threads(&state.db, post.id, order, &position).await?;
    if page.items.is_empty() && position != Position::First {
        return Err(AppError::NotFound);
    }
    // Joined to the end: a driver's call must not be dropped half way.
    let replies = join_all(page.items.iter().map(async |root| match root.reply_count {
        0 => Ok(Vec::new()),
        _ => queries::first_replies(&state.db, post.id, root.id).await,
    }))
    .await
    .into_iter()
    .collect::<Result<Vec<_>, _>>()?;
    let depends_on = DependsOn::on([format!("post:{}", post.id.to_hex())]);
    let layout = Layout::of(&request, &state);
    let page = CommentsPage::new(layout, post, order, page, replies);
    render(&page, CachePolicy::Shared, depends_on)
}

async fn thread(
    request: HttpRequest,
    state: Data<AppState>,
    path: Path<(String, String)>,
) -> AppResult<HttpResponse> {
    let (slug, id) = path.into_inner();
    let id = parse_id(&id)?;
    let position = ListQuery::of(&request)?.by_id_oldest_first()?;
    let post = match lookup::find(&state, &request, &slug).await? {
        Found::Post(post) => *post,
        Found::Moved(slug) => {
            return Ok(moved_permanently(&request, &urls::thread(&slug, &id.to_hex())));
        }
    };
    show_thread(&request, &state, post, id, &position, StatusCode::OK, FormState::default()).await
}

async fn show_thread(
    request: &HttpRequest,
    state: &AppState,
    post: PostMeta,
    id: ObjectId,
    position: &Position<ObjectId>,
    status: StatusCode,
    form: FormState<CommentForm>,
) -> AppResult<HttpResponse> {
    let (focus, page) = join(
        queries::find_shown(&state.db, post.id, id),
        queries::below(&state.db, post.id, id, position),
    )
    .await;
    let (focus, page) = (focus?.ok_or(AppError::NotFound)?, page?);
    if page.items.is_empty() && *position != Position::First {
        return Err(AppError::NotFound);
    }
    let policy = if status == StatusCode::OK { CachePolicy::Shared } else { CachePolicy::Private };
    let depends_on = DependsOn::on([format!("post:{}", post.id.to_hex())]);
    let layout = Layout::of(request, state);
    let page = ThreadPage::new(layout, post, focus, page, form);
    render_as(status, &page, policy, depends_on)
}

/// A form that was filled before the post got another slug counts as well.
async fn commented_post(
    state: &AppState,
    request: &HttpRequest,
    slug: &str,
) -> AppResult<PostMeta> {
    let found = match lookup::find(state, request, slug).await? {
        Found::Moved(slug) => lookup::find(state, request, &slug).await?,
        found @ Found::Post(_) => found,
    };
    match found {
        Found::Post(post) => Ok(*post),
        Found::Moved(_) => Err(AppError::NotFound),
    }
}

async fn add(
    request: HttpRequest,
    state: Data<AppState>,
    slug: Path<String>,
    form: Form<CommentForm>,
) -> AppResult<HttpResponse> {
    let typed = form.0;
    match store(&request, &state, &slug, typed.clone()).await {
        Err(AppError::Unavailable(cause)) => unsent(&request, &state, &slug, typed, &cause),
        answer => answer,
    }
}

/// While the database is away nothing is lost: the page holds the form as it was
/// typed, ready to be sent again.
fn unsent(
    request: &HttpRequest,
    state: &AppState,
    slug: &str,
    typed: CommentForm,
    cause: &DbError,
) -> AppResult<HttpResponse> {
    tracing::error!(cause = cause.chain(), "a comment was not stored");
    let page = UnsentPage::new(Layout::of(request, state), slug, typed);
    let status = StatusCode::SERVICE_UNAVAILABLE;
    let mut response = render_as(status, &page, CachePolicy::Private, DependsOn::nothing())?;
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECS);
    Ok(response)
}

async fn store(
    request: &HttpRequest,
    state: &AppState,
    slug: &str,
    typed: CommentForm,
) -> AppResult<HttpResponse> {
    let post = commented_post(state, request, slug).await?;
    let parent_id = match typed.parent.as_str() {
        "" => None,
        text => match parse_id(text) {
            Ok(id) => Some(id),
            Err(_) => return refused(request, state, post, typed, Refusal::NoParent).await,
        },
    };
    let parsed = {
        let (typed, scope) = (typed.clone(), state.clock.new_id().to_hex());
        state.rendering.run(move || typed.parse(&scope)).await?
    };
    let new = match parsed {
        Ok(new) => new,
        Err(form) => return with_mistakes(request, state, post, parent_id, form).await,
    };
    let place = Place { post_id: post.id, parent_id, sender: sender_of(request, state) };
    let added = {
        let state = state.clone();
        let writes = state.writes.clone();
        writes.to_the_end(async move { actions::add_comment(&state, place, new).await }).await?
    };
    match added {
        Ok(id) => {
            let location = urls::comment(&post.slug, &id.to_hex());
            Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish())
        }
        Err(TxError::Refused(refusal)) => refused(request, state, post, typed, refusal).await,
        Err(TxError::Db(error)) => Err(error.into()),
    }
}

/// Network address and user agent: enough to tell a second click from a second
/// person.
fn sender_of(request: &HttpRequest, state: &AppState) -> String {
    let address = client_ip(request, &state.accounts.trusted_proxies);
    let agent =
        request.headers().get(header::USER_AGENT).map_or(&b""[..], |agent| agent.as_bytes());
    format!("{address} {}", String::from_utf8_lossy(agent))
}

async fn refused(
    request: &HttpRequest,
    state: &AppState,
    post: PostMeta,
    typed: CommentForm,
    refusal: Refusal,
) -> AppResult<HttpResponse> {
    let mistake = match refusal {
        Refusal::Closed => Mistake::new("", "comments-closed"),
        Refusal::NoParent => Mistake::new("", "parent-gone"),
    };
    let parent_id = match refusal {
        // Without its parent it can still be a comment on the post.
        Refusal::NoParent => None,
        Refusal::Closed => parse_id(&typed.parent).ok(),
    };
    let parent = parent_id.map(ObjectId::to_hex).unwrap_or_default();
    let values = CommentForm { parent, ..typed };
    let form = FormState { values, mistakes: vec![mistake] };
    with_mistakes(request, state, post, parent_id, form).await
}

/// The page that the form stood on, with everything typed.
async fn with_mistakes(
    request: &HttpRequest,
    state: &AppState,
    post: PostMeta,
    parent_id: Option<ObjectId>,
    form: FormState<CommentForm>,
) -> AppResult<HttpResponse> {
    let status = StatusCode::UNPROCESSABLE_ENTITY;
    if let Some(id) = parent_id
        && queries::find_shown(&state.db, post.id, id).await?.is_some()
    {
        return show_thread(request, state, post, id, &Position::First, status, form).await;
    }
    posts::handlers::show_with_form(request, state, &post.slug, status, form).await
}
