//! Writing HTML from the parsed text.
//!
//! Owns the order of things; [`super::blocks`], [`super::inline`], [`super::image`],
//! [`super::raw_html`] and [`super::footnotes`] write the elements. The output
//! still has to be sanitised, and has numbered gaps where trusted fragments belong.

use pulldown_cmark::{Alignment, Event, Tag, TagEnd};

use super::events::Document;
use super::footnotes::Footnotes;
use super::labels::Labels;
use super::outline::Outline;
use super::raw_html::RawElements;
use super::{ImageSize, Limits, Profile, RenderError};
use crate::domain::marks;
use crate::domain::safe_html::Trusted;

/// Elements inside each other that are written; deeper ones are left out, not what is in them.
/// Browsers stop at 512, and the sanitiser's time grows with the square of the depth (case C13).
const DEPTH: usize = 100;

/// HTML before sanitising, and what belongs in its gaps.
pub(super) struct Written {
    pub(super) html: String,
    pub(super) trusted: Vec<Trusted>,
    /// Whether tags that a person wrote are in it.
    pub(super) has_raw_html: bool,
}

/// Writes a parsed text.
pub(super) fn write(
    document: &Document<'_>,
    outline: &Outline,
    profile: &Profile,
    limits: Limits,
    image_size: &dyn Fn(&str) -> Option<ImageSize>,
) -> Result<Written, RenderError> {
    let mut writer = Writer {
        out: String::new(),
        trusted: Vec::new(),
        trusted_bytes: 0,
        open: Vec::new(),
        shown: 0,
        raw: RawElements::default(),
        last_char: None,
        links: 0,
        figure: None,
        headings: outline.toc.iter(),
        table: Table::default(),
        footnotes: Footnotes::of(profile.id()),
        labels: Labels::of_events(&document.body),
        code_bytes: limits.code_bytes,
        formulas: limits.math,
        document,
        outline,
        is_comment: profile.is_comment(),
        limits,
        image_size,
    };
    writer.write(&document.body)?;
    writer.close_raw();
    writer.notes()?;
    Ok(Written { has_raw_html: writer.raw.is_used, html: writer.out, trusted: writer.trusted })
}

/// What closes an element that is open.
enum Close {
    /// This text.
    With(&'static str),
    /// Nothing: the element was too deep to be written.
    Hidden,
}

/// Where in a table the writer is.
#[derive(Default)]
pub(super) struct Table {
    pub(super) alignments: Vec<Alignment>,
    pub(super) column: usize,
    pub(super) is_in_head: bool,
    pub(super) has_body: bool,
}

pub(super) struct Writer<'d, 's> {
    pub(super) out: String,
    trusted: Vec<Trusted>,
    trusted_bytes: usize,
    /// One for each Markdown element that is open.
    open: Vec<Close>,
    /// How many of them are written.
    shown: usize,
    pub(super) raw: RawElements,
    /// The last character that a reader sees in this block.
    pub(super) last_char: Option<char>,
    /// Links that are open.
    pub(super) links: usize,
    /// The caption of the figure that is open.
    pub(super) figure: Option<String>,
    pub(super) headings: std::slice::Iter<'d, super::TocEntry>,
    pub(super) table: Table,
    pub(super) footnotes: Footnotes,
    pub(super) labels: Labels,
    /// Bytes of code that may still be coloured.
    pub(super) code_bytes: usize,
    /// Formulas that may still be set.
    pub(super) formulas: usize,
    pub(super) document: &'d Document<'s>,
    pub(super) outline: &'d Outline,
    pub(super) is_comment: bool,
    limits: Limits,
    pub(super) image_size: &'d dyn Fn(&str) -> Option<ImageSize>,
}

impl Writer<'_, '_> {
    /// Number of Markdown elements that are open.
    pub(super) fn level(&self) -> usize {
        self.open.len()
    }

    /// Leaves a gap in running text for a trusted fragment.
    pub(super) fn trusted(&mut self, fragment: Trusted) {
        self.trusted_bytes += fragment.html.len();
        let holder = if fragment.is_block { ("<pre>", "</pre>\n") } else { ("", "") };
        self.out.push_str(holder.0);
        self.out.push(marks::OPEN);
        self.out.push_str(&self.trusted.len().to_string());
        self.out.push(marks::CLOSE);
        self.out.push_str(holder.1);
        self.trusted.push(fragment);
    }

