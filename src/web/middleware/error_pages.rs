//! Every error as a page: what happened, what to do, the request's id, and no
//! word of the cause. The cause is logged here, once.

use actix_web::{
    Error,
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
        error::{AppError, RETRY_AFTER_SECS},
        layout::Layout,
        render::{CachePolicy, DependsOn, IsPage, render_as},
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
    let page = error_page(response.request(), &state, status);
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

fn error_page(request: &actix_web::HttpRequest, state: &AppState, status: StatusCode) -> ErrorPage {
    let layout = Layout::of(request, state);
    let (seal, title, advice) = match status {
        StatusCode::NOT_FOUND => ("无", layout.t("error-404"), layout.t("error-404-advice")),
        StatusCode::FORBIDDEN => ("止", layout.t("error-403"), layout.t("error-403-advice")),
        StatusCode::METHOD_NOT_ALLOWED => {
            ("止", layout.t("error-405"), layout.t("error-405-advice"))
        }
        StatusCode::PAYLOAD_TOO_LARGE => {
            ("满", layout.t("error-413"), layout.t("error-413-advice"))
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

fn log_cause<B>(response: &ServiceResponse<B>) {
    let status = response.status().as_u16();
    let typed = response.response().error().and_then(|error| error.as_error::<AppError>());
    match (typed, response.response().error()) {
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
