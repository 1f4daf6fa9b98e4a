//! HTTP plumbing that knows no collection.

pub mod client_ip;
pub mod error;
pub mod extractors;
pub mod form_state;
pub mod layout;
pub mod list_pages;
pub mod member_form;
pub mod messages;
pub mod middleware;
pub mod moved;
pub mod render;
pub mod rendering;
pub mod routing;
pub mod session_cookie;
pub mod site_key;
pub mod static_files;
pub mod theme;
pub mod viewer;
pub mod writes;
