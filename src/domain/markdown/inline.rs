//! Running text: links, emphasis, line breaks, formulas, signs of footnotes.

use pulldown_cmark::{Event, LinkType, Tag, TagEnd};

use super::raw_html::Place;
use super::writer::Writer;
use super::{RenderError, escape, linkify, math};
use crate::domain::cjk::{is_unspaced, is_wide_punctuation};
use crate::domain::safe_html::Trusted;

/// The words of a picture's description, of which these are the events after its start, and the
/// events after its end.
pub(super) fn words_until_end<'e, 's>(events: &'e [Event<'s>]) -> (String, &'e [Event<'s>]) {
    let mut words = String::new();
    let mut depth = 0;
    let mut rest = events;
    while let Some((event, after)) = rest.split_first() {
        rest = after;
        match event {
            Event::Start(Tag::Image { .. }) => depth += 1,
            Event::End(TagEnd::Image) if depth == 0 => break,
            Event::End(TagEnd::Image) => depth -= 1,
            Event::Text(text) | Event::Code(text) | Event::InlineMath(text) => words.push_str(text),
            Event::SoftBreak | Event::HardBreak => words.push(' '),
            _ => {}
        }
    }
    (words, rest)
}

/// Whether a list item, of which these are the events after its start, is a task.
pub(super) fn is_task(events: &[Event<'_>]) -> bool {
    matches!(
        events,
        [Event::TaskListMarker(_), ..]
            | [Event::Start(Tag::Paragraph), Event::TaskListMarker(_), ..]
    )
}

/// The next character that a reader sees in the same block.
fn next_char(events: &[Event<'_>]) -> Option<char> {
    for event in events {
        match event {
            Event::Text(text) | Event::Code(text) => {
                if let Some(c) = text.chars().next() {
                    return Some(c);
                }
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
            | Event::End(
                TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link,
            )
            | Event::InlineHtml(_) => {}
            _ => return None,
        }
    }
    None
}

/// Whether a line end between these characters is no space to a reader: Chinese and Japanese are
/// written without, and full-width punctuation brings its own.
fn joins(before: Option<char>, after: Option<char>) -> bool {
    let (Some(before), Some(after)) = (before, after) else {
        return false;
    };
    (is_unspaced(before) && is_unspaced(after))
        || is_wide_punctuation(before)
        || is_wide_punctuation(after)
}

impl Writer<'_, '_> {
    /// Begins an element inside a paragraph.
    pub(super) fn start_inline(&mut self, tag: &Tag<'_>) -> &'static str {
        match tag {
            Tag::Emphasis => {
                self.out.push_str("<em>");
                "</em>"
            }
            Tag::Strong => {
                self.out.push_str("<strong>");
                "</strong>"
            }
            Tag::Strikethrough => {
                self.out.push_str("<del>");
                "</del>"
            }
            Tag::Link { link_type, dest_url, title, .. } => {
                let is_nested = self.is_in_link();
                self.links += 1;
                if is_nested {
                    return "";
                }
                self.link(*link_type, dest_url, title);
                "</a>"
            }
            // Kinds that the options of the parser leave off.
            _ => "",
        }
    }

    fn link(&mut self, link_type: LinkType, address: &str, title: &str) {
        self.out.push_str("<a href=\"");
        let heading =
            address.strip_prefix('#').and_then(|fragment| self.outline.heading_of(fragment));
        if link_type == LinkType::Email {
            self.out.push_str("mailto:");
        }
        match heading {
            Some(id) => {
                self.out.push('#');
                escape::push_href(&mut self.out, &id);
            }
            None => escape::push_href(&mut self.out, address),
        }
        if !title.is_empty() {
            self.out.push_str("\" title=\"");
            escape::push_escaped(&mut self.out, title);
        }
        self.out.push_str("\">");
    }

    /// Writes what is no element; `after` are the events that follow.
    pub(super) fn inline(
        &mut self,
        event: &Event<'_>,
        after: &[Event<'_>],
    ) -> Result<(), RenderError> {
        match event {
            Event::Text(text) => {
                self.work(0)?;
                self.text(text)?;
            }
            Event::Code(code) => {
                self.work(1)?;
                self.out.push_str("<code>");
                escape::push_text(&mut self.out, code);
                self.out.push_str("</code>");
                self.last_char = code.chars().next_back();
            }
            Event::InlineMath(formula) => self.formula(formula, false),
            Event::DisplayMath(formula) => self.formula(formula, true),
            Event::Html(html) | Event::InlineHtml(html) => {
                if self.is_comment {
                    escape::push_text(&mut self.out, html);
                    self.last_char = html.chars().next_back();
                } else {
                    self.raw_html(html, Place::Inline)?;
                }
            }
            Event::FootnoteReference(label) => self.footnote_reference(label)?,
            Event::SoftBreak => {
                if !joins(self.last_char, next_char(after)) {
                    self.out.push('\n');
                }
            }
            Event::HardBreak => {
                self.work(1)?;
                self.out.push_str("<br>\n");
            }
            Event::Rule => {
                self.work(1)?;
                self.out.push_str("<hr>\n");
            }
            Event::TaskListMarker(is_done) => {
                let checked = if *is_done { " checked" } else { "" };
                let label = self.labels.done(*is_done);
                let html =
                    format!("<input type=\"checkbox\" disabled{checked} aria-label=\"{label}\">");
                self.trusted(Trusted { html, ..Trusted::default() });
                self.out.push(' ');
            }
            Event::Start(_) | Event::End(_) => {}
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Result<(), RenderError> {
        self.last_char = text.chars().next_back().or(self.last_char);
        let mut rest = text;
        while !self.is_in_link() {
            let Some(found) = linkify::find(rest) else {
                break;
            };
            escape::push_text(&mut self.out, found.before);
            self.out.push_str("<a href=\"");
            if found.lacks_scheme {
                self.out.push_str("http://");
            }
            escape::push_href(&mut self.out, found.address);
            self.out.push_str("\">");
            escape::push_text(&mut self.out, found.address);
            self.out.push_str("</a>");
            rest = found.after;
            self.work(2)?;
        }
        escape::push_text(&mut self.out, rest);
        Ok(())
    }

    fn formula(&mut self, formula: &str, is_display: bool) {
        self.last_char = None;
        let sign = if is_display { "$$" } else { "$" };
        let may_set = self.formulas > 0;
        self.formulas = self.formulas.saturating_sub(1);
        let set = if may_set { math::render(formula, is_display) } else { None };
        let text = format!("{sign}{formula}{sign}");
        if let Some(html) = set {
            self.trusted(Trusted { html, text, ..Trusted::default() });
        } else {
            self.out.push_str("<code>");
            escape::push_text(&mut self.out, &text);
            self.out.push_str("</code>");
        }
    }

    fn footnote_reference(&mut self, label: &str) -> Result<(), RenderError> {
        if self.document.footnotes.contains_key(label) {
            let sign = self.footnotes.refer(label, self.labels, self.is_in_link());
            self.trusted(sign);
            Ok(())
        } else {
            self.text(&format!("[^{label}]"))
        }
    }
}
