//! People who write: their documents, their sessions and their pages.
//!
//! Invariants:
//! - **A user name, how it looks, and an e-mail address belong to one user**, kept
//!   apart by `addresses` under any concurrency (case C55).
//! - **The database knows no password and no session token**, only hashes.
//! - **Role and status are read at every request** ([`recognition`]), with the
//!   session, in one command. A session never outlives its limits ([`limits`]).

pub mod actions;
pub mod collection;
pub mod commands;
pub mod handlers;
pub mod limits;
pub mod model;
pub mod pages;
pub mod passwords;
pub mod queries;
pub mod recognition;
