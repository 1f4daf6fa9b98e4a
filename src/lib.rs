//! Inkstone, a server-rendered blog and content community over MongoDB.
//!
//! Features are folders, layers are file names (`docs/architecture.md` has the
//! table). In reading order:
//!
//! - [`cli`]: one file per subcommand; [`config`], [`startup`] and [`state`]
//!   turn settings into a running application; [`routes`] is every URL on one
//!   screen and [`urls`] builds every link.
//! - [`doctor`] looks a site over and changes nothing.
//! - [`domain`]: words that features share, pure code without a database.
//! - [`operations`]: what those who run the program ask of it.
//! - [`db`]: MongoDB plumbing that knows no feature.
//! - [`web`]: HTTP plumbing that knows no collection.
//! - [`schema`] is every collection and [`access_patterns`] every read and update.
//! - The features: [`posts`], [`comments`], [`users`], [`categories`], [`tags`],
//!   [`archive`], [`media`].

pub mod access_patterns;
pub mod cli;
pub mod config;
pub mod doctor;
pub mod operations;
pub mod routes;
pub mod schema;
pub mod seed;
pub mod startup;
pub mod state;
pub mod urls;

pub mod db;
pub mod domain;
pub mod web;

pub mod archive;
pub mod categories;
pub mod comments;
pub mod media;
pub mod posts;
pub mod tags;
pub mod users;