    fn write(&mut self, events: &[Event<'_>]) -> Result<(), RenderError> {
        let mut rest = events;
        while let Some((event, after)) = rest.split_first() {
            rest = match event {
                Event::Start(tag) => self.start(tag, after)?,
                Event::End(end) => {
                    self.end(*end);
                    after
                }
                event => {
                    self.inline(event, after)?;
                    after
                }
            };
            if self.out.len() + self.trusted_bytes > self.limits.output_bytes {
                return Err(RenderError::OutputTooLarge { limit: self.limits.output_bytes });
            }
        }
        Ok(())
    }

    /// Begins an element; returns the events that are still to be written.
    fn start<'e, 's>(
        &mut self,
        tag: &Tag<'s>,
        after: &'e [Event<'s>],
    ) -> Result<&'e [Event<'s>], RenderError> {
        self.work(pieces_of(tag))?;
        match tag {
            Tag::CodeBlock(kind) => return Ok(self.code_block(kind, after)),
            Tag::HtmlBlock => return self.html_block(after),
            Tag::Image { dest_url, title, .. } => {
                let (alt, rest) = super::inline::words_until_end(after);
                self.image(dest_url, title, &alt);
                return Ok(rest);
            }
            _ => {}
        }
        if self.shown >= DEPTH && !matches!(tag, Tag::Paragraph) {
            if matches!(tag, Tag::Heading { .. }) && !self.is_comment {
                self.headings.next();
            }
            self.open.push(Close::Hidden);
            return Ok(after);
        }
        let close = match tag {
            Tag::Paragraph => self.paragraph(after),
            Tag::Heading { .. } => self.heading(),
            Tag::BlockQuote(_) => self.block("<blockquote>\n", "</blockquote>\n"),
            Tag::List(first) => self.list(*first),
            Tag::Item => {
                let is_task = super::inline::is_task(after);
                let html =
                    if is_task { ours("<li class=\"", "task", "\">") } else { "<li>".to_owned() };
                self.block(&html, "</li>\n")
            }
            Tag::Table(alignments) => self.table(alignments),
            Tag::TableHead => {
                self.table.is_in_head = true;
                self.table.column = 0;
                self.block("<thead><tr>", "</tr></thead>\n")
            }
            Tag::TableRow => {
                self.table.column = 0;
                let html = if self.table.has_body { "<tr>" } else { "<tbody>\n<tr>" };
                self.table.has_body = true;
                self.block(html, "</tr>\n")
            }
            Tag::TableCell => self.cell(),
            tag => self.start_inline(tag),
        };
        self.shown += 1;
        self.open.push(Close::With(close));
        Ok(after)
    }

    fn end(&mut self, end: TagEnd) {
        self.close_raw();
        let Some(Close::With(close)) = self.open.pop() else {
            return;
        };
        self.shown -= 1;
        match end {
            TagEnd::Link => self.links = self.links.saturating_sub(1),
            TagEnd::TableHead => self.table.is_in_head = false,
            TagEnd::Table if self.table.has_body => self.out.push_str("</tbody>\n"),
            TagEnd::Paragraph => self.caption(),
            _ => {}
        }
        self.out.push_str(close);
    }

    /// Begins a block on a line of its own.
    pub(super) fn block(&mut self, open: &str, close: &'static str) -> &'static str {
        if !self.out.is_empty() && !self.out.ends_with(['\n', '>']) {
            self.out.push('\n');
        }
        self.end_raw_paragraph();
        self.last_char = None;
        self.out.push_str(open);
        close
    }

    /// The footnotes, in the order in which they were referred to.
    fn notes(&mut self) -> Result<(), RenderError> {
        let document = self.document;
        let mut bodies = Vec::new();
        let html = std::mem::take(&mut self.out);
        let mut written = html.len();
        while let Some(label) = self.footnotes.label(bodies.len() + 1) {
            let events = document.footnotes.get(label).map_or(&[][..], Vec::as_slice);
            // A single paragraph needs no <p> in its item.
            let events = match events {
                [Event::Start(Tag::Paragraph), inner @ .., Event::End(TagEnd::Paragraph)]
                    if !inner.iter().any(|event| matches!(event, Event::Start(Tag::Paragraph))) =>
                {
                    inner
                }
                events => events,
            };
            self.last_char = None;
            self.write(events)?;
            self.close_raw();
            written += self.out.len();
            if written > self.limits.output_bytes {
                return Err(RenderError::OutputTooLarge { limit: self.limits.output_bytes });
            }
            bodies.push(std::mem::take(&mut self.out));
        }
        self.out = html;
        if bodies.is_empty() {
            return Ok(());
        }
        let m = marks::OURS;
        let label = self.labels.footnotes();
        self.block(&format!("<section class=\"{m}notes\" aria-label=\"{m}{label}\"><ol>\n"), "");
        for (before, body) in bodies.iter().enumerate() {
            let number = before + 1;
            self.out.push_str("<li id=\"");
            self.out.push_str(&self.footnotes.marked_id(number));
            self.out.push_str("\">");
            self.out.push_str(body.trim_end());
            let links = self.footnotes.links_back(number, self.labels);
            self.trusted(links);
            self.out.push_str("</li>\n");
        }
        self.out.push_str("</ol></section>\n");
        Ok(())
    }
}

/// An opening tag with an attribute that only the renderer may write.
pub(super) fn ours(before: &str, value: &str, after: &str) -> String {
    format!("{before}{}{value}{after}", marks::OURS)
}

/// How many elements and attributes a tag becomes.
fn pieces_of(tag: &Tag<'_>) -> usize {
    match tag {
        Tag::Heading { .. } | Tag::Link { .. } => 2,
        Tag::Image { .. } => 4,
        Tag::Table(_) => 6,
        _ => 1,
    }
}
