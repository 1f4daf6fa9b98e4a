//! What those who run the program ask of it: is it alive, is it ready, how is it
//! doing.

pub mod handlers;
pub mod metrics;
pub mod readiness;
