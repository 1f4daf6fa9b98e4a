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
    pub const MEDIA_FILE: &str = "/media/{hash}/{file}";
    pub const AUTHOR: &str = "/@{username}";
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
