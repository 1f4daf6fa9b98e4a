//! Every URL, and what happens around each request.

use actix_web::{
    App, Error, HttpResponse,
    body::MessageBody,
    dev::{ServiceFactory, ServiceRequest, ServiceResponse},
    middleware::from_fn,
    web::{Bytes, Data, ServiceConfig, post, resource},
};
use tracing_actix_web::TracingLogger;

use crate::{
    archive, categories, comments, media, operations,
    operations::request_metrics::measure,
    posts, reset, revisions, settings, signin, signup,
    state::AppState,
    tags, urls, users,
    users::recognition::recognize,
    web::{
        middleware::{
            error_pages::draw_errors,
            origin_check::check_origin,
            request_log::{RequestSpan, log_request},
            security_headers::add_headers,
        },
        routing::page,
        static_files, theme,
    },
    writing,
};

/// The application. The middleware written last is the outermost, so a request
/// goes through it from the bottom line up.
#[must_use]
pub fn app(
    state: AppState,
) -> App<
    impl ServiceFactory<
        ServiceRequest,
        Config = (),
        Response = ServiceResponse<impl MessageBody>,
        Error = Error,
        InitError = (),
    >,
> {
    App::new()
        .app_data(Data::new(state))
        .configure(configure)
        .wrap(from_fn(check_origin))
        .wrap(from_fn(draw_errors))
        .wrap(from_fn(recognize))
        .wrap(from_fn(add_headers))
        .wrap(from_fn(log_request))
        .wrap(from_fn(measure))
        .wrap(TracingLogger::<RequestSpan>::new())
}

fn configure(cfg: &mut ServiceConfig) {
    cfg.configure(posts::handlers::routes)
        .configure(comments::handlers::routes)
        .configure(tags::handlers::routes)
        .configure(categories::handlers::routes)
        .configure(archive::handlers::routes)
        .configure(users::handlers::routes)
        .configure(writing::handlers::routes)
        .configure(revisions::handlers::routes)
        .configure(signin::handlers::routes)
        .configure(signup::handlers::routes)
        .configure(reset::handlers::routes)
        .configure(settings::handlers::routes)
        .configure(media::handlers::routes)
        .configure(operations::handlers::routes)
        .service(resource(urls::pattern::THEME).route(post().to(theme::choose)))
        .service(page(urls::pattern::STATIC, static_files::serve))
        .service(resource(urls::pattern::CSP_REPORT).route(post().to(csp_report)));
}

/// A browser says what the content security policy kept from running. Anybody
/// can send this, so it is only written down where somebody looks for it.
async fn csp_report(report: Bytes) -> HttpResponse {
    let text: String = String::from_utf8_lossy(&report).chars().take(500).collect();
    let report = text.escape_debug().to_string();
    tracing::debug!(report, "a browser reports a blocked resource");
    HttpResponse::NoContent().finish()
}
