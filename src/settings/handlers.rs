//! The settings page and its forms.

use std::time::Duration;

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, ServiceConfig, post, resource},
};

use super::{
    forms::{DeleteForm, EmailForm, PasswordForm, ProfileForm, SettingsValues, UsernameForm},
    pages::SettingsPage,
    sessions,
};
use crate::{
    db::transaction::TxError,
    domain::{names::UserName, password_rules},
    mail::Letter,
    rate_limits::{model::Limit, tries},
    signin::handlers::{signed_in, signed_out},
    signup::forms::{email_mistake, password_mistake, username_mistake},
    state::AppState,
    urls,
    users::{
        actions::{self, Refusal},
        commands::{self, Change},
        model::Account,
        passwords::Check,
        queries,
    },
    web::{
        error::{AppError, AppResult},
        extractors::parameter,
        form_state::{FormState, Mistake},
        layout::Layout,
        member_form::MemberForm,
        render::{CachePolicy, DependsOn, render_as},
        routing::page,
        viewer::{Member, SignedIn},
    },
};

/// Wrong answers to "your password, please".
const CONFIRM: Limit = Limit { name: "confirm", tries: 5, window: Duration::from_mins(5) };

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::SETTINGS, show))
        .service(resource(urls::pattern::SETTINGS_PROFILE).route(post().to(save_profile)))
        .service(resource(urls::pattern::SETTINGS_USERNAME).route(post().to(rename)))
        .service(resource(urls::pattern::SETTINGS_EMAIL).route(post().to(change_email)))
        .service(resource(urls::pattern::SETTINGS_PASSWORD).route(post().to(change_password)))
        .service(resource(urls::pattern::SETTINGS_DELETE).route(post().to(delete)))
        .configure(sessions::routes);
}

async fn own(state: &AppState, member: &Member) -> AppResult<Account> {
    queries::find_account(&state.db, member.id).await?.ok_or(AppError::NotFound)
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
) -> AppResult<HttpResponse> {
    let account = own(&state, &member).await?;
    draw(&request, &state, &account, |_| (), Vec::new())
}

