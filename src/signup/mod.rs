//! How visitors become members: `/signup`.
//!
//! Invariants:
//! - **The answer does not tell whether an e-mail address is known** (SEC-3): both
//!   ways lead to the sign-in page, and who owns the address gets a letter. So nobody
//!   is signed in by signing up.
//! - **Name and address are taken in the transaction that makes the user**
//!   (`users::actions::create`).

pub mod forms;
pub mod handlers;
pub mod pages;
