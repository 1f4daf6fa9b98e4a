//! The sign-up page.

use askama::Template;

use super::forms::SignUpForm;
use crate::web::{form_state::FormState, layout::Layout};

#[derive(Template)]
#[template(path = "signup/show.html")]
pub struct SignUpPage {
    pub layout: Layout,
    pub form: FormState<SignUpForm>,
    /// Shortest password.
    pub min_chars: i64,
}

/// Why somebody cannot sign up here.
#[derive(Template)]
#[template(path = "signup/closed.html")]
pub struct ClosedPage {
    pub layout: Layout,
    pub words: String,
}
