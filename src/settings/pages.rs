//! Pages of the settings.

use askama::Template;

use super::forms::SettingsValues;
use crate::{
    users::model::Session,
    web::{form_state::FormState, layout::Layout},
};

#[derive(Template)]
#[template(path = "settings/show.html")]
pub struct SettingsPage {
    pub layout: Layout,
    pub form: FormState<SettingsValues>,
    /// What was just done, in words.
    pub note: Option<String>,
    /// Shortest password.
    pub min_chars: i64,
}

#[derive(Template)]
#[template(path = "settings/sessions.html")]
pub struct SessionsPage {
    pub layout: Layout,
    pub sessions: Vec<SessionItem>,
}

/// One row of the list.
pub struct SessionItem {
    pub session: Session,
    /// The one that asks.
    pub is_current: bool,
}

impl SessionItem {
    /// Browser and system in short, or what the browser says of itself.
    #[must_use]
    pub fn agent(&self) -> String {
        let agent = &self.session.agent;
        let first = |known: &[(&str, &'static str)]| {
            known.iter().find(|(word, _)| agent.contains(word)).map(|(_, name)| *name)
        };
        // Each also calls itself by the names of those after it.
        let browser = first(&[
            ("Edg", "Edge"),
            ("OPR", "Opera"),
            ("Firefox", "Firefox"),
            ("Chrome", "Chrome"),
            ("Safari", "Safari"),
        ]);
        let system = first(&[
            ("iPhone", "iPhone"),
            ("iPad", "iPad"),
            ("Android", "Android"),
            ("Windows", "Windows"),
            ("Mac OS", "macOS"),
            ("Linux", "Linux"),
        ]);
        match (browser, system) {
            (Some(browser), Some(system)) => format!("{browser} · {system}"),
            _ => agent.clone(),
        }
    }
}
