//! Pictures and figures.

use std::fmt::Write as _;

use pulldown_cmark::{Event, Tag, TagEnd};

use super::escape;
use super::inline::words_until_end;
use super::writer::Writer;
use crate::domain::marks;

/// How wide a picture of a text is drawn: the column, or the whole of a small screen.
const SIZES: &str = "(min-width: 45rem) 42rem, 100vw";

/// Whether a paragraph, of which these are the events after its start, holds one picture and
/// nothing else, or one link around one picture: then it is a figure.
pub(super) fn is_lone(events: &[Event<'_>]) -> bool {
    match events {
        [Event::Start(Tag::Image { .. }), after @ ..] => {
            matches!(words_until_end(after).1, [Event::End(TagEnd::Paragraph), ..])
        }
        [Event::Start(Tag::Link { .. }), Event::Start(Tag::Image { .. }), after @ ..] => matches!(
            words_until_end(after).1,
            [Event::End(TagEnd::Link), Event::End(TagEnd::Paragraph), ..]
        ),
        _ => false,
    }
}

/// Whether a picture may come from there: http, https, or the site itself.
pub(super) fn is_loadable(source: &str) -> bool {
    let is_scheme =
        |scheme: &str| scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    match source.trim().split_once(':') {
        Some((scheme, _)) if is_scheme(scheme) => {
            ["http", "https"].iter().any(|allowed| scheme.eq_ignore_ascii_case(allowed))
        }
        _ => true,
    }
}

impl Writer<'_, '_> {
    /// Writes a picture. In a comment it becomes a link, so that no page loads what a stranger
    /// chose; in a figure the title is its caption.
    pub(super) fn image(&mut self, source: &str, title: &str, alt: &str) {
        if self.is_comment {
            self.linked_words(source, if alt.is_empty() { source } else { alt });
            return;
        }
        if !is_loadable(source) {
            // The sanitiser would leave a picture without an address.
            escape::push_text(&mut self.out, alt);
            return;
        }
        self.last_char = None;
        self.out.push_str("<img src=\"");
        escape::push_href(&mut self.out, source);
        self.out.push_str("\" alt=\"");
        escape::push_escaped(&mut self.out, alt);
        self.out.push('"');
        if let Some(caption) = &mut self.figure {
            title.clone_into(caption);
        } else if !title.is_empty() {
            self.out.push_str(" title=\"");
            escape::push_escaped(&mut self.out, title);
            self.out.push('"');
        }
        if let Some(size) = (self.image_size)(source) {
            // Writing to a String cannot fail.
            let _ = write!(self.out, " width=\"{}\" height=\"{}\"", size.width, size.height);
            if !size.srcset.is_empty() {
                let m = marks::OURS;
                let _ = write!(
                    self.out,
                    " srcset=\"{m}{}\" sizes=\"{m}{SIZES}\" decoding=\"{m}async\"",
                    size.srcset
                );
            }
        }
        self.out.push_str(" loading=\"lazy\">");
    }

    fn linked_words(&mut self, address: &str, words: &str) {
        if self.is_in_link() {
            escape::push_text(&mut self.out, words);
        } else {
            self.out.push_str("<a href=\"");
            escape::push_href(&mut self.out, address);
            self.out.push_str("\">");
            escape::push_text(&mut self.out, words);
            self.out.push_str("</a>");
        }
        self.last_char = words.chars().next_back();
    }

    /// Ends the figure that a paragraph has become.
    pub(super) fn caption(&mut self) {
        if let Some(caption) = self.figure.take().filter(|caption| !caption.is_empty()) {
            self.out.push_str("<figcaption>");
            escape::push_text(&mut self.out, &caption);
            self.out.push_str("</figcaption>");
        }
    }
}
