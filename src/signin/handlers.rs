//! Signing in and out.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderName, HeaderValue},
    },
    web::{Data, ServiceConfig, post, resource},
};

use super::{attempts::Attempt, forms::SignInForm, pages::SignInPage};
use crate::{
    config::SignUp,
    domain::{local_path::local_path, permission::Role},
    state::AppState,
    urls,
    users::{
        self,
        limits::Limits,
        model::{Credentials, UserStatus},
        passwords::Check,
    },
    web::{
        client_ip::client_ip,
        error::{AppError, AppResult},
        extractors::{Form, agent, parameter},
        form_state::Mistake,
        layout::Layout,
        member_form::{MemberForm, NoFields},
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

async fn signin_page(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let next = parameter(&request, "next").unwrap_or_default();
    let next = local_path(&next).unwrap_or(urls::home()).to_owned();
    let form = SignInForm { next, ..SignInForm::default() };
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
    let note = match parameter(request, "after").as_deref() {
        Some("signup") => Some(layout.t("after-signup")),
        Some("reset") => Some(layout.t("after-reset")),
        Some("deleted") => Some(layout.t("after-deleted")),
        _ => None,
    };
    let signup_is_open = state.accounts.signup == SignUp::Open;
    let SignInForm { login, next, .. } = form;
    let page = SignInPage { layout, login, next, mistake, note, signup_is_open };
    render_as(status, &page, CachePolicy::Private, DependsOn::nothing())
}

async fn signin(
    request: HttpRequest,
    state: Data<AppState>,
    form: Form<SignInForm>,
) -> AppResult<HttpResponse> {
    let form = form.0;
    let address = client_ip(&request, &state.accounts.trusted_proxies);
    let attempt = Attempt::new(&state, &form.login, address);
    if let Some(wait_secs) = attempt.count(&state).await? {
        let mistake = Some(Mistake::new("", "signin-too-often"));
        let mut page = show(&request, &state, StatusCode::TOO_MANY_REQUESTS, form, mistake)?;
        page.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(wait_secs));
        return Ok(page);
    }
    match prove(&state, &form).await? {
        Some(user) => {
            attempt.was_right(&state).await?;
            let next = local_path(&form.next).unwrap_or(urls::home());
            begin(&request, &state, user, next).await
        }
        None => {
            let mistake = Some(Mistake::new("", "signin-wrong"));
            show(&request, &state, StatusCode::UNPROCESSABLE_ENTITY, form, mistake)
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
        let renewed = async move { users::commands::renew_hash(&db, id, &hash).await };
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
    if let Some(brought) = session_cookie::token_of(request, &state.site) {
        let db = state.db.clone();
        let ended = async move { users::commands::end_session(&db, &brought.hash()).await };
        state.writes.to_the_end(ended).await??;
    }
    signed_in(request, state, (user.id, user.role), next).await
}

/// The answer to somebody who has proved who they are: a new session, and on to a
/// page.
///
/// # Errors
/// 503 when the database does not answer.
pub async fn signed_in(
    request: &HttpRequest,
    state: &AppState,
    (user_id, role): (mongodb::bson::oid::ObjectId, Role),
    next: &str,
) -> AppResult<HttpResponse> {
    let (db, clock, agent) = (state.db.clone(), state.clock.clone(), agent(request));
    let begun =
        async move { users::actions::start_session(&db, &clock, user_id, role, &agent).await };
    let token = state.writes.to_the_end(begun).await??;
    let secs = i64::try_from(Limits::of(role).absolute.as_secs()).unwrap_or_default();
    Ok(HttpResponse::SeeOther()
        .insert_header((header::LOCATION, next))
        .insert_header((header::CACHE_CONTROL, "private, no-store"))
        .cookie(session_cookie::hand_out(&state.site, &token, secs))
        .finish())
}

async fn signout(state: Data<AppState>, form: MemberForm<NoFields>) -> AppResult<HttpResponse> {
    let (db, id) = (state.db.clone(), form.member.session_id);
    let ended = async move { users::commands::end_session(&db, &id).await };
    state.writes.to_the_end(ended).await??;
    Ok(signed_out(&state, urls::home()))
}

/// The answer to somebody whose session is over.
#[must_use]
pub fn signed_out(state: &AppState, next: &str) -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, next))
        // What pages left in the browser's cache was this member's.
        .insert_header((CLEAR_SITE_DATA, "\"cache\""))
        .cookie(session_cookie::take_back(&state.site))
        .finish()
}
