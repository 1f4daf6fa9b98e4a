//! Tags: words that authors put on their posts, with their counts.

pub mod collection;
pub mod commands;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod queries;
