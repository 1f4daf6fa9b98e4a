//! Revisions: every text a post ever had, who wrote it and when.
//!
//! A revision is stored in the transaction that saves its text and never changed
//! after. Its number is the version the post then had; saves that change no text
//! leave gaps.

pub mod collection;
pub mod commands;
pub mod editors;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod queries;
