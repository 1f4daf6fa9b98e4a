//! Addresses: every slug and user name ever given, and to what it belongs.
//!
//! Invariants:
//! - **An address belongs to one target for good.** Its `_id` (`p/slug`, `u/name`,
//!   `c/slug`, `e/mail`, `l/look`) is what makes slugs, user names and e-mail addresses
//!   unique, on a sharded cluster too. Nobody deletes a row because of a rename.
//! - **A target has at most one current address of a kind.** All others are old
//!   ones, which redirect to it.
//! - **Rows change in the transaction of what they lead to**: publishing, sign-up,
//!   rename. A draft that is renamed gives its slug back: nobody could link to it.
//!   So [`commands`] take a [`Tx`](crate::db::transaction::Tx).
//!
//! Keys come in their normal form (a slug, a user name's key): nothing here knows
//! what a right one looks like.

pub mod collection;
pub mod commands;
pub mod model;
pub mod queries;
