//! HTML that was sanitised, and the only place that can make it.
//!
//! Every path that shows what a person wrote (page, preview, feed, excerpt, mail) takes
//! [`SafeHtml`]; templates may print it unescaped for that reason. Formulas, highlighted code and
//! the like are made by this program from escaped text; they are spliced in after sanitising,
//! since allowing `MathML` in a sanitiser has opened it to mutation attacks four times.

mod addresses;
mod paragraph;
mod policy;

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::domain::marks;

pub(in crate::domain) use addresses::{tag_length, unescape};
pub(in crate::domain) use policy::{Policy, is_allowed_attribute, is_allowed_tag};

/// HTML without scripts, forms, styles or foreign ids: safe to print as it stands.
///
/// `Deserialize` is for reading back from the database what [`crate::domain::markdown::render`]
/// wrote there; never use it on a request, or anybody could say that their HTML is safe.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SafeHtml(String);

impl SafeHtml {
    /// The HTML.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The HTML with the address of every link and picture replaced; what the function refuses, and
    /// every scheme but http, https, mailto and tel, is left as it was.
    #[must_use]
    pub(in crate::domain) fn with_addresses(
        &self,
        replace: impl Fn(&str) -> Option<String>,
    ) -> Self {
        Self(addresses::replace_all(&self.0, replace))
    }

    /// The HTML, without a copy.
    #[must_use]
    pub fn into_string(self) -> String {
        self.0
    }
}

impl fmt::Display for SafeHtml {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// HTML that this program made itself out of escaped text, and the plain text it stands for.
#[derive(Debug, Default)]
pub(in crate::domain) struct Trusted {
    /// Well-formed HTML.
    pub(in crate::domain) html: String,
    /// What a reader of plain text gets in its place.
    pub(in crate::domain) text: String,
    /// Whether this is where the author ended the summary (`<!--more-->`).
    pub(in crate::domain) ends_summary: bool,
    /// Whether the place in the text is held by a `<pre>` of its own.
    pub(in crate::domain) is_block: bool,
}

/// Sanitised HTML in which the places of trusted fragments are still marked by their numbers.
#[derive(Debug)]
pub(in crate::domain) struct Sanitised(String);

/// Runs the allow-list over HTML that the renderer wrote by itself.
pub(in crate::domain) fn sanitise(html: &str, policy: Policy) -> Sanitised {
    Sanitised(policy.builder().clean(html).to_string())
}

/// Runs the allow-list over HTML with parts that a person wrote, until it stays the same.
///
/// Tags in places where HTML has none (a heading in a table in a heading) give a tree that reads
/// differently once it is written down. What changes when read again is what mutation attacks
/// live on, so it is cleaned as it will be read.
pub(in crate::domain) fn sanitise_raw(html: &str, policy: Policy) -> Option<Sanitised> {
    let mut clean = sanitise(html, policy).0;
    for _ in 0..READINGS {
        let again = sanitise(&clean, policy).0;
        if again == clean {
            return Some(Sanitised(clean));
        }
        clean = again;
    }
    None
}

/// How often HTML is read again before it is refused.
const READINGS: usize = 4;

impl Sanitised {
    /// Cuts the HTML into stretches of markup and numbers of trusted fragments.
    pub(in crate::domain) fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        Pieces { rest: &self.0 }
    }

    /// Puts the trusted fragments in their places, each once at most.
    ///
    /// A number met again, or one that was never given, leaves nothing: nobody can copy a large
    /// fragment a thousand times by typing its number.
    pub(in crate::domain) fn splice(&self, trusted: &[Trusted]) -> SafeHtml {
        let mut used = vec![false; trusted.len()];
        let added: usize = trusted.iter().map(|fragment| fragment.html.len()).sum();
        let mut out = String::with_capacity(self.0.len() + added);
        let mut after_block = false;
        for piece in self.pieces() {
            match piece {
                Piece::Markup(markup) => {
                    let markup = if after_block {
                        markup.strip_prefix("</pre>").unwrap_or(markup)
                    } else {
                        markup
                    };
                    out.push_str(&marks::with_references(markup));
                    after_block = false;
                }
                Piece::Trusted(number) => {
                    let (Some(fragment), Some(used)) = (trusted.get(number), used.get_mut(number))
                    else {
                        continue;
                    };
                    if std::mem::replace(used, true) {
                        continue;
                    }
                    if fragment.is_block {
                        // The holder is missing where the parser allows no <pre>; then the
                        // fragment has no lawful place either.
                        if !out.ends_with("<pre>") {
                            continue;
                        }
                        out.truncate(out.len() - "<pre>".len());
                        after_block = true;
                    }
                    out.push_str(&fragment.html);
                }
            }
        }
        SafeHtml(out)
    }
}

