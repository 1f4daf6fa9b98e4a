//! Categories: the few shelves that a post stands on at most one of.
//!
//! Every slug that a category ever had belongs to it for good (`addresses`); the old
//! ones redirect to the one it has now.

pub mod actions;
pub mod collection;
pub mod commands;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod queries;
