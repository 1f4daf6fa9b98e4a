//! Who sends a request, found out before anything else looks at it.

use actix_web::{
    Error, HttpMessage,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{self, HeaderValue},
    middleware::Next,
    web::Data,
};
use mongodb::bson::DateTime;

use super::{
    commands, limits,
    limits::Limits,
    model::{Session, SignedInUser, UserStatus},
    queries,
};
use crate::{
    db::DbError,
    domain::{permission::Role, token::Token},
    state::AppState,
    urls,
    web::{
        session_cookie,
        viewer::{Member, Viewer},
    },
};

/// Puts the [`Viewer`] with the request. Without a session cookie, and for files
/// that are alike for all, nothing is asked (SEC-14). Whatever a member is shown is
/// for them alone (SEC-22).
///
/// # Errors
/// None of its own: a database that is away leaves the viewer unknown.
pub async fn recognize(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let viewer = viewer_of(&request).await;
    let is_personal = !viewer.is_visitor();
    request.extensions_mut().insert(viewer);
    let mut response = next.call(request).await?;
    if is_personal {
        let value = HeaderValue::from_static("private, no-store");
        response.headers_mut().insert(header::CACHE_CONTROL, value);
    }
    Ok(response)
}

async fn viewer_of(request: &ServiceRequest) -> Viewer {
    let Some(state) = request.app_data::<Data<AppState>>() else { return Viewer::Visitor };
    if urls::is_same_for_all(request.path()) {
        return Viewer::Visitor;
    }
    let Some(token) = session_cookie::token_of(request.request(), &state.site) else {
        return Viewer::Visitor;
    };
    match member_of(state, &token).await {
        Ok(Some(member)) => Viewer::Member(member),
        Ok(None) => Viewer::Visitor,
        Err(error) => {
            tracing::error!(cause = error.chain(), "a session cannot be looked up");
            Viewer::Unknown
        }
    }
}

/// Whose running session this is. A suspended or deleted user has none.
async fn member_of(state: &AppState, token: &Token) -> Result<Option<Member>, DbError> {
    let now = state.clock.now();
    let Some(found) = queries::find_session(&state.db, &token.hash(), now).await? else {
        return Ok(None);
    };
    let Some(user) = found.user.into_iter().next() else { return Ok(None) };
    if user.status != UserStatus::Active || !limits::is_running(&found.session, user.role, now) {
        return Ok(None);
    }
    if limits::is_due(&found.session, now) {
        touch(state, &found.session, user.role, now);
    }
    Ok(Some(member(user, found.session.id)))
}

/// Nobody waits for it; a use that is not written down is written down at the next.
fn touch(state: &AppState, session: &Session, role: Role, now: DateTime) {
    let expires_at = Limits::of(role).end(session.created_at, now);
    let (db, id) = (state.db.clone(), session.id.clone());
    state.writes.aside(async move {
        if let Err(error) = commands::touch_session(&db, &id, now, expires_at).await {
            tracing::warn!(cause = error.chain(), "the use of a session is not written down");
        }
    });
}

fn member(user: SignedInUser, session_id: String) -> Member {
    let SignedInUser { id, username, name, avatar, role, card_version, .. } = user;
    Member { id, username, name, avatar, role, card_version, session_id }
}
