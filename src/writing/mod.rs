//! Writing: the editor, an author's own lists, and everything a button there
//! does to a post.
//!
//! A post is saved in one transaction: metadata, body, source, address, revision
//! and every count it moves. Whoever saves names the version they saw; if it is
//! not the newest any more, nothing is changed and both texts are shown. Owns no
//! collection: posts, revisions and addresses do.

pub mod actions;
pub mod answers;
pub mod counts;
pub mod due;
pub mod forms;
pub mod handlers;
pub mod neighbours;
pub mod pages;
pub mod transition;
