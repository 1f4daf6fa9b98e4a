//! Resources that are read.

use actix_web::{
    FromRequest, Handler, Resource, Responder,
    web::{get, head, resource},
};

/// A pattern that answers GET, and HEAD with the same headers; other verbs get
/// 405. More verbs can be added with `.route(…)`.
#[must_use]
pub fn page<F, Args>(pattern: &str, handler: F) -> Resource
where
    F: Handler<Args>,
    Args: FromRequest + 'static,
    F::Output: Responder + 'static,
{
    resource(pattern).route(get().to(handler.clone())).route(head().to(handler))
}
