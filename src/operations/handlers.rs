//! `/healthz`, `/readyz` and `/metrics`: for machines, in plain text, kept by
//! no cache.

use actix_web::{
    HttpResponse,
    http::{StatusCode, header},
    web::{Data, ServiceConfig},
};

use super::{metrics, readiness::State};
use crate::{
    state::AppState,
    urls,
    web::{render::IsPage, routing::page},
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::HEALTHZ, healthz))
        .service(page(urls::pattern::READYZ, readyz))
        .service(page(urls::pattern::METRICS, show_metrics));
}

/// Of the process alone: to start it anew would not bring a database back.
async fn healthz() -> HttpResponse {
    plain(StatusCode::OK, "ok\n".to_owned())
}

async fn readyz(state: Data<AppState>) -> HttpResponse {
    let (status, words) = match state.readiness.state(&state.db).await {
        State::Ready => (StatusCode::OK, "ready"),
        State::Draining => (StatusCode::SERVICE_UNAVAILABLE, "draining"),
        State::DatabaseAway => (StatusCode::SERVICE_UNAVAILABLE, "database away"),
    };
    plain(status, format!("{words}\n"))
}

async fn show_metrics() -> HttpResponse {
    plain(StatusCode::OK, metrics::recorder().render())
}

fn plain(status: StatusCode, text: String) -> HttpResponse {
    let mut response = HttpResponse::build(status)
        // The version is that of Prometheus' text format.
        .content_type("text/plain; version=0.0.4; charset=utf-8")
        .insert_header((header::CACHE_CONTROL, "no-store"))
        .body(text);
    response.extensions_mut().insert(IsPage);
    response
}