/// A stretch of sanitised HTML.
pub(in crate::domain) enum Piece<'a> {
    /// Tags and escaped text.
    Markup(&'a str),
    /// The place of the trusted fragment with this number.
    Trusted(usize),
}

struct Pieces<'a> {
    rest: &'a str,
}

impl<'a> Iterator for Pieces<'a> {
    type Item = Piece<'a>;

    fn next(&mut self) -> Option<Piece<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        if let Some(numbered) = self.rest.strip_prefix(marks::OPEN) {
            let (number, rest) = numbered.split_once(marks::CLOSE).unwrap_or((numbered, ""));
            self.rest = rest;
            return Some(Piece::Trusted(number.parse().unwrap_or(usize::MAX)));
        }
        let end = self.rest.find(marks::OPEN).unwrap_or(self.rest.len());
        let (markup, rest) = self.rest.split_at(end);
        self.rest = rest;
        Some(Piece::Markup(markup))
    }
}

#[cfg(test)]
mod tests {
    use super::{Policy, SafeHtml, Trusted, sanitise};

    fn block(html: &str) -> Trusted {
        Trusted { html: html.to_owned(), is_block: true, ..Trusted::default() }
    }

    #[test]
    fn a_block_takes_the_place_of_its_holder() {
        let clean = sanitise("<p>a</p><pre>\u{fdd1}0\u{fdd2}</pre><p>b</p>", Policy::Post);
        let html = clean.splice(&[block("<pre tabindex=\"0\">x</pre>")]);
        assert_eq!(html.as_str(), "<p>a</p><pre tabindex=\"0\">x</pre><p>b</p>");
    }

    #[test]
    fn a_fragment_is_used_once_and_unknown_numbers_leave_nothing() {
        let source = "<pre>\u{fdd1}0\u{fdd2}</pre>|\u{fdd1}0\u{fdd2}|\u{fdd1}7\u{fdd2}|\u{fdd1}x\u{fdd2}|\u{fdd1}";
        let html = sanitise(source, Policy::Post).splice(&[block("<pre>x</pre>")]);
        assert_eq!(html.as_str(), "<pre>x</pre>||||");
    }

    #[test]
    fn a_number_in_an_attribute_is_taken_out() {
        let html = sanitise(
            "<a title=\"\u{fdd1}0\u{fdd2}\" href=\"/\u{fdd1}0\u{fdd2}\">x</a>",
            Policy::Post,
        )
        .splice(&[Trusted { html: "\"onclick=\"".to_owned(), ..Trusted::default() }]);
        assert!(!html.as_str().contains("onclick"), "{html}");
    }

    #[test]
    fn ids_and_classes_live_only_with_our_mark() {
        let html = sanitise(
            "<p id=\"main\" class=\"btn\">a</p><p id=\"\u{fdd3}h-a\" class=\"\u{fdd3}task\">b</p>",
            Policy::Post,
        )
        .splice(&[]);
        assert_eq!(html.as_str(), "<p>a</p><p id=\"h-a\" class=\"task\">b</p>");
    }

    #[test]
    fn the_database_form_is_a_plain_string() {
        let html: SafeHtml = serde_json::from_str("\"<p>a</p>\"").unwrap();
        assert_eq!(serde_json::to_string(&html).unwrap(), "\"<p>a</p>\"");
        assert_eq!(html.into_string(), "<p>a</p>");
    }
}
