//! The sign-in page.

use askama::Template;

use crate::web::{form_state::Mistake, layout::Layout};

#[derive(Template)]
#[template(path = "signin/show.html")]
pub struct SignInPage {
    pub layout: Layout,
    pub login: String,
    pub next: String,
    pub mistake: Option<Mistake>,
    /// What happened before, in words.
    pub note: Option<String>,
    pub signup_is_open: bool,
}
