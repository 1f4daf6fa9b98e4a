//! Every request in the metrics, under the pattern of its route.

use std::time::Instant;

use actix_web::{
    Error,
    body::MessageBody,
    dev::{ServiceRequest, ServiceResponse},
    middleware::Next,
};

use crate::operations::metrics::{self, UnderWay};

/// Counts and times the request.
///
/// # Errors
/// None of its own.
pub async fn measure(
    request: ServiceRequest,
    next: Next<impl MessageBody>,
) -> Result<ServiceResponse<impl MessageBody>, Error> {
    let start = Instant::now();
    let under_way = UnderWay::start();
    let (route, method) = (request.match_pattern(), request.method().clone());
    let answer = next.call(request).await;
    let status = match &answer {
        Ok(response) => response.status(),
        Err(error) => error.as_response_error().status_code(),
    };
    metrics::request_answered(route, &method, status, start.elapsed());
    drop(under_way);
    answer
}
