//! Pages about a forgotten password.

use askama::Template;

use crate::web::{form_state::Mistake, layout::Layout};

#[derive(Template)]
#[template(path = "reset/ask.html")]
pub struct AskPage {
    pub layout: Layout,
    pub email: String,
    pub mistake: Option<Mistake>,
    pub is_sent: bool,
}

#[derive(Template)]
#[template(path = "reset/password.html")]
pub struct PasswordPage {
    pub layout: Layout,
    pub token: String,
    pub mistake: Option<Mistake>,
    /// Shortest password.
    pub min_chars: i64,
}
