//! One log line a request, under an id that the visitor is told too.

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    http::header::{HeaderName, HeaderValue},
    middleware::Next,
};
use tracing::Span;
use tracing_actix_web::{RequestId, RootSpanBuilder};

const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The span of a request: its id, method and path, but no address, no query and
/// no user agent.
pub struct RequestSpan;

impl RootSpanBuilder for RequestSpan {
    fn on_request_start(request: &ServiceRequest) -> Span {
        use actix_web::HttpMessage;
        let id = request.extensions().get::<RequestId>().copied();
        tracing::info_span!(
            "request",
            id = id.map(tracing::field::display),
            method = %request.method(),
            path = request.path(),
        )
    }

    fn on_request_end<B: MessageBody>(_: Span, _: &Result<ServiceResponse<B>, Error>) {}
}

/// The id of a request in the short form that people are shown.
#[must_use]
pub fn shown_id(request: &actix_web::HttpRequest) -> String {
    use actix_web::HttpMessage;
    request.extensions().get::<RequestId>().map_or_else(String::new, ToString::to_string)
}

/// Writes the line and the header.
///
/// # Errors
/// None of its own.
pub async fn log_request(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let start = std::time::Instant::now();
    let mut response = next.call(request).await?;
    if let Ok(id) = HeaderValue::from_str(&shown_id(response.request())) {
        response.headers_mut().insert(HEADER, id);
    }
    let status = response.status().as_u16();
    let elapsed_ms = start.elapsed().as_millis();
    tracing::info!(status, elapsed_ms, "answered");
    Ok(response)
}
