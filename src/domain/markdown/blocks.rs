//! Elements that hold blocks: paragraphs, headings, lists, tables, code.

use pulldown_cmark::{Alignment, CodeBlockKind, Event, TagEnd};

use super::code::{self, Info};
use super::raw_html::Place;
use super::writer::{Table, Writer, ours};
use super::{RenderError, escape};
use crate::domain::marks;
use crate::domain::safe_html::Trusted;

/// What a block of code costs beside its bytes: setting the library up for it.
const BLOCK_COST: usize = 512;

impl Writer<'_, '_> {
    pub(super) fn paragraph(&mut self, after: &[Event<'_>]) -> &'static str {
        match after {
            [Event::DisplayMath(_), Event::End(TagEnd::Paragraph), ..] => self.block("", "\n"),
            _ if !self.is_comment && super::image::is_lone(after) => {
                self.figure = Some(String::new());
                self.block("<figure>", "</figure>\n")
            }
            _ => self.block("<p>", "</p>\n"),
        }
    }

    pub(super) fn heading(&mut self) -> &'static str {
        // Comments have no headings, and those in footnotes are not in the outline.
        let Some(entry) = self.headings.next() else {
            return self.block("<p><strong>", "</strong></p>\n");
        };
        let html = ours(&format!("<h{} id=\"", entry.level), &entry.id, "\">");
        let close = match entry.level {
            2 => "</h2>\n",
            3 => "</h3>\n",
            4 => "</h4>\n",
            5 => "</h5>\n",
            _ => "</h6>\n",
        };
        self.block(&html, close)
    }

    pub(super) fn list(&mut self, first: Option<u64>) -> &'static str {
        match first {
            None => self.block("<ul>\n", "</ul>\n"),
            Some(1) => self.block("<ol>\n", "</ol>\n"),
            Some(first) => self.block(&format!("<ol start=\"{first}\">\n"), "</ol>\n"),
        }
    }

    /// Wide tables scroll by themselves, also by keyboard.
    pub(super) fn table(&mut self, alignments: &[Alignment]) -> &'static str {
        self.table = Table { alignments: alignments.to_vec(), ..Table::default() };
        let m = marks::OURS;
        let label = self.labels.table();
        let html = format!(
            "<div class=\"{m}scroll\" tabindex=\"{m}0\" role=\"{m}region\" aria-label=\"{m}{label}\"><table>\n"
        );
        self.block(&html, "</table></div>\n")
    }

    pub(super) fn cell(&mut self) -> &'static str {
        let class = match self.table.alignments.get(self.table.column) {
            Some(Alignment::Right) => "num",
            Some(Alignment::Center) => "mid",
            _ => "",
        };
        self.table.column += 1;
        let (open, close) =
            if self.table.is_in_head { ("<th scope=\"col\"", "</th>") } else { ("<td", "</td>") };
        self.last_char = None;
        self.out.push_str(open);
        if !class.is_empty() {
            let class = ours(" class=\"", class, "\"");
            self.out.push_str(&class);
        }
        self.out.push('>');
        close
    }

    pub(super) fn code_block<'e, 's>(
        &mut self,
        kind: &CodeBlockKind<'_>,
        after: &'e [Event<'s>],
    ) -> &'e [Event<'s>] {
        let (code, rest) = text_until(after, TagEnd::CodeBlock);
        let info = match kind {
            CodeBlockKind::Fenced(info) => Info::parse(info),
            CodeBlockKind::Indented => Info::default(),
        };
        let cost = code.len() + BLOCK_COST;
        let is_coloured = cost <= self.code_bytes;
        if is_coloured && !info.language.is_empty() {
            self.code_bytes -= cost;
        }
        self.block("", "");
        let html = code::html(&code, &info, is_coloured);
        self.trusted(Trusted { html, text: code, is_block: true, ends_summary: false });
        rest
    }

    pub(super) fn html_block<'e, 's>(
        &mut self,
        after: &'e [Event<'s>],
    ) -> Result<&'e [Event<'s>], RenderError> {
        let (html, rest) = text_until(after, TagEnd::HtmlBlock);
        if self.is_comment {
            self.block("<p>", "");
            escape::push_text(&mut self.out, html.trim_end());
            self.out.push_str("</p>\n");
        } else {
            self.block("", "");
            self.raw_html(&html, Place::Block)?;
        }
        Ok(rest)
    }
}

/// The text of a block that holds only text, and the events after its end.
fn text_until<'e, 's>(events: &'e [Event<'s>], end: TagEnd) -> (String, &'e [Event<'s>]) {
    let mut text = String::new();
    let mut rest = events;
    while let Some((event, after)) = rest.split_first() {
        rest = after;
        match event {
            Event::Text(part) | Event::Html(part) => text.push_str(part),
            Event::End(found) if *found == end => break,
            _ => {}
        }
    }
    (text, rest)
}
