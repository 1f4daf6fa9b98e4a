//! Categories: the few shelves that a post stands on at most one of.

pub mod collection;
pub mod commands;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod queries;
