//! How members come in and go out: `/signin`, `/signout`. Users and sessions
//! themselves belong to [`users`](crate::users).
//!
//! Invariants:
//! - **An answer does not tell whether there is an account** (SEC-3): the same
//!   words, status and time for a wrong password and an unknown name.
//! - **Tries are counted before they are made** ([`attempts`], SEC-4).
//! - **A session begins with a new token** (SEC-12), whatever the browser brought.

pub mod attempts;
pub mod forms;
pub mod handlers;
pub mod pages;
