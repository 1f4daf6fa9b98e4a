//! Forgotten passwords: `/reset`, and the letter that leads there.
//!
//! Invariants:
//! - **The answer does not tell whether there is an account** (SEC-3).
//! - **A link works once, for an hour** (SEC-6), and signs nobody in: it only sets a
//!   password, and ends every session. The host of the link is the site's setting,
//!   never the request's.

pub mod forms;
pub mod handlers;
pub mod pages;
