//! The editor and an author's own lists.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, Path, ServiceConfig, post, resource},
};
use futures_util::future::join;
use mongodb::bson::{DateTime, oid::ObjectId};
use serde::Deserialize;

use super::{
    actions::{self, Order, Refusal},
    answers::{Back, beside, gone_on, load, show},
    forms::{Context, PostForm, Written, check_public, is_public},
    pages::{Beside, DraftsPage, PreviewPage},
    transition::{Action, Standing},
};
use crate::{
    categories,
    db::{DbError, transaction::TxError},
    domain::{
        image::hashes_in,
        permission::{Role, may_write},
        text,
        token::Token,
    },
    media,
    posts::{
        self,
        editing::{EditedPost, Reach},
        model::{PostStatus, PreviewLink},
    },
    state::AppState,
    urls, users,
    web::{
        error::{AppError, AppResult, RETRY_AFTER_SECS},
        extractors::{ListQuery, parse_id},
        form_state::{FormState, Mistake},
        layout::Layout,
        list_pages::{Settled, settled},
        member_form::MemberForm,
        render::{CachePolicy, DependsOn, render},
        routing::page,
        viewer::{Member, SignedIn, allowed},
    },
};

/// A text of 1 MiB may be three times as long on its way.
const POST_FORM_BYTES: usize = 4 * 1024 * 1024;

type EditorForm = MemberForm<PostForm, POST_FORM_BYTES>;

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::WRITE, blank).route(post().to(create)))
        .service(page(urls::pattern::EDIT, edit).route(post().to(change)))
        .service(resource(urls::pattern::SHARE).route(post().to(share)))
        .service(page(urls::pattern::PREVIEW, shared))
        .service(page(urls::pattern::DRAFTS, drafts));
}

async fn blank(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
) -> AppResult<HttpResponse> {
    allowed(may_write(member.role))?;
    let form = PostForm::new(state.clock.new_id().to_hex());
    let categories = categories::queries::all(&state.db).await?;
    let beside = Beside { categories, ..Beside::default() };
    show(&request, &state, StatusCode::OK, FormState { values: form, mistakes: vec![] }, beside)
}

#[derive(Deserialize)]
struct DoneQuery {
    done: Option<String>,
}

async fn edit(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
    id: Path<String>,
) -> AppResult<HttpResponse> {
    let (post, source) = load(&state, &member, parse_id(&id)?).await?;
    let values = PostForm::of(&post, &source, &state.site.zone, state.site.slug_style);
    let mut beside = beside(&state, Some(post)).await?;
    let query = serde_urlencoded::from_str::<DoneQuery>(request.query_string());
    beside.done = query.ok().and_then(|query| query.done).and_then(|name| done_key(&name));
    show(&request, &state, StatusCode::OK, FormState { values, mistakes: vec![] }, beside)
}

fn done_key(name: &str) -> Option<&'static str> {
    Some(match name {
        "saved" => "done-saved",
        "published" => "done-published",
        "scheduled" => "done-scheduled",
        "draft" => "done-draft",
        "archived" => "done-archived",
        "restored" => "done-restored",
        _ => return None,
    })
}

async fn create(
    request: HttpRequest,
    state: Data<AppState>,
    form: EditorForm,
) -> AppResult<HttpResponse> {
    allowed(may_write(form.member.role))?;
    submit(&request, &state, &form.member, None, form.fields).await
}

async fn change(
    request: HttpRequest,
    state: Data<AppState>,
    id: Path<String>,
    form: EditorForm,
) -> AppResult<HttpResponse> {
    submit(&request, &state, &form.member, Some(parse_id(&id)?), form.fields).await
}

/// While the database is away nothing is lost: the editor holds what was typed,
/// ready to be sent again.
///
/// # Errors
/// 404 for a post out of reach, 400 for a button that there is not.
pub async fn submit(
    request: &HttpRequest,
    state: &AppState,
    member: &Member,
    id: Option<ObjectId>,
    form: PostForm,
) -> AppResult<HttpResponse> {
    // Browsers end lines with two signs; compared is what would be stored.
    let body = form.body.as_deref().map(text::clean_lines);
    let form = PostForm { body, ..form };
    // Boxed: what it holds while it waits is large.
    match Box::pin(press(request, state, member, id, form.clone())).await {
        Err(AppError::Unavailable(cause)) => {
            tracing::error!(cause = cause.chain(), "a post was not saved");
            let mistakes = vec![Mistake::new("", "not-saved-now")];
            let form = FormState { values: form, mistakes };
            let status = StatusCode::SERVICE_UNAVAILABLE;
            let beside = Beside { id, ..Beside::default() };
            let mut response = show(request, state, status, form, beside)?;
            response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECS);
            Ok(response)
        }
        answer => answer,
    }
}

