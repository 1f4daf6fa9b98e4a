//! What the program counts of itself, in one recorder for the process.
//!
//! Labels come from small fixed sets (routes, verbs, names of commands), never
//! from a visitor: every new label value is a new series that stays.

use std::{sync::OnceLock, time::Duration};

use actix_web::http::{Method, StatusCode};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram};
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusHandle};
use mongodb::event::{EventHandler, command::CommandEvent};

const REQUESTS: &str = "inkstone_http_requests_total";
const REQUEST_SECONDS: &str = "inkstone_http_request_seconds";
const REQUESTS_UNDER_WAY: &str = "inkstone_http_requests_in_flight";
const COMMANDS: &str = "inkstone_database_commands_total";
const COMMAND_SECONDS: &str = "inkstone_database_command_seconds";
const COMMENTS: &str = "inkstone_comments_accepted_total";

/// Upper ends of the buckets of every histogram, in seconds.
const BUCKETS: [f64; 12] =
    [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0];

/// How often what histograms gathered is put into its buckets.
const UPKEEP: Duration = Duration::from_secs(5);

/// The recorder, made at the first call; what is counted before goes nowhere.
pub fn recorder() -> &'static PrometheusHandle {
    static RECORDER: OnceLock<PrometheusHandle> = OnceLock::new();
    RECORDER.get_or_init(|| {
        // Only an empty list of buckets is refused.
        let builder = PrometheusBuilder::new().set_buckets(&BUCKETS).unwrap_or_default();
        let recorder = builder.build_recorder();
        let handle = recorder.handle();
        if metrics::set_global_recorder(recorder).is_err() {
            tracing::error!("there is another recorder of metrics: /metrics stays empty");
        }
        describe_counter!(REQUESTS, "Requests answered, by route, verb and class of status");
        describe_histogram!(REQUEST_SECONDS, "Time to an answer, by route and verb");
        describe_gauge!(REQUESTS_UNDER_WAY, "Requests under way");
        describe_counter!(COMMANDS, "Commands to the database, by name and outcome");
        describe_histogram!(COMMAND_SECONDS, "Time to the database's answer, by command");
        describe_counter!(COMMENTS, "Comments accepted");
        // It is there before the first comment, so that a rate can be taken.
        counter!(COMMENTS).absolute(0);
        handle
    })
}

/// Keeps histograms small where nobody reads them; never ends.
pub async fn keep_up() {
    let mut ticks = tokio::time::interval(UPKEEP);
    loop {
        ticks.tick().await;
        recorder().run_upkeep();
    }
}

/// Counts a request as under way until it is dropped, answered or not.
pub struct UnderWay(());

impl UnderWay {
    #[must_use]
    pub fn start() -> Self {
        gauge!(REQUESTS_UNDER_WAY).increment(1.0);
        Self(())
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        gauge!(REQUESTS_UNDER_WAY).decrement(1.0);
    }
}

/// `route` is the pattern that matched, not the path.
pub fn request_answered(
    route: Option<String>,
    method: &Method,
    status: StatusCode,
    elapsed: Duration,
) {
    let route = route.unwrap_or_else(|| "none".to_owned());
    let method = verb(method);
    counter!(
        REQUESTS, "route" => route.clone(), "method" => method, "status" => class(status)
    )
    .increment(1);
    histogram!(REQUEST_SECONDS, "route" => route, "method" => method).record(elapsed);
}

/// Visitors can send any word as a verb.
fn verb(method: &Method) -> &'static str {
    match *method {
        Method::GET => "GET",
        Method::HEAD => "HEAD",
        Method::POST => "POST",
        _ => "other",
    }
}

fn class(status: StatusCode) -> &'static str {
    match status.as_u16() {
        ..200 => "1xx",
        200..300 => "2xx",
        300..400 => "3xx",
        400..500 => "4xx",
        500.. => "5xx",
    }
}

pub fn comment_accepted() {
    counter!(COMMENTS).increment(1);
}

/// Counts every command that the driver sends.
#[must_use]
pub fn database_observer() -> EventHandler<CommandEvent> {
    recorder();
    EventHandler::callback(|event| match event {
        CommandEvent::Succeeded(event) => command_ended(event.command_name, "ok", event.duration),
        CommandEvent::Failed(event) => command_ended(event.command_name, "failed", event.duration),
        _ => {}
    })
}

fn command_ended(command: String, outcome: &'static str, elapsed: Duration) {
    counter!(COMMANDS, "command" => command.clone(), "outcome" => outcome).increment(1);
    histogram!(COMMAND_SECONDS, "command" => command).record(elapsed);
}
