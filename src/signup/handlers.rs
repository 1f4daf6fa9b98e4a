//! Signing up.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, ServiceConfig, post},
};

use super::{
    forms::SignUpForm,
    pages::{ClosedPage, SignUpPage},
};
use crate::{
    config::SignUp,
    db::transaction::TxError,
    domain::{password_rules, token::Token},
    mail::Letter,
    rate_limits::{model::Limit, tries},
    state::AppState,
    urls,
    users::{
        actions::{self, NewUser, Refusal},
        model::Purpose,
        queries,
    },
    web::{
        client_ip::{client_ip, network},
        error::{AppError, AppResult},
        extractors::{Form, parameter},
        form_state::{FormState, Mistake},
        layout::Layout,
        render::{CachePolicy, DependsOn, render_as},
        routing::page,
    },
};

/// Each costs a hash, so one network cannot have any number.
const NETWORK: Limit = Limit { name: "signup-ip", tries: 100, window: Duration::from_hours(1) };

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::SIGN_UP, show).route(post().to(signup)));
}

async fn show(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let invitation = parameter(&request, "invitation").unwrap_or_default();
    if let Some(closed) = closed(&request, &state, &invitation).await? {
        return Ok(closed);
    }
    let values = SignUpForm { invitation, ..SignUpForm::default() };
    draw(&request, &state, StatusCode::OK, FormState { values, mistakes: Vec::new() })
}

/// The page that says so, if this visitor cannot sign up.
async fn closed(
    request: &HttpRequest,
    state: &AppState,
    invitation: &str,
) -> AppResult<Option<HttpResponse>> {
    let layout = Layout::of(request, state);
    let words = match state.accounts.signup {
        SignUp::Open => return Ok(None),
        SignUp::Closed => layout.t("signup-closed"),
        SignUp::Invitation => {
            let id = Token::parse(invitation).map(|token| token.hash()).unwrap_or_default();
            let now = state.clock.now();
            let link = queries::find_link(&state.db, &id, Purpose::Invitation, now).await?;
            if link.is_some() {
                return Ok(None);
            }
            layout.t("signup-by-invitation")
        }
    };
    let page = ClosedPage { layout, words };
    let page = render_as(StatusCode::FORBIDDEN, &page, CachePolicy::Private, DependsOn::nothing())?;
    Ok(Some(page))
}

fn draw(
    request: &HttpRequest,
    state: &AppState,
    status: StatusCode,
    form: FormState<SignUpForm>,
) -> AppResult<HttpResponse> {
    let least = password_rules::min_chars(state.accounts.newcomer_role);
    let min_chars = i64::try_from(least).unwrap_or_default();
    let page = SignUpPage { layout: Layout::of(request, state), form, min_chars };
    render_as(status, &page, CachePolicy::Private, DependsOn::nothing())
}

async fn signup(
    request: HttpRequest,
    state: Data<AppState>,
    form: Form<SignUpForm>,
) -> AppResult<HttpResponse> {
    let typed = form.0;
    if let Some(closed) = closed(&request, &state, &typed.invitation).await? {
        return Ok(closed);
    }
    let sender = network(client_ip(&request, &state.accounts.trusted_proxies));
    if let Some(wait_secs) = tries::count(&state, NETWORK, &sender).await? {
        return Err(AppError::TooMany { wait_secs });
    }
    let role = state.accounts.newcomer_role;
    let new = match typed.clone().parse(role, &state.site.title) {
        Ok(new) => new,
        Err(form) => return draw(&request, &state, StatusCode::UNPROCESSABLE_ENTITY, form),
    };
    let hash = state.passwords.hash(new.password).await.map_err(AppError::Internal)?;
    let email = new.email.clone();
    let user = NewUser {
        username: new.username,
        email: Some(new.email),
        password_hash: Some(hash),
        role,
        invitation: match state.accounts.signup {
            SignUp::Invitation => Token::parse(&typed.invitation).map(|token| token.hash()),
            SignUp::Open | SignUp::Closed => None,
        },
    };
    let made = {
        let (state, writes) = (state.clone(), state.writes.clone());
        writes.to_the_end(async move { actions::create(&state, user).await }).await?
    };
    let mistake = match made {
        Ok(_) => return Ok(on_to_sign_in()),
        // Whoever owns the address is told; whoever typed it is not.
        Err(TxError::Refused(Refusal::EmailTaken)) => {
            let layout = Layout::of(&request, &state);
            state.send(Letter {
                to: email,
                subject: layout.named("mail-known-subject", layout.site_title()),
                text: layout.named("mail-known", layout.absolute(urls::reset())),
            });
            return Ok(on_to_sign_in());
        }
        Err(TxError::Refused(Refusal::UsernameTaken)) => Mistake::new("username", "username-taken"),
        Err(TxError::Refused(Refusal::LinkStale)) => Mistake::new("", "invitation-stale"),
        Err(TxError::Db(error)) => return Err(error.into()),
    };
    let form = FormState { values: typed, mistakes: vec![mistake] };
    draw(&request, &state, StatusCode::UNPROCESSABLE_ENTITY, form)
}

fn on_to_sign_in() -> HttpResponse {
    HttpResponse::SeeOther()
        .insert_header((header::LOCATION, urls::signin_after("signup")))
        .finish()
}
