//! The archive: how many posts each month holds, and the posts of a month.
//!
//! `archive_months` has one small document a month, counted as posts are
//! published and taken back, in the site's zone. A site that moves to another
//! zone has to count anew.

pub mod collection;
pub mod commands;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod queries;
