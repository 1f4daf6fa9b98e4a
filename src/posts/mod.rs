//! Posts: their metadata and bodies, the lists they stand in, and their pages.
//!
//! `posts` holds what lists and the head of a page need, with small copies of
//! the author, the category and a few comments. `post_contents` holds the body,
//! under the same `_id` and slug, so that both are asked for at once. The
//! metadata alone decides whether a post may be read.

pub mod cards;
pub mod collection;
pub mod commands;
pub mod editing;
pub mod handlers;
pub mod lookup;
pub mod model;
pub mod pages;
pub mod queries;
pub mod slugs;
