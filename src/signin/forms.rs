//! Forms of people who are not signed in.

use serde::Deserialize;

/// The sign-in form as it arrives; a missing field is empty.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct SignInForm {
    /// A user name or an e-mail address.
    pub login: String,
    pub password: String,
    /// Where to go then.
    pub next: String,
}
