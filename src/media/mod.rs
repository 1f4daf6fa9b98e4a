//! Pictures of members: what is known of each, and the files that visitors load.
//!
//! Invariants: a picture and the files of all its sizes are stored and removed
//! together; a file never changes under its address; nothing lies on a disk.

pub mod actions;
pub mod collection;
pub mod commands;
pub mod handlers;
pub mod model;
pub mod own;
pub mod pages;
pub mod queries;
pub mod upload;
