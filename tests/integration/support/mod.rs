//! What tests lean on.

pub mod app;
pub mod database;
pub mod factories;
pub mod html;
