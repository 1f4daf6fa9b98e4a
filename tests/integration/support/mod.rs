//! What tests lean on.

pub mod allow_list;
pub mod app;
pub mod browser;
pub mod database;
pub mod factories;
pub mod html;
pub mod wire;
pub mod writing;
