//! People who write: their documents and their pages.

pub mod collection;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod queries;