/// Does what the pressed button says.
async fn press(
    request: &HttpRequest,
    state: &AppState,
    member: &Member,
    id: Option<ObjectId>,
    form: PostForm,
) -> AppResult<HttpResponse> {
    let stored = match id {
        Some(id) => Some(load(state, member, id).await?),
        None => None,
    };
    let (before, source) = stored.unzip();
    let (categories, bio) = join(
        categories::queries::all(&state.db),
        users::queries::find_profile(&state.db, &member.username),
    )
    .await;
    let back = Back { request, state, before: before.clone() };
    // A button that came without the text is answered with what is stored.
    let typed = match (&form.body, &before, &source) {
        (None, Some(post), Some(source)) => PostForm {
            version: form.version.clone(),
            ..PostForm::of(post, source, &state.site.zone, state.site.slug_style)
        },
        (None, ..) => return Err(AppError::BadRequest("a new post needs a text")),
        (Some(_), ..) => form.clone(),
    };
    let standing = before.as_ref().map_or(Standing::NEW, Standing::of);
    let time = match form.time(&standing, &state.site.zone) {
        Ok(time) => time,
        Err(mistake) => return back.with(typed, vec![mistake]).await,
    };
    let post_id = id.or_else(|| parse_id(&form.id).ok()).unwrap_or_else(|| state.clock.new_id());
    let parsed = match form.body {
        Some(_) => Some(parse(state, &form, categories?, before.clone(), post_id).await?),
        None => None,
    };
    if form.action == "preview" {
        return match parsed {
            Some(Ok(written)) => back.preview(typed, written).await,
            Some(Err(mistakes)) => back.with(typed, mistakes).await,
            None => Err(AppError::BadRequest("there is no text to preview")),
        };
    }
    let action = match form.action.as_str() {
        "" => Action::Save,
        name => Action::named(name).ok_or(AppError::BadRequest("there is no such button"))?,
    };
    let written = match parsed {
        Some(Ok(written)) => Some(written),
        // A text with mistakes can be thrown away all the same.
        Some(Err(_)) if action == Action::Delete && before.is_some() => None,
        Some(Err(mistakes)) => return back.with(typed, mistakes).await,
        None => None,
    };
    let after = match standing.after(action, time, state.clock.now()) {
        Ok(after) => after,
        Err(key) => {
            let field = if key.starts_with("publish-at") { "publish_at" } else { "" };
            return back.with(typed, vec![Mistake::new(field, key)]).await;
        }
    };
    match &written {
        Some(written) if is_public(after.status) => {
            if let Err(mistakes) = check_public(&form, written) {
                return back.with(typed, mistakes).await;
            }
        }
        None if is_public(after.status) && !is_public(standing.status) => {
            return Err(AppError::BadRequest("publishing needs the text"));
        }
        _ => {}
    }
    if before.as_ref().is_some_and(|post| post.version.to_string() != form.version) {
        return back.conflict(typed, source).await;
    }
    let order = Order {
        post_id,
        before,
        reach: reach(member),
        by: member.card(),
        standing: after,
        written,
        source_before: source.as_ref().map(|source| source.source.clone()),
        author_bio: bio?.map(|profile| profile.bio).unwrap_or_default(),
    };
    let saved = {
        let (state, writes) = (state.clone(), state.writes.clone());
        writes.to_the_end(async move { actions::save(&state, order).await }).await?
    };
    match saved {
        Ok(saved) => Ok(gone_on(post_id, action, after.status, &saved)),
        Err(TxError::Refused(Refusal::Changed)) => back.conflict(typed, source).await,
        Err(TxError::Refused(Refusal::NoCategory)) => {
            back.with(typed, vec![Mistake::new("category", "category-unknown")]).await
        }
        Err(TxError::Refused(Refusal::SlugTaken)) => {
            back.with(typed, vec![Mistake::new("slug", "slug-taken")]).await
        }
        Err(TxError::Db(DbError::Duplicate { index, .. })) if index == "_id_" && id.is_none() => {
            back.sent_before(member, post_id, typed).await
        }
        Err(TxError::Db(error)) => Err(error.into()),
    }
}

fn reach(member: &Member) -> Reach {
    if member.role >= Role::Editor { Reach::Everybodys } else { Reach::Own(member.id) }
}

