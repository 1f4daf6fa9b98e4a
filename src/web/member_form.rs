//! Forms of signed-in pages, which carry a token of their session (SEC-15).

use actix_web::{Error, FromRequest, HttpRequest, dev::Payload, error::InternalError};
use futures_util::future::LocalBoxFuture;
use serde::{Deserialize, de::DeserializeOwned};

use super::{
    error::AppError,
    extractors::{FORM_LIMIT_BYTES, fields, form_body},
    middleware::error_pages::{WhyKept, keep_text},
    viewer::{Member, Viewer},
};
use crate::state::AppState;

/// The hidden field; `templates/_csrf.html` writes it.
pub const TOKEN_FIELD: &str = "csrf";

/// A form that a member sent from a page of the running session. Anything else gets
/// a page that shows every text field again, so that nothing is lost.
pub struct MemberForm<T, const LIMIT: usize = FORM_LIMIT_BYTES> {
    pub member: Member,
    pub fields: T,
}

/// For a button that needs nothing but its token.
#[derive(Deserialize)]
pub struct NoFields {}

#[derive(Deserialize)]
struct WithToken {
    #[serde(default)]
    csrf: String,
}

impl<T: DeserializeOwned + 'static, const LIMIT: usize> FromRequest for MemberForm<T, LIMIT> {
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<Self, Error>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let body = form_body(request, payload, LIMIT);
        let request = request.clone();
        Box::pin(async move {
            let body = body.await?;
            let Some(state) = request.app_data::<actix_web::web::Data<AppState>>() else {
                return Err(AppError::Internal(anyhow::anyhow!("a request without state")).into());
            };
            let token = fields::<WithToken>(&body)?.csrf;
            let why = match Viewer::of(&request) {
                Viewer::Member(member) if member.is_form_token(&state.site_key, &token) => {
                    return Ok(Self { member, fields: fields(&body)? });
                }
                Viewer::Member(_) => WhyKept::StaleForm,
                Viewer::Visitor => WhyKept::SignedOut,
                Viewer::Unknown => WhyKept::Unavailable,
            };
            let typed = fields::<Vec<(String, String)>>(&body)?;
            let page = keep_text(&request, state, why, typed)?;
            Err(InternalError::from_response("a form without a right token", page).into())
        })
    }
}