/// The page, with what was typed put over what is stored.
fn draw(
    request: &HttpRequest,
    state: &AppState,
    account: &Account,
    typed: impl FnOnce(&mut SettingsValues),
    mistakes: Vec<Mistake>,
) -> AppResult<HttpResponse> {
    let mut values = SettingsValues::from(account);
    typed(&mut values);
    let layout = Layout::of(request, state);
    let note = match parameter(request, "saved").as_deref() {
        Some("profile" | "username" | "email") => Some(layout.t("settings-saved")),
        Some("password") => Some(layout.t("password-saved")),
        _ => None,
    };
    let min_chars = i64::try_from(password_rules::min_chars(account.role)).unwrap_or_default();
    let is_fine = mistakes.is_empty();
    let status = if is_fine { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let page = SettingsPage { layout, form: FormState { values, mistakes }, note, min_chars };
    render_as(status, &page, CachePolicy::Private, DependsOn::nothing())
}

fn saved(what: &str) -> HttpResponse {
    let location = urls::settings_after(what);
    HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish()
}

async fn save_profile(
    request: HttpRequest,
    state: Data<AppState>,
    form: MemberForm<ProfileForm>,
) -> AppResult<HttpResponse> {
    let id = form.member.id;
    match form.fields.parse() {
        Ok(text) => {
            let db = state.db.clone();
            let set = async move { commands::set_profile(&db, id, &text).await };
            state.writes.to_the_end(set).await??;
            Ok(saved("profile"))
        }
        Err(mistakes) => {
            let account = own(&state, &form.member).await?;
            draw(&request, &state, &account, |values| values.profile = form.fields, mistakes)
        }
    }
}

async fn rename(
    request: HttpRequest,
    state: Data<AppState>,
    form: MemberForm<UsernameForm>,
) -> AppResult<HttpResponse> {
    let (id, typed) = (form.member.id, form.fields.username);
    let mistake = match UserName::parse(&typed) {
        Err(error) => username_mistake(&error),
        Ok(name) => {
            let db = state.db.clone();
            let renamed = async move { actions::rename(&db, id, name).await };
            match state.writes.to_the_end(renamed).await? {
                Ok(()) => return Ok(saved("username")),
                Err(TxError::Refused(_)) => Mistake::new("username", "username-taken"),
                Err(TxError::Db(error)) => return Err(error.into()),
            }
        }
    };
    let account = own(&state, &form.member).await?;
    draw(&request, &state, &account, |values| values.username = typed, vec![mistake])
}

/// What is wrong with a password that confirms a change; wrong ones are counted.
async fn refusal(
    state: &AppState,
    account: &Account,
    password: &str,
    field: &'static str,
) -> AppResult<Option<Mistake>> {
    let key = account.id.to_hex();
    if tries::count(state, CONFIRM, &key).await?.is_some() {
        return Ok(Some(Mistake::new("", "signin-too-often").at(field)));
    }
    let check = state.passwords.check(password.to_owned(), account.password_hash.clone()).await;
    if check.map_err(AppError::Internal)? == Check::Wrong {
        return Ok(Some(Mistake::new("", "current-password-wrong").at(field)));
    }
    tries::take_back(state, CONFIRM, &key).await?;
    Ok(None)
}

async fn change_email(
    request: HttpRequest,
    state: Data<AppState>,
    form: MemberForm<EmailForm>,
) -> AppResult<HttpResponse> {
    let EmailForm { email, password } = form.fields;
    let account = own(&state, &form.member).await?;
    let email = email.trim().to_owned();
    let mistake = match email_mistake(&email) {
        Some(mistake) => Some(mistake),
        None => refusal(&state, &account, &password, "email-password").await?,
    };
    if let Some(mistake) = mistake {
        return draw(&request, &state, &account, |values| values.email = email, vec![mistake]);
    }
    let (db, old_key, new) = (state.db.clone(), account.email_key.clone(), email.clone());
    let set = async move { actions::set_email(&db, account.id, old_key, new).await };
    match state.writes.to_the_end(set).await? {
        Ok(()) => {
            if let Some(old) = account.email {
                notify(&request, &state, old);
            }
            Ok(saved("email"))
        }
        Err(TxError::Refused(
            Refusal::EmailTaken | Refusal::UsernameTaken | Refusal::LinkStale,
        )) => {
            let account = own(&state, &form.member).await?;
            let mistake = Mistake::new("email", "email-unusable");
            draw(&request, &state, &account, |values| values.email = email, vec![mistake])
        }
        Err(TxError::Db(error)) => Err(error.into()),
    }
}

/// Tells the owner of an account that it changed, in case it was somebody else.
fn notify(request: &HttpRequest, state: &AppState, to: String) {
    let layout = Layout::of(request, state);
    state.send(Letter {
        to,
        subject: layout.named("mail-changed-subject", layout.site_title()),
        text: layout.named("mail-changed", layout.absolute(urls::reset())),
    });
}

async fn change_password(
    request: HttpRequest,
    state: Data<AppState>,
    form: MemberForm<PasswordForm>,
) -> AppResult<HttpResponse> {
    let PasswordForm { current_password, password } = form.fields;
    let account = own(&state, &form.member).await?;
    let email = account.email.clone().unwrap_or_default();
    let names = [account.username.as_str(), email.as_str(), state.site.title.as_str()];
    let mistake = match password_rules::check(&password, account.role, &names) {
        Err(weakness) => Some(password_mistake(weakness, account.role).at("new-password")),
        Ok(()) => refusal(&state, &account, &current_password, "current-password").await?,
    };
    if let Some(mistake) = mistake {
        return draw(&request, &state, &account, |_| (), vec![mistake]);
    }
    let hash = state.passwords.hash(password).await.map_err(AppError::Internal)?;
    let (db, id) = (state.db.clone(), account.id);
    let changed = async move { actions::change(&db, id, Change::Password(hash)).await };
    state.writes.to_the_end(changed).await??;
    if !email.is_empty() {
        notify(&request, &state, email);
    }
    // Every session is over, this one too; the browser at hand gets a new one.
    let next = urls::settings_after("password");
    signed_in(&request, &state, (account.id, account.role), &next).await
}

async fn delete(
    request: HttpRequest,
    state: Data<AppState>,
    form: MemberForm<DeleteForm>,
) -> AppResult<HttpResponse> {
    let account = own(&state, &form.member).await?;
    let is_last = queries::is_last_admin(&state.db, account.id).await?;
    let mistake = if is_last {
        Some(Mistake::new("delete-password", "last-admin"))
    } else {
        refusal(&state, &account, &form.fields.password, "delete-password").await?
    };
    if let Some(mistake) = mistake {
        return draw(&request, &state, &account, |_| (), vec![mistake]);
    }
    let neutral_name = Layout::of(&request, &state).t("deleted-user");
    let (db, id, key) = (state.db.clone(), account.id, account.email_key);
    let deleted = async move { actions::delete(&db, id, key, neutral_name).await };
    state.writes.to_the_end(deleted).await??;
    Ok(signed_out(&state, &urls::signin_after("deleted")))
}
