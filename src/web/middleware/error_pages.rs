//! Every error as a page: what happened, what to do, the request's id, and no
//! word of the cause. The cause is logged here, once.

use actix_web::{
    Error, HttpRequest, HttpResponse,
    body::{BoxBody, EitherBody, MessageBody},
    dev::{ServiceRequest, ServiceResponse},
    http::{StatusCode, header},
    middleware::Next,
    web::Data,
};
use askama::Template;

use super::request_log::shown_id;
use crate::{
    state::AppState,
    web::{
        error::{AppError, AppResult, RETRY_AFTER_SECS},
        layout::Layout,
        member_form::TOKEN_FIELD,
        render::{CachePolicy, DependsOn, IsPage, render_as},
        viewer::signin_from,
    },
};

#[derive(Template)]
#[template(path = "errors/page.html")]
struct ErrorPage {
    layout: Layout,
    seal: &'static str,
    title: String,
    advice: String,
    request_id: String,
    is_ours: bool,
}

/// Why a form was not taken although its text is good.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhyKept {
    /// Its token is missing, or of another session.
    StaleForm,
    /// The session ended while it was written.
    SignedOut,
    /// The database does not answer.
    Unavailable,
}

#[derive(Template)]
#[template(path = "errors/kept.html")]
struct KeptPage {
    layout: Layout,
    seal: &'static str,
    title: String,
    advice: String,
    /// Where to sign in, if that helps.
    signin: Option<String>,
    /// Name and text of each field.
    fields: Vec<(String, String)>,
}

/// A page that gives back what was typed into a form. Passwords are not shown.
///
/// # Errors
/// 500 if the template fails.
pub fn keep_text(
    request: &HttpRequest,
    state: &AppState,
    why: WhyKept,
    mut fields: Vec<(String, String)>,
) -> AppResult<HttpResponse> {
    fields.retain(|(name, text)| {
        name != TOKEN_FIELD && !name.contains("password") && !text.trim().is_empty()
    });
    let layout = Layout::of(request, state);
    let (status, seal, title, advice) = match why {
        WhyKept::StaleForm => {
            (StatusCode::FORBIDDEN, "止", layout.t("kept-stale"), layout.t("kept-stale-advice"))
        }
        WhyKept::SignedOut => {
            let (title, advice) = (layout.t("kept-signed-out"), layout.t("kept-signed-out-advice"));
            (StatusCode::FORBIDDEN, "止", title, advice)
        }
        WhyKept::Unavailable => {
            let (title, advice) = (layout.t("error-503"), layout.t("error-503-advice"));
            (StatusCode::SERVICE_UNAVAILABLE, "歇", title, advice)
        }
    };
    let signin = (why == WhyKept::SignedOut).then(|| signin_from(request));
    let page = KeptPage { layout, seal, title, advice, signin, fields };
    let mut response = render_as(status, &page, CachePolicy::Private, DependsOn::nothing())?;
    if status == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECS);
    }
    Ok(response)
}

/// Replaces the body of every 4xx and 5xx that is not a page already.
///
/// # Errors
/// None: whatever comes from inside becomes an answer.
pub async fn draw_errors(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<EitherBody<impl MessageBody, BoxBody>>, Error> {
    let response = next.call(request).await?;
    let status = response.status();
    let is_page = response.response().extensions().contains::<IsPage>();
    if is_page || !(status.is_client_error() || status.is_server_error()) {
        return Ok(response.map_into_left_body());
    }
    if status.is_server_error() {
        log_cause(&response);
    }
    let Some(state) = response.request().app_data::<Data<AppState>>().cloned() else {
        return Ok(response.map_into_left_body());
    };
    let page = error_page(response.request(), &state, status, typed(&response));
    let drawn = render_as(status, &page, CachePolicy::Private, DependsOn::nothing());
    let mut drawn = match drawn {
        Ok(drawn) => drawn,
        Err(error) => {
            tracing::error!(%error, "the error page cannot be drawn");
            return Ok(response.map_into_left_body());
        }
    };
    // What the first answer said in headers (Allow, Retry-After) stays true.
    for (name, value) in response.headers() {
        if name != header::CONTENT_TYPE && name != header::CONTENT_LENGTH {
            drawn.headers_mut().append(name.clone(), value.clone());
        }
    }
    if status == StatusCode::SERVICE_UNAVAILABLE {
        drawn.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECS);
    }
    let (request, _) = response.into_parts();
    Ok(ServiceResponse::new(request, drawn).map_into_right_body())
}

fn error_page(
    request: &HttpRequest,
    state: &AppState,
    status: StatusCode,
    error: Option<&AppError>,
) -> ErrorPage {
    let layout = Layout::of(request, state);
    let (seal, title, advice) = match status {
        StatusCode::NOT_FOUND => ("无", layout.t("error-404"), layout.t("error-404-advice")),
        StatusCode::GONE => ("去", layout.t("error-410"), layout.t("error-410-advice")),
        StatusCode::FORBIDDEN if matches!(error, Some(AppError::Forbidden)) => {
            ("止", layout.t("error-forbidden"), layout.t("error-forbidden-advice"))
        }
        StatusCode::FORBIDDEN => ("止", layout.t("error-403"), layout.t("error-403-advice")),
        StatusCode::METHOD_NOT_ALLOWED => {
            ("止", layout.t("error-405"), layout.t("error-405-advice"))
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("满", layout.t("error-413"), layout.t("error-413-advice"))
        }
        StatusCode::TOO_MANY_REQUESTS => {
            ("歇", layout.t("error-429"), layout.t("error-429-advice"))
        }
        StatusCode::SERVICE_UNAVAILABLE => {
            ("歇", layout.t("error-503"), layout.t("error-503-advice"))
        }
        status if status.is_server_error() => {
            ("误", layout.t("error-500"), layout.t("error-500-advice"))
        }
        _ => ("误", layout.t("error-400"), layout.t("error-400-advice")),
    };
    let request_id = shown_id(request);
    ErrorPage { layout, seal, title, advice, request_id, is_ours: status.is_server_error() }
}

fn typed<B>(response: &ServiceResponse<B>) -> Option<&AppError> {
    response.response().error().and_then(|error| error.as_error::<AppError>())
}

fn log_cause<B>(response: &ServiceResponse<B>) {
    let status = response.status().as_u16();
    match (typed(response), response.response().error()) {
        // `{:#}` gives the causes on one line; `{:?}` would add a backtrace.
        (Some(AppError::Internal(cause)), _) => {
            tracing::error!(status, cause = format!("{cause:#}"), "a request failed");
        }
        (Some(AppError::Unavailable(cause)), _) => {
            tracing::error!(status, cause = cause.chain(), "a request failed");
        }
        (_, Some(error)) => tracing::error!(status, %error, "a request failed"),
        (_, None) => tracing::error!(status, "a request failed"),
    }
}
