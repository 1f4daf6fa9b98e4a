//! Forms about a forgotten password.

use serde::Deserialize;

/// Whose password was forgotten.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct AskForm {
    pub email: String,
}

/// The new one.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct PasswordForm {
    pub token: String,
    pub password: String,
}
