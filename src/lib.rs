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
//! - [`mail`]: letters to members, by a server or as files.
//! - [`web`]: HTTP plumbing that knows no collection.
//! - [`copies`] keeps what documents repeat of others right; [`jobs`] is what runs
//!   by the clock.
//! - [`schema`] is every collection and [`access_patterns`] every read and update.
//! - [`rate_limits`] counts what may be tried too often.
//! - The features: [`posts`], [`comments`], [`users`], [`categories`], [`tags`],
//!   [`archive`], [`media`]; [`signup`], [`signin`], [`reset`] and [`settings`] are what
//!   members do with their accounts; [`writing`] is the editor and [`revisions`] every
//!   text before. [`addresses`] holds every slug and name ever given, for those that
//!   have any.

pub mod access_patterns;
pub mod cli;
pub mod config;
pub mod copies;
pub mod doctor;
pub mod jobs;
pub mod operations;
pub mod routes;
pub mod schema;
pub mod seed;
pub mod startup;
pub mod state;
pub mod urls;

pub mod db;
pub mod domain;
pub mod mail;
pub mod web;

pub mod addresses;
pub mod archive;
pub mod categories;
pub mod comments;
pub mod media;
pub mod posts;
pub mod rate_limits;
pub mod reset;
pub mod revisions;
pub mod settings;
pub mod signin;
pub mod signup;
pub mod tags;
pub mod users;
pub mod writing;
