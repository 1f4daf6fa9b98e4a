//! Where a member is signed in, and ending that.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, ServiceConfig, post, resource},
};

use super::{
    forms::SessionForm,
    pages::{SessionItem, SessionsPage},
};
use crate::{
    signin::handlers::signed_out,
    state::AppState,
    urls,
    users::{commands, queries},
    web::{
        error::{AppError, AppResult},
        layout::Layout,
        member_form::{MemberForm, NoFields},
        render::{CachePolicy, DependsOn, render_as},
        routing::page,
        viewer::SignedIn,
    },
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::SESSIONS, show))
        .service(resource(urls::pattern::SESSION_END).route(post().to(end)))
        .service(resource(urls::pattern::SESSIONS_END_OTHERS).route(post().to(end_others)));
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
) -> AppResult<HttpResponse> {
    let found = queries::find_sessions(&state.db, member.id, state.clock.now()).await?;
    let sessions = found
        .into_iter()
        .map(|session| SessionItem { is_current: session.id == member.session_id, session })
        .collect();
    let page = SessionsPage { layout: Layout::of(&request, &state), sessions };
    render_as(StatusCode::OK, &page, CachePolicy::Private, DependsOn::nothing())
}

async fn end(state: Data<AppState>, form: MemberForm<SessionForm>) -> AppResult<HttpResponse> {
    let (db, member, id) = (state.db.clone(), form.member, form.fields.session);
    let is_own = id == member.session_id;
    let ended = async move { commands::end_own_session(&db, member.id, &id).await };
    if !state.writes.to_the_end(ended).await?? {
        return Err(AppError::NotFound);
    }
    Ok(if is_own { signed_out(&state, urls::home()) } else { back() })
}

async fn end_others(state: Data<AppState>, form: MemberForm<NoFields>) -> AppResult<HttpResponse> {
    let (db, member, now) = (state.db.clone(), form.member, state.clock.now());
    let ended = async move {
        for session in queries::find_sessions(&db, member.id, now).await? {
            if session.id != member.session_id {
                commands::end_own_session(&db, member.id, &session.id).await?;
            }
        }
        Ok::<(), AppError>(())
    };
    state.writes.to_the_end(ended).await??;
    Ok(back())
}

fn back() -> HttpResponse {
    HttpResponse::SeeOther().insert_header((header::LOCATION, urls::sessions())).finish()
}
