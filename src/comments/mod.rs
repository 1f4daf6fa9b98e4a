//! Comments: threads of any depth under a post, written by members and guests.
//!
//! Invariants, kept by [`actions::add_comment`] in one transaction: a post's
//! count equals its shown comments, its embedded newest five are the newest
//! five, a comment's `replyCount` equals its shown direct replies.

pub mod actions;
pub mod collection;
pub mod commands;
pub mod forms;
pub mod handlers;
pub mod model;
pub mod pages;
pub mod post_locks;
pub mod queries;
pub mod tree;
