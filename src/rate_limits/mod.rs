//! How often something may be tried, counted in the database for all processes
//! together (SEC-4).
//!
//! A counter belongs to one window of time and goes with it: its `_id` says what is
//! counted, for whom, and in which window, so counting is one upsert and nothing is
//! ever reset.

pub mod collection;
pub mod commands;
pub mod model;
pub mod tries;
