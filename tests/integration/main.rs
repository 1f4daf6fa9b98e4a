//! Tests of the running program: over HTTP, against the embedded engine.
#![expect(
    clippy::disallowed_methods,
    reason = "what the server and the windows make of time is compared with the machine's clock"
)]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should panic"
)]

mod support;

mod access_patterns;
mod accounts;
mod addresses;
mod archive;
mod bad_input;
mod browser;
mod bulk;
mod categories;
mod comments;
mod copies;
mod counts;
mod doctor;
mod editors;
mod engine_kills;
mod error_pages;
mod jobs;
mod media;
mod migrations;
mod operations;
mod permalinks;
mod posts;
mod round_trips;
mod schema;
mod security;
mod settings;
mod signup;
mod start;
mod tags;
mod visibility;
mod windows;
mod writing;