async fn parse(
    state: &AppState,
    form: &PostForm,
    categories: Vec<categories::model::Category>,
    before: Option<EditedPost>,
    post_id: ObjectId,
) -> AppResult<Result<Written, Vec<Mistake>>> {
    let form = form.clone();
    let hashes = hashes_in(form.body.as_deref().unwrap_or_default());
    let images = media::queries::find_for(&state.db, &hashes).await?;
    let context = Context {
        images: images.into_iter().map(|image| (image.hash.clone(), image.image_size())).collect(),
        slug_style: state.site.slug_style,
        site_lang: state.site.lang.tag(),
        untitled: state.messages.text("untitled"),
        categories,
        before,
        post_id: post_id.to_hex(),
    };
    state.rendering.run(move || form.parse(&context)).await
}

#[derive(Deserialize)]
struct StatusQuery {
    status: Option<String>,
}

async fn drafts(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
) -> AppResult<HttpResponse> {
    allowed(may_write(member.role))?;
    let query: StatusQuery =
        serde_urlencoded::from_str(request.query_string()).map_err(|_| AppError::NotFound)?;
    let status = match query.status.as_deref() {
        None => PostStatus::Draft,
        Some(name) => PostStatus::named(name).ok_or(AppError::NotFound)?,
    };
    let position = ListQuery::of(&request)?.newest_first()?;
    let rows = posts::queries::own(&state.db, member.id, status, &position).await?;
    let path = urls::drafts_of(status.name());
    let rows = match settled(rows, &position, &path) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    let page = DraftsPage::new(Layout::of(&request, &state), status, rows);
    render(&page, CachePolicy::Private, DependsOn::nothing())
}

/// How long a preview link shows a post.
const PREVIEW_DAYS: i64 = 7;

#[derive(Deserialize)]
struct ShareForm {
    action: String,
}

/// Makes a link to an unpublished post, or ends the one there is. It is shown
/// once: only its hash is kept.
async fn share(
    request: HttpRequest,
    state: Data<AppState>,
    id: Path<String>,
    form: MemberForm<ShareForm>,
) -> AppResult<HttpResponse> {
    let (post, source) = load(&state, &form.member, parse_id(&id)?).await?;
    let token = Token::random();
    let link = match form.fields.action.as_str() {
        "share" => {
            let expires = state.clock.now().timestamp_millis() + PREVIEW_DAYS * 24 * 3_600_000;
            let expires_at = DateTime::from_millis(expires);
            Some(PreviewLink { hash: token.hash(), expires_at })
        }
        "unshare" => None,
        _ => return Err(AppError::BadRequest("there is no such button")),
    };
    let is_made = link.is_some();
    let post_id = post.id;
    let db = state.db.clone();
    state
        .writes
        .to_the_end(async move { posts::commands::set_preview(&db, post_id, link).await })
        .await??;
    let values = PostForm::of(&post, &source, &state.site.zone, state.site.slug_style);
    let path = urls::preview(&format!("{}{}", post_id.to_hex(), token.as_str()));
    let mut beside = beside(&state, Some(post)).await?;
    beside.shared = is_made.then(|| format!("{}{path}", state.site.url));
    beside.done = (!is_made).then_some("preview-link-ended");
    show(&request, &state, StatusCode::OK, FormState { values, mistakes: vec![] }, beside)
}

/// An unpublished post for whoever has its link: the post's id and the token.
async fn shared(
    request: HttpRequest,
    state: Data<AppState>,
    token: Path<String>,
) -> AppResult<HttpResponse> {
    let (id, token) = token.split_at_checked(24).ok_or(AppError::NotFound)?;
    let (id, token) = (parse_id(id)?, Token::parse(token).ok_or(AppError::NotFound)?);
    let (post, source) = join(
        posts::queries::find_edited(&state.db, id),
        posts::queries::find_source(&state.db, id),
    )
    .await;
    let (post, source) = (post?.ok_or(AppError::NotFound)?, source?.ok_or(AppError::NotFound)?);
    let is_shown = source
        .preview
        .as_ref()
        .is_some_and(|link| link.hash == token.hash() && link.expires_at > state.clock.now());
    if !is_shown || post.status == PostStatus::Deleted {
        return Err(AppError::NotFound);
    }
    let body = posts::queries::find_body_by_id(&state.db, id).await?;
    let html = body.map(|body| body.html).unwrap_or_default();
    let page = PreviewPage { layout: Layout::of(&request, &state), post, html };
    let mut response = render(&page, CachePolicy::Private, DependsOn::nothing())?;
    // The address is a secret: no other site may learn it from a link.
    let no_referrer = header::HeaderValue::from_static("no-referrer");
    response.headers_mut().insert(header::REFERRER_POLICY, no_referrer);
    Ok(response)
}
