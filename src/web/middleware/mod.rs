//! What happens around every request; the order stands in `routes.rs`.

pub mod error_pages;
pub mod origin_check;
pub mod request_log;
pub mod request_metrics;
pub mod security_headers;
