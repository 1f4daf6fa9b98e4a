//! Sample content: what a newcomer sees after the first start.
//!
//! The texts are files under `seed/`, part of the program. Every id and time
//! comes from them, so the same version always gives the same database.

pub mod content;
mod documents;
mod ids;
pub mod sample;
mod settle;
mod threads;
mod write;
