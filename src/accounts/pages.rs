//! Pages of people who are not signed in.

use askama::Template;

use crate::web::{form_state::Mistake, layout::Layout};

#[derive(Template)]
#[template(path = "accounts/signin.html")]
pub struct SignInPage {
    pub layout: Layout,
    pub login: String,
    pub next: String,
    pub mistake: Option<Mistake>,
}
