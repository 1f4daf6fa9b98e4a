//! Every address: its pattern for the router and its builder for links. Nothing
//! else writes an address.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::domain::month::Month;

/// Characters that stand in a path segment as they are (RFC 3986 `unreserved`).
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// Patterns as the router reads them.
pub mod pattern {
    pub const HOME: &str = "/";
    pub const POST: &str = "/posts/{slug}";
    pub const POST_COMMENTS: &str = "/posts/{slug}/comments";
    pub const THREAD: &str = "/posts/{slug}/comments/{id}";
    pub const TAGS: &str = "/tags";
    pub const TAG: &str = "/tags/{tag}";
    pub const CATEGORIES: &str = "/categories";
    pub const CATEGORY: &str = "/categories/{slug}";
    pub const ARCHIVE: &str = "/archive";
    pub const MONTH: &str = "/archive/{year}/{month}";
    pub const MEDIA: &str = "/media";
    /// Not below `/media/`, where everything is the same for all.
    pub const MEDIA_DELETE: &str = "/settings/images/delete";
    pub const AVATAR: &str = "/settings/avatar";
    pub const MEDIA_FILE: &str = "/media/{hash}/{file}";
    pub const AUTHOR: &str = "/@{username}";
    pub const EDIT: &str = "/write/{id}";
    pub const SHARE: &str = "/write/{id}/share";
    pub const REVISIONS: &str = "/write/{id}/revisions";
    pub const REVISION: &str = "/write/{id}/revisions/{version}";
    pub const PREVIEW: &str = "/preview/{token}";
    pub const SIGN_IN: &str = "/signin";
    pub const SIGN_UP: &str = "/signup";
    pub const SIGN_OUT: &str = "/signout";
    pub const RESET: &str = "/reset";
    pub const RESET_PASSWORD: &str = "/reset/password";
    pub const SETTINGS_PROFILE: &str = "/settings/profile";
    pub const SETTINGS_USERNAME: &str = "/settings/username";
    pub const SETTINGS_EMAIL: &str = "/settings/email";
    pub const SETTINGS_PASSWORD: &str = "/settings/password";
    pub const SETTINGS_DELETE: &str = "/settings/delete";
    pub const SESSIONS: &str = "/settings/sessions";
    pub const SESSION_END: &str = "/settings/sessions/end";
    pub const SESSIONS_END_OTHERS: &str = "/settings/sessions/end-others";
    pub const WRITE: &str = "/write";
    pub const DRAFTS: &str = "/drafts";
    pub const SETTINGS: &str = "/settings";
    pub const THEME: &str = "/theme";
    pub const STATIC: &str = "/static/{name:.*}";
    pub const CSP_REPORT: &str = "/csp-report";
    pub const HEALTHZ: &str = "/healthz";
    pub const READYZ: &str = "/readyz";
    pub const METRICS: &str = "/metrics";
}

fn segment(text: &str) -> String {
    utf8_percent_encode(text, SEGMENT).to_string()
}

#[must_use]
pub const fn home() -> &'static str {
    pattern::HOME
}

#[must_use]
pub fn post(slug: &str) -> String {
    format!("/posts/{}", segment(slug))
}

#[must_use]
pub fn comments(slug: &str) -> String {
    format!("{}/comments", post(slug))
}

/// The page of one comment and its replies, at the comment itself.
#[must_use]
pub fn comment(slug: &str, id: &str) -> String {
    format!("{}#c-{id}", thread(slug, id))
}

#[must_use]
pub fn thread(slug: &str, id: &str) -> String {
    format!("{}/{}", comments(slug), segment(id))
}

#[must_use]
pub const fn tags() -> &'static str {
    pattern::TAGS
}

#[must_use]
pub fn tag(tag: &str) -> String {
    format!("/tags/{}", segment(tag))
}

#[must_use]
pub const fn categories() -> &'static str {
    pattern::CATEGORIES
}

#[must_use]
pub fn category(slug: &str) -> String {
    format!("/categories/{}", segment(slug))
}

#[must_use]
pub const fn archive() -> &'static str {
    pattern::ARCHIVE
}

/// A year among the months of the archive.
#[must_use]
pub fn archive_year(year: i16) -> String {
    format!("{}#y{year}", archive())
}

#[must_use]
pub fn month(month: Month) -> String {
    format!("/archive/{:04}/{:02}", month.year(), month.number())
}

#[must_use]
pub fn author(username: &str) -> String {
    format!("/@{}", segment(username))
}

/// A member's own pictures.
#[must_use]
pub const fn media() -> &'static str {
    pattern::MEDIA
}

