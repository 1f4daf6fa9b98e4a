//! Raw HTML in a post: allowed tags stay, and what is opened is closed again.
//!
//! The sanitiser does this too and has the last word. But its parser spends time and memory on
//! unclosed tags as browsers must (a `<b>` left open comes back in every later paragraph), so it
//! only ever gets tags that match.

use super::raw_tag::{Token, tokens};
use super::writer::Writer;
use super::{RenderError, WORK, escape, image, raw_model};
use crate::domain::safe_html::{Trusted, is_allowed_attribute, is_allowed_tag};
use crate::domain::{marks, xml_text};

/// Raw elements that may be open at once.
const OPEN_ELEMENTS: usize = 50;
/// The raw elements that are open, each with the number of Markdown elements around it.
#[derive(Debug, Default)]
pub(super) struct RawElements {
    open: Vec<(String, usize)>,
    work: usize,
    /// Whether any was written.
    pub(super) is_used: bool,
}

/// Where raw HTML stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// Where paragraphs stand.
    Block,
    /// In a paragraph.
    Inline,
}

impl Writer<'_, '_> {
    /// Writes raw HTML.
    pub(super) fn raw_html(&mut self, html: &str, place: Place) -> Result<(), RenderError> {
        for token in tokens(html) {
            match token {
                Token::Text(text) => {
                    let references = push_text(&mut self.out, text);
                    self.work(references)?;
                    self.last_char = text.chars().next_back().or(self.last_char);
                }
                Token::Comment(comment) => {
                    if comment.trim().eq_ignore_ascii_case("more") {
                        self.trusted(Trusted { ends_summary: true, ..Trusted::default() });
                    }
                }
                Token::Start { name, attributes } => {
                    self.work(attributes.len())?;
                    self.raw_start(&name, place, &attributes);
                }
                Token::End(name) => self.raw_end(&name),
            }
            self.work(1)?;
        }
        Ok(())
    }

    /// Counts what `pieces` more elements, attributes or references cost the sanitiser, when each
    /// open raw element may come back for it.
    pub(super) fn work(&mut self, pieces: usize) -> Result<(), RenderError> {
        self.raw.work += pieces + self.raw.open.len();
        if self.raw.work > WORK { Err(RenderError::TooComplex) } else { Ok(()) }
    }

    /// Closes the raw elements that were opened inside the innermost Markdown element.
    pub(super) fn close_raw(&mut self) {
        let level = self.level();
        while let Some((name, _)) = self.raw.open.pop_if(|(_, opened)| *opened >= level) {
            push_end(&mut self.out, &name);
        }
    }

    fn raw_start(&mut self, name: &str, place: Place, attributes: &[(String, &str)]) {
        if !is_allowed_tag(name) || (place == Place::Inline && raw_model::is_block(name)) {
            return;
        }
        if name == "img"
            && !attributes.iter().any(|(name, value)| name == "src" && image::is_loadable(value))
        {
            return;
        }
        if name == "a" && self.is_in_link() {
            return;
        }
        let level = self.level();
        let is_ended =
            |open: &(String, usize)| open.1 == level && raw_model::is_ended_by(&open.0, name);
        while let Some((open, _)) = self.raw.open.pop_if(|open| is_ended(open)) {
            push_end(&mut self.out, &open);
        }
        let parent = self.raw.open.last().filter(|(_, opened)| *opened == level);
        if !raw_model::fits(name, parent.map(|(open, _)| open.as_str())) {
            return;
        }
        if !raw_model::is_void(name) {
            if self.raw.open.len() >= OPEN_ELEMENTS {
                return;
            }
            self.raw.open.push((name.to_owned(), level));
        }
        self.raw.is_used = true;
        self.out.push('<');
        self.out.push_str(name);
        for (attribute, value) in attributes {
            if is_allowed_attribute(name, attribute) {
                self.out.push(' ');
                self.out.push_str(attribute);
                self.out.push_str("=\"");
                push_value(&mut self.out, value);
                self.out.push('"');
            }
        }
        if name == "img" {
            self.out.push_str(" loading=\"lazy\"");
        }
        self.out.push('>');
    }

    /// Whether a link is open, in which no other can stand.
    pub(super) fn is_in_link(&self) -> bool {
        self.links > 0 || self.raw.open.iter().any(|(open, _)| open == "a")
    }

