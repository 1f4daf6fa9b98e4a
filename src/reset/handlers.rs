//! Asking for a letter, and following its link.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
    web::{Data, ServiceConfig, post, resource},
};

use super::{
    forms::{AskForm, PasswordForm},
    pages::{AskPage, PasswordPage},
};
use crate::{
    db::{DbError, transaction::TxError},
    domain::{email, password_rules, permission::Role, token::Token},
    mail::Letter,
    rate_limits::{commands::is_too_many, model::Limit, tries},
    signup::forms::{email_mistake, password_mistake},
    state::AppState,
    urls,
    users::{
        self, actions,
        model::{Account, Link, Purpose, UserStatus},
        queries,
    },
    web::{
        client_ip::{client_ip, network},
        error::{AppError, AppResult},
        extractors::{Form, parameter},
        form_state::Mistake,
        layout::Layout,
        render::{CachePolicy, DependsOn, render_as},
        routing::page,
    },
};

const NETWORK: Limit = Limit { name: "reset-ip", tries: 25, window: Duration::from_mins(5) };
const ADDRESS: Limit = Limit { name: "reset-mail", tries: 5, window: Duration::from_mins(30) };

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::RESET, show).route(post().to(ask)))
        .service(resource(urls::pattern::RESET_PASSWORD).route(post().to(set_password)));
}

async fn show(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let Some(token) = parameter(&request, "token") else {
        let page = AskPage {
            layout: Layout::of(&request, &state),
            email: String::new(),
            mistake: None,
            is_sent: parameter(&request, "sent").is_some(),
        };
        return draw(StatusCode::OK, &page);
    };
    match whose(&state, &token).await? {
        Some((_, account)) => {
            password_page(&request, &state, StatusCode::OK, token, account.role, None)
        }
        None => stale(&request, &state),
    }
}

/// Where a page was, its address names nobody's token.
fn draw(status: StatusCode, page: &impl askama::Template) -> AppResult<HttpResponse> {
    let mut page = render_as(status, page, CachePolicy::Private, DependsOn::nothing())?;
    page.headers_mut().insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    Ok(page)
}

fn password_page(
    request: &HttpRequest,
    state: &AppState,
    status: StatusCode,
    token: String,
    role: Role,
    mistake: Option<Mistake>,
) -> AppResult<HttpResponse> {
    let layout = Layout::of(request, state);
    let min_chars = i64::try_from(password_rules::min_chars(role)).unwrap_or_default();
    draw(status, &PasswordPage { layout, token, mistake, min_chars })
}

/// The link is used or too old: the form to ask for another.
fn stale(request: &HttpRequest, state: &AppState) -> AppResult<HttpResponse> {
    let page = AskPage {
        layout: Layout::of(request, state),
        email: String::new(),
        mistake: Some(Mistake::new("", "reset-stale")),
        is_sent: false,
    };
    draw(StatusCode::UNPROCESSABLE_ENTITY, &page)
}

/// Whom a link that may still be followed was sent to.
async fn whose(state: &AppState, token: &str) -> Result<Option<(Link, Account)>, DbError> {
    let Some(token) = Token::parse(token) else { return Ok(None) };
    let now = state.clock.now();
    let link = queries::find_link(&state.db, &token.hash(), Purpose::Reset, now).await?;
    let Some((link, id)) = link.and_then(|link| link.user_id.map(|id| (link, id))) else {
        return Ok(None);
    };
    let account = queries::find_account(&state.db, id).await?;
    let account = account.filter(|account| account.status == UserStatus::Active);
    Ok(account.map(|account| (link, account)))
}

async fn ask(
    request: HttpRequest,
    state: Data<AppState>,
    form: Form<AskForm>,
) -> AppResult<HttpResponse> {
    let typed = form.0.email.trim().to_owned();
    if let Some(mistake) = email_mistake(&typed) {
        let layout = Layout::of(&request, &state);
        let page = AskPage { layout, email: typed, mistake: Some(mistake), is_sent: false };
        return draw(StatusCode::UNPROCESSABLE_ENTITY, &page);
    }
    let sender = network(client_ip(&request, &state.accounts.trusted_proxies));
    if let Some(wait_secs) = tries::count(&state, NETWORK, &sender).await? {
        return Err(AppError::TooMany { wait_secs });
    }
    let layout = Layout::of(&request, &state);
    let write = {
        let state = state.clone();
        async move {
            if let Err(error) = write_letter(&state, &layout, &typed).await {
                tracing::error!(cause = error.chain(), "a letter could not be written");
            }
        }
    };
    // Beside the answer, which then takes the same time whether there is an account
    // or not.
    state.writes.aside(write);
    let location = format!("{}?sent=1", urls::reset());
    Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish())
}

async fn write_letter(state: &AppState, layout: &Layout, typed: &str) -> Result<(), DbError> {
    let key = state.site_key.sign("reset", &email::normal(typed));
    if is_too_many(&state.db, &ADDRESS, &key, state.clock.now()).await? {
        return Ok(());
    }
    let found = queries::find_account_by_email(&state.db, typed).await?;
    let Some(account) = found.filter(|account| account.status == UserStatus::Active) else {
        return Ok(());
    };
    let token = actions::make_link(state, Purpose::Reset, Some(account.id)).await?;
    state.send(Letter {
        // As it was given at sign-up, not as typed now.
        to: account.email.unwrap_or_default(),
        subject: layout.named("mail-reset-subject", layout.site_title()),
        text: layout.named("mail-reset", layout.absolute(urls::reset_by(token.as_str()))),
    });
    Ok(())
}

async fn set_password(
    request: HttpRequest,
    state: Data<AppState>,
    form: Form<PasswordForm>,
) -> AppResult<HttpResponse> {
    let PasswordForm { token, password } = form.0;
    let Some((link, account)) = whose(&state, &token).await? else {
        return stale(&request, &state);
    };
    let email = account.email.unwrap_or_default();
    let names = [account.username.as_str(), email.as_str(), state.site.title.as_str()];
    if let Err(weakness) = password_rules::check(&password, account.role, &names) {
        let mistake = password_mistake(weakness, account.role);
        let status = StatusCode::UNPROCESSABLE_ENTITY;
        return password_page(&request, &state, status, token, account.role, Some(mistake));
    }
    let hash = state.passwords.hash(password).await.map_err(AppError::Internal)?;
    let done = {
        let (state, writes) = (state.clone(), state.writes.clone());
        let reset =
            async move { users::actions::reset_password(&state, &link, account.id, hash).await };
        writes.to_the_end(reset).await?
    };
    match done {
        Ok(()) => {
            let layout = Layout::of(&request, &state);
            state.send(Letter {
                to: email,
                subject: layout.named("mail-changed-subject", layout.site_title()),
                text: layout.named("mail-changed", layout.absolute(urls::reset())),
            });
            let location = urls::signin_after("reset");
            Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish())
        }
        Err(TxError::Refused(_)) => stale(&request, &state),
        Err(TxError::Db(error)) => Err(error.into()),
    }
}
