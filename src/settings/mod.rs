//! What members change of their own accounts: `/settings` and below.
//!
//! Invariants:
//! - **Every change says for whom by the session**, never by a field of the form.
//! - **The password is asked again** before e-mail, password or the account itself
//!   change, and guesses are counted.
//! - **Only the user and their addresses change here.** Copies of the name on posts
//!   and comments follow `cardVersion`.

pub mod forms;
pub mod handlers;
pub mod pages;
pub mod sessions;
