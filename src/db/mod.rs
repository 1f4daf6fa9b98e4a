//! MongoDB plumbing that knows no feature. Everything that is true only of the
//! embedded engine stands in this folder, each with its reason.

mod breaker;
pub mod change_stream;
pub mod client;
pub mod embedded_engine;
pub mod engine_address;
pub mod error;
pub mod find;
pub mod indexes;
pub mod lease;
pub mod linked;
pub mod migrations;
pub mod schema;
pub mod secrets;
pub mod transaction;
pub mod update;
mod window;

pub use client::Db;
pub use error::DbError;
