//! Signing in and out.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    web::{Data, ServiceConfig, post, resource},
};

use super::{forms::SignInForm, pages::SignInPage};
use crate::{
    domain::local_path::local_path,
    state::AppState,
    urls,
    users::{
        self,
        limits::Limits,
        model::{Credentials, UserStatus},
        passwords::Check,
    },
    web::{
        error::{AppError, AppResult},
        extractors::{Form, Next},
        form_state::Mistake,
        layout::Layout,
        member_form::MemberForm,
        render::{CachePolicy, DependsOn, render_as},
        routing::page,
        session_cookie,
    },
};

const CLEAR_SITE_DATA: HeaderName = HeaderName::from_static("clear-site-data");

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::SIGN_IN, signin_page).route(post().to(signin)))
        .service(resource(urls::pattern::SIGN_OUT).route(post().to(signout)));
}

async fn signin_page(
    request: HttpRequest,
    state: Data<AppState>,
    next: Next,
) -> AppResult<HttpResponse> {
    let form = SignInForm { next: next.0, ..SignInForm::default() };
    show(&request, &state, StatusCode::OK, form, None)
}

/// The password is never shown again.
fn show(
    request: &HttpRequest,
    state: &AppState,
    status: StatusCode,
    form: SignInForm,
    mistake: Option<Mistake>,
) -> AppResult<HttpResponse> {
    let layout = Layout::of(request, state);
    let page = SignInPage { layout, login: form.login, next: form.next, mistake };
    render_as(status, &page, CachePolicy::Private, DependsOn::nothing())
}

async fn signin(
    request: HttpRequest,
    state: Data<AppState>,
    form: Form<SignInForm>,
) -> AppResult<HttpResponse> {
    let form = form.0;
    match prove(&state, &form).await? {
        Some(user) => {
            let next = local_path(&form.next).unwrap_or(urls::home());
            begin(&request, &state, user, next).await
        }
        None => {
            let status = StatusCode::UNPROCESSABLE_ENTITY;
            show(&request, &state, status, form, Some(Mistake::new("", "signin-wrong")))
        }
    }
}

/// Who this is, if the password is right.
async fn prove(state: &AppState, form: &SignInForm) -> AppResult<Option<Credentials>> {
    let found = users::queries::find_credentials(&state.db, &form.login).await?;
    let hash = found.as_ref().and_then(|user| user.password_hash.clone());
    let check = state.passwords.check(form.password.clone(), hash).await;
    let check = check.map_err(AppError::Internal)?;
    let Some(user) = found.filter(|user| user.status == UserStatus::Active) else {
        return Ok(None);
    };
    if check == Check::RightButOld {
        let hash = state.passwords.hash(form.password.clone()).await;
        let (hash, db, id) = (hash.map_err(AppError::Internal)?, state.db.clone(), user.id);
        let renewed = async move { users::commands::set_password(&db, id, &hash).await };
        state.writes.to_the_end(renewed).await??;
    }
    Ok((check != Check::Wrong).then_some(user))
}

/// Begins a session and goes on. Whatever session the browser brought is over.
async fn begin(
    request: &HttpRequest,
    state: &AppState,
    user: Credentials,
    next: &str,
) -> AppResult<HttpResponse> {
    let agent = agent_of(request);
    let brought = session_cookie::token_of(request, &state.site);
    let (db, clock) = (state.db.clone(), state.clock.clone());
    let begun = async move {
        if let Some(token) = brought {
            users::commands::end_session(&db, &token.hash()).await?;
        }
        users::actions::start_session(&db, &clock, user.id, user.role, &agent).await
    };
    let token = state.writes.to_the_end(begun).await??;
    let secs = i64::try_from(Limits::of(user.role).absolute.as_secs()).unwrap_or_default();
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, next))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .cookie(session_cookie::hand_out(&state.site, &token, secs))
        .finish())
}

/// As the browser calls itself, at most 200 characters.
fn agent_of(request: &HttpRequest) -> String {
    let agent = request.headers().get(header::USER_AGENT).map_or(&b""[..], HeaderValue::as_bytes);
    String::from_utf8_lossy(agent).chars().filter(|c| !c.is_control()).take(200).collect()
}

#[derive(serde::Deserialize)]
struct NoFields {}

async fn signout(state: Data<AppState>, form: MemberForm<NoFields>) -> AppResult<HttpResponse> {
    let (db, id) = (state.db.clone(), form.member.session_id);
    let ended = async move { users::commands::end_session(&db, &id).await };
    state.writes.to_the_end(ended).await??;
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, urls::home()))
        // What pages left in the browser's cache was this member's.
        .insert_header((CLEAR_SITE_DATA, "\"cache\""))
        .cookie(session_cookie::take_back(&state.site))
        .finish())
}
