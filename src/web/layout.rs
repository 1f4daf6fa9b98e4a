//! What every page shares: site, language, theme, and how words, numbers and
//! dates are put on it.

use std::sync::Arc;

use actix_web::HttpRequest;
use mongodb::bson::DateTime;

use super::{
    messages::Messages,
    site_key::SiteKey,
    static_files,
    theme::Theme,
    viewer::{Member, Viewer},
};
use crate::{
    config::Site,
    domain::{month::Month, permission, site_time::from_stored, text},
    state::AppState,
    urls,
};

/// An entry of the main menu.
pub struct MenuEntry {
    pub name: String,
    pub href: &'static str,
    /// For `aria-current`: `page` at the entry itself, `true` below it.
    pub current: Option<&'static str>,
}

/// Handed to every page as `layout`.
#[derive(Clone)]
pub struct Layout {
    site: Arc<Site>,
    messages: Arc<Messages>,
    theme: Theme,
    /// Path of the request, for the current entry of the menu.
    path: String,
    viewer: Viewer,
    site_key: SiteKey,
}

impl Layout {
    #[must_use]
    pub fn of(request: &HttpRequest, state: &AppState) -> Self {
        Self {
            site: state.site.clone(),
            messages: state.messages.clone(),
            theme: Theme::of(request),
            path: request.path().to_owned(),
            viewer: Viewer::of(request),
            site_key: state.site_key.clone(),
        }
    }

    /// Who is signed in.
    #[must_use]
    pub fn member(&self) -> Option<&Member> {
        self.viewer.member()
    }

    /// For the hidden field of a member's forms; `_csrf.html` writes it.
    #[must_use]
    pub fn form_token(&self) -> Option<String> {
        self.member().map(|member| member.form_token(&self.site_key))
    }

    #[must_use]
    pub fn may_write(&self) -> bool {
        self.member().is_some_and(|member| permission::may_write(member.role))
    }

    /// The sign-in page, which leads back here.
    #[must_use]
    pub fn signin(&self) -> String {
        let is_account_page = [urls::signin("/").as_str(), urls::signup()].contains(&&*self.path);
        urls::signin(if is_account_page { urls::home() } else { &self.path })
    }

    /// A message.
    #[must_use]
    pub fn t(&self, key: &str) -> String {
        self.messages.text(key)
    }

    /// A message about a number.
    #[must_use]
    pub fn n(&self, key: &str, n: &i64) -> String {
        self.messages.count(key, *n)
    }

    /// A message with one value in words: a name, a date.
    #[must_use]
    pub fn named(&self, key: &str, name: impl AsRef<str>) -> String {
        self.messages.name(key, name.as_ref())
    }

    /// A day in words. Pages are shared, so dates are absolute.
    #[must_use]
    pub fn date(&self, at: &DateTime) -> String {
        self.messages.date(self.site.zone.reading(from_stored(*at)))
    }

    /// The zone of every time shown and typed.
    #[must_use]
    pub fn zone_name(&self) -> &str {
        self.site.zone.name()
    }

    /// A day and time in words.
    #[must_use]
    pub fn moment(&self, at: &DateTime) -> String {
        self.messages.moment(self.site.zone.reading(from_stored(*at)))
    }

    #[must_use]
    pub fn month(&self, month: Month) -> String {
        self.messages.month(month)
    }

    /// Without its year.
    #[must_use]
    pub fn month_name(&self, month: Month) -> String {
        self.messages.month_name(month)
    }

    #[must_use]
    pub fn year(&self, year: i16) -> String {
        self.messages.year(year)
    }

    /// For `<time datetime>`.
    #[must_use]
    pub fn machine(&self, at: &DateTime) -> String {
        self.site.zone.machine(from_stored(*at))
    }

    #[must_use]
    pub fn site_title(&self) -> &str {
        &self.site.title
    }

    /// A path as a full address.
    #[must_use]
    pub fn absolute(&self, path: impl AsRef<str>) -> String {
        format!("{}{}", self.site.url, path.as_ref())
    }

    #[must_use]
    pub fn lang(&self) -> &'static str {
        self.site.lang.tag()
    }

    #[must_use]
    pub fn theme(&self) -> &'static str {
        self.theme.name()
    }

    #[must_use]
    pub fn is_themed(&self) -> bool {
        self.theme != Theme::System
    }

    #[must_use]
    pub fn menu(&self) -> [MenuEntry; 4] {
        [
            (urls::home(), self.t("home")),
            (urls::tags(), self.t("tags")),
            (urls::categories(), self.t("categories")),
            (urls::archive(), self.t("archive")),
        ]
        .map(|(href, name)| MenuEntry { name, href, current: self.current(href) })
    }

    fn current(&self, href: &str) -> Option<&'static str> {
        match self.path.strip_prefix(href)? {
            "" => Some("page"),
            below if below.starts_with('/') => Some("true"),
            _ => None,
        }
    }

    #[must_use]
    pub fn home(&self) -> &'static str {
        urls::home()
    }

    /// Address of a file that ships with the program.
    #[must_use]
    pub fn file(&self, name: &str) -> String {
        static_files::address(name)
    }

    /// What a seal shows for a person.
    #[must_use]
    pub fn seal<'a>(&self, name: &'a str) -> &'a str {
        text::first_grapheme(name)
    }
}