/// The same, after some were stored.
#[must_use]
pub fn media_stored(count: i64) -> String {
    with_parameter(pattern::MEDIA, "stored", &count.to_string())
}

/// The editor of a post.
#[must_use]
pub fn edit(id: impl AsRef<str>) -> String {
    format!("/write/{}", segment(id.as_ref()))
}

/// The same, with a word on what was just done.
#[must_use]
pub fn edit_done(id: &str, what: &str) -> String {
    with_parameter(&edit(id), "done", what)
}

/// Where a preview link is made and ended.
#[must_use]
pub fn share(id: impl AsRef<str>) -> String {
    format!("{}/share", edit(id))
}

#[must_use]
pub fn revisions(id: impl AsRef<str>) -> String {
    format!("{}/revisions", edit(id))
}

#[must_use]
pub fn revision(id: impl AsRef<str>, version: &i64) -> String {
    format!("{}/{version}", revisions(id))
}

/// A link that shows an unpublished post to whoever has it.
#[must_use]
pub fn preview(token: &str) -> String {
    format!("/preview/{}", segment(token))
}

/// A writer's own posts of one status.
#[must_use]
pub fn drafts_of(status: &str) -> String {
    with_parameter(pattern::DRAFTS, "status", status)
}

/// The sign-in page, and where it leads to.
#[must_use]
pub fn signin(next: &str) -> String {
    match next {
        "/" => pattern::SIGN_IN.to_owned(),
        next => with_parameter(pattern::SIGN_IN, "next", next),
    }
}

#[must_use]
pub const fn signup() -> &'static str {
    pattern::SIGN_UP
}

/// Sign-up by invitation.
#[must_use]
pub fn invitation(token: &str) -> String {
    with_parameter(pattern::SIGN_UP, "invitation", token)
}

/// Where a forgotten password is asked about.
#[must_use]
pub const fn reset() -> &'static str {
    pattern::RESET
}

/// Where a letter leads to.
#[must_use]
pub fn reset_by(token: &str) -> String {
    with_parameter(pattern::RESET, "token", token)
}

/// The sign-in page, after something that it should speak of.
#[must_use]
pub fn signin_after(what: &str) -> String {
    with_parameter(pattern::SIGN_IN, "after", what)
}

#[must_use]
pub const fn sessions() -> &'static str {
    pattern::SESSIONS
}

/// The settings, after something was saved.
#[must_use]
pub fn settings_after(what: &str) -> String {
    with_parameter(pattern::SETTINGS, "saved", what)
}

#[must_use]
pub const fn signout() -> &'static str {
    pattern::SIGN_OUT
}

#[must_use]
pub const fn write() -> &'static str {
    pattern::WRITE
}

#[must_use]
pub const fn drafts() -> &'static str {
    pattern::DRAFTS
}

#[must_use]
pub const fn settings() -> &'static str {
    pattern::SETTINGS
}

/// Whether an address gives everybody the same, whoever asks.
#[must_use]
pub fn is_same_for_all(path: &str) -> bool {
    ["/static/", "/media/"].iter().any(|folder| path.starts_with(folder))
        || [pattern::HEALTHZ, pattern::READYZ, pattern::METRICS, pattern::CSP_REPORT]
            .contains(&path)
}

/// A list from its other end.
#[must_use]
pub fn oldest_first(list: &str) -> String {
    format!("{list}?sort=oldest")
}

/// The page of a list with what is older than `cursor`; of a list by another
/// order, what stands before it.
#[must_use]
pub fn before(list: &str, cursor: &str) -> String {
    with_parameter(list, "before", cursor)
}

/// The page of a list with what is newer than `cursor`; of a list by another
/// order, what stands after it.
#[must_use]
pub fn after(list: &str, cursor: &str) -> String {
    with_parameter(list, "after", cursor)
}

fn with_parameter(list: &str, name: &str, value: &str) -> String {
    let joint = if list.contains('?') { '&' } else { '?' };
    format!("{list}{joint}{name}={}", segment(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_break_out_of_their_segment() {
        assert_eq!(tag("c++"), "/tags/c%2B%2B");
        assert_eq!(tag("排版"), "/tags/%E6%8E%92%E7%89%88");
        assert_eq!(author("../x?y#z"), "/@..%2Fx%3Fy%23z");
        assert_eq!(after(tags(), "3-c++&x"), "/tags?after=3-c%2B%2B%26x");
        assert_eq!(comment("a", "65f0"), "/posts/a/comments/65f0#c-65f0");
    }
}