    /// Ends a raw paragraph or heading, in which no block of Markdown can stand.
    pub(super) fn end_raw_paragraph(&mut self) {
        let level = self.level();
        while let Some((open, _)) = self
            .raw
            .open
            .pop_if(|(open, opened)| *opened == level && raw_model::is_ended_by(open, "p"))
        {
            push_end(&mut self.out, &open);
        }
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

/// References in text that are read here, so that the sanitiser's parser need not.
const SIMPLE: [(&str, char); 5] =
    [("lt;", '<'), ("gt;", '>'), ("amp;", '&'), ("quot;", '"'), ("nbsp;", '\u{a0}')];

/// Appends text with references, which stand for what they mean where that is simple. Returns how
/// many are left to the sanitiser.
fn push_text(out: &mut String, text: &str) -> usize {
    let mut left = 0;
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('&') {
        escape::push_text(out, before);
        let mut sign = [0; 4];
        match reference(from) {
            Reference::Means(c, length) => {
                escape::push_text(out, c.encode_utf8(&mut sign));
                rest = from.get(length..).unwrap_or_default();
            }
            Reference::Forbidden(length) => rest = from.get(length..).unwrap_or_default(),
            Reference::Named => {
                left += 1;
                out.push('&');
                rest = from;
            }
            Reference::None => {
                escape::push_text(out, "&");
                rest = from;
            }
        }
    }
    escape::push_text(out, rest);
    left
}

/// Appends an attribute's value with references.
fn push_value(out: &mut String, value: &str) {
    let mut rest = value;
    while let Some((before, from)) = rest.split_once('&') {
        escape::push_escaped(out, before);
        rest = from;
        match reference(from) {
            Reference::Means(c, length) => {
                escape::push_escaped(out, c.encode_utf8(&mut [0; 4]));
                rest = from.get(length..).unwrap_or_default();
            }
            Reference::Forbidden(length) => rest = from.get(length..).unwrap_or_default(),
            Reference::Named => out.push('&'),
            Reference::None => out.push_str("&amp;"),
        }
    }
    escape::push_escaped(out, rest);
}

/// What follows a `&`.
enum Reference {
    /// This character, written with so many bytes.
    Means(char, usize),
    /// A character that may not stand in a page (`&#8;`, or a mark of ours).
    Forbidden(usize),
    /// A name that the sanitiser knows or does not.
    Named,
    /// No reference.
    None,
}

fn reference(from: &str) -> Reference {
    if let Some((name, c)) = SIMPLE.iter().find(|(name, _)| from.starts_with(name)) {
        return Reference::Means(*c, name.len());
    }
    let Some(number) = from.strip_prefix('#') else {
        let is_name = from.starts_with(|c: char| c.is_ascii_alphabetic());
        return if is_name { Reference::Named } else { Reference::None };
    };
    let (radix, digits) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, number),
    };
    let count = digits.find(|c: char| !c.is_digit(radix)).unwrap_or(digits.len());
    if count == 0 {
        return Reference::None;
    }
    let (digits, after) = digits.split_at(count);
    let length = from.len() - after.len() + usize::from(after.starts_with(';'));
    match u32::from_str_radix(digits, radix).ok().and_then(char::from_u32) {
        // The C1 controls mean other characters in HTML, and are as good as never written.
        Some(c)
            if !marks::is_mark(c) && xml_text::is_legal(c) && !matches!(c, '\u{7f}'..='\u{9f}') =>
        {
            Reference::Means(c, length)
        }
        _ => Reference::Forbidden(length),
    }
}

#[cfg(test)]
mod tests {
    use super::{push_text, push_value};

    fn text(text: &str) -> String {
        let mut out = String::new();
        push_text(&mut out, text);
        out
    }

    fn value(text: &str) -> String {
        let mut out = String::new();
        push_value(&mut out, text);
        out
    }

    #[test]
    fn references_stand_for_what_they_mean_unless_they_forge_a_mark() {
        assert_eq!(text("a &amp; b&copy;<\"&#20013;&#x4E2d;"), "a \u{fdd4} b&copy;\u{fdd5}\"中中");
        assert_eq!(value("a &amp; b&copy;<\"&#34;&#x4E2d;"), "a &amp; b&copy;&lt;&quot;&quot;中");
        let forged = "&#xFDD1;0&#64978;&#x000fdd1&#8;&#0;&#99999999999;&#128;";
        assert_eq!(text(forged), "0");
        assert_eq!(value(forged), "0");
        assert_eq!(value("&#;&#x;& &"), "&amp;#;&amp;#x;&amp; &amp;");
    }
}
