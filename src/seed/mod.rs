//! Content that nobody typed into the site: the sample, which a newcomer sees
//! after the first start, and bulk content of any size, for trying how the site
//! does with much.
//!
//! The sample's texts are files under `seed/`, part of the program; bulk content
//! is put together from them. Every id and time follows from what was asked for,
//! so the same again gives the same database, and what was stopped half way is
//! finished by asking again.

pub mod bulk;
pub mod content;
mod documents;
mod ids;
mod neighbours;
pub mod sample;
mod settle;
mod threads;
mod write;
