//! Raw HTML in a post: allowed tags stay, and what is opened is closed again.
//!
//! The sanitiser does this too and has the last word. But its parser spends time and memory on
//! unclosed tags as browsers must (a `<b>` left open comes back in every later paragraph), so it
//! only ever gets tags that match.

use super::raw_tag::{Token, tokens};
use super::{RenderError, escape, writer::Writer};
use crate::domain::safe_html::{Trusted, is_allowed_attribute, is_allowed_tag};
use crate::domain::{marks, xml_text};

/// Raw elements that may be open at once.
const OPEN_ELEMENTS: usize = 50;
/// Open raw elements, summed over all tags of the page. Each may cost the parser a new element.
const WORK: usize = 300_000;

/// The raw elements that are open, each with the number of Markdown elements around it.
#[derive(Debug, Default)]
pub(super) struct RawElements {
    open: Vec<(String, usize)>,
    work: usize,
}

impl Writer<'_, '_> {
    /// Writes raw HTML that stands inside `level` Markdown elements.
    pub(super) fn raw_html(&mut self, html: &str) -> Result<(), RenderError> {
        for token in tokens(html) {
            match token {
                Token::Text(text) => {
                    push_text(&mut self.out, text);
                    self.last_char = text.chars().next_back().or(self.last_char);
                }
                Token::Comment(comment) => {
                    if comment.trim().eq_ignore_ascii_case("more") {
                        self.trusted(Trusted { ends_summary: true, ..Trusted::default() });
                    }
                }
                Token::Start { name, attributes } => self.raw_start(&name, &attributes),
                Token::End(name) => self.raw_end(&name),
            }
            self.count_work()?;
        }
        Ok(())
    }

    /// Counts what the open raw elements may cost for one more tag.
    pub(super) fn count_work(&mut self) -> Result<(), RenderError> {
        self.raw.work += self.raw.open.len();
        if self.raw.work > WORK { Err(RenderError::TooComplex) } else { Ok(()) }
    }

    /// Closes the raw elements that were opened inside the innermost Markdown element.
    pub(super) fn close_raw(&mut self) {
        let level = self.level();
        while let Some((name, _)) = self.raw.open.pop_if(|(_, opened)| *opened >= level) {
            push_end(&mut self.out, &name);
        }
    }

    fn raw_start(&mut self, name: &str, attributes: &[(String, &str)]) {
        if !is_allowed_tag(name) {
            return;
        }
        let is_void = matches!(name, "br" | "col" | "hr" | "img" | "wbr");
        if !is_void {
            // A new paragraph, item or cell ends the last one, as in HTML.
            let level = self.level();
            let ends_itself = matches!(name, "p" | "li" | "dt" | "dd" | "td" | "th" | "tr");
            if ends_itself {
                self.raw.open.pop_if(|(last, opened)| last == name && *opened == level);
            }
            if self.raw.open.len() >= OPEN_ELEMENTS {
                return;
            }
            self.raw.open.push((name.to_owned(), level));
        }
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            if is_allowed_attribute(name, attribute) {
                self.out.push(' ');
                self.out.push_str(attribute);
                self.out.push_str("=\"");
                push_text(&mut self.out, value);
                self.out.push('"');
            }
        }
        if name == "img" {
            self.out.push_str(" loading=\"lazy\"");
        }
        self.out.push('>');
    }

    /// Closes an element that is open inside the same Markdown element, with those inside it.
    fn raw_end(&mut self, name: &str) {
        let level = self.level();
        let is_open = self
            .raw
            .open
            .iter()
            .rev()
            .take_while(|(_, opened)| *opened == level)
            .any(|(open, _)| open == name);
        if !is_open {
            return;
        }
        while let Some((last, _)) = self.raw.open.pop() {
            push_end(&mut self.out, &last);
            if last == name {
                break;
            }
        }
    }
}

fn push_end(out: &mut String, name: &str) {
    out.push_str("</");
    out.push_str(name);
    out.push('>');
}

/// Appends text or an attribute's value that has references already, without those that mean a
/// character that may not stand in a page (`&#8;`, or our marks).
fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some((before, from)) = rest.split_once("&#") {
        escape_but_references(out, before);
        let (value, length) = number(from);
        let is_allowed = value
            .and_then(char::from_u32)
            .is_some_and(|c| !marks::is_mark(c) && xml_text::is_legal(c));
        if is_allowed {
            out.push_str("&#");
            rest = from;
        } else if length > 0 {
            let after = from.get(length..).unwrap_or_default();
            rest = after.strip_prefix(';').unwrap_or(after);
        } else {
            out.push_str("&amp;#");
            rest = from;
        }
    }
    escape_but_references(out, rest);
}

/// The number of a reference and the bytes that write it.
fn number(from: &str) -> (Option<u32>, usize) {
    let (radix, digits) = match from.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, from),
    };
    let count = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    if count == 0 {
        return (None, 0);
    }
    let value = digits.get(..count).and_then(|digits| u32::from_str_radix(digits, radix).ok());
    (value, from.len() - digits.len() + count)
}

fn escape_but_references(out: &mut String, text: &str) {
    for (nth, part) in text.split('&').enumerate() {
        if nth > 0 {
            out.push('&');
        }
        escape::push_text(out, part);
    }
}

#[cfg(test)]
mod tests {
    use super::push_text;

    fn text(text: &str) -> String {
        let mut out = String::new();
        push_text(&mut out, text);
        out
    }

    #[test]
    fn references_stay_unless_they_forge_a_mark() {
        assert_eq!(
            text("a &amp; b&copy;<\"&#20013;&#x4E2d;"),
            "a &amp; b&copy;&lt;&quot;&#20013;&#x4E2d;"
        );
        assert_eq!(text("&#xFDD1;0&#64978;&#x000fdd1&#8;&#0;&#99999999999;"), "0");
        assert_eq!(text("&#;&#x;"), "&amp;#;&amp;#x;");
    }
}
