//! Parsing, and the parsed text made ready for writing.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::math;
use crate::domain::{marks, xml_text};

/// A parsed text.
#[derive(Debug)]
pub(super) struct Document<'s> {
    /// The events without the definitions of footnotes; neighbouring texts are joined.
    pub(super) body: Vec<Event<'s>>,
    /// What stands in each footnote, by label. Of two with one label the first counts.
    pub(super) footnotes: HashMap<String, Vec<Event<'s>>>,
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
}

/// Rounds of looking for prices; each finds all that the last one left.
const PRICE_ROUNDS: usize = 4;

/// The text with a backslash before each `$` that would begin a formula but is a price.
///
/// The parser is asked rather than the text searched, so that `$` in code is never touched. A
/// price once literal, its closing sign may open another formula: hence rounds.
pub(super) fn without_prices(source: String) -> String {
    let mut source = source;
    for _ in 0..PRICE_ROUNDS {
        if !source.contains('$') {
            return source;
        }
        let prices: Vec<usize> = Parser::new_ext(&source, options())
            .into_offset_iter()
            .filter_map(|(event, range)| match event {
                Event::InlineMath(formula) => {
                    let (before, _) = source.split_at_checked(range.start)?;
                    let after = source.get(range.end..)?;
                    math::is_price(&marks::remove(&formula), before, after).then_some(range.start)
                }
                _ => None,
            })
            .collect();
        if prices.is_empty() {
            return source;
        }
        let mut escaped = String::with_capacity(source.len() + prices.len());
        let mut copied = 0;
        for price in prices {
            escaped.push_str(source.get(copied..price).unwrap_or_default());
            escaped.push('\\');
            copied = price;
        }
        escaped.push_str(source.get(copied..).unwrap_or_default());
        source = escaped;
    }
    source
}

/// Parses prepared Markdown. In a comment, character references stay as they were typed.
pub(super) fn parse(source: &str, keep_references: bool) -> Document<'_> {
    let mut footnotes = HashMap::new();
    let mut body = Joined::default();
    // Footnotes being defined, outermost first.
    let mut open: Vec<(String, Joined<'_>)> = Vec::new();
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        match event {
            Event::Start(Tag::FootnoteDefinition(label)) => {
                open.push((marks::remove(&label).into_owned(), Joined::default()));
                continue;
            }
            Event::End(TagEnd::FootnoteDefinition) => {
                if let Some((label, events)) = open.pop() {
                    footnotes.entry(label).or_insert_with(|| events.finish());
                }
                continue;
            }
            _ => {}
        }
        let event = match event {
            Event::Text(text) if keep_references => Event::Text(as_typed(text, source.get(range))),
            event => event,
        };
        open.last_mut().map_or(&mut body, |(_, events)| events).push(without_marks(event));
    }
    Document { body: body.finish(), footnotes }
}

/// Events whose neighbouring texts become one, so that a bare link is seen whole.
#[derive(Default)]
struct Joined<'s> {
    events: Vec<Event<'s>>,
    /// The last text, alone so far.
    single: Option<CowStr<'s>>,
    /// The last text, once it has been joined. Kept growing: joining in place is quadratic.
    growing: String,
}

impl<'s> Joined<'s> {
    fn push(&mut self, event: Event<'s>) {
        match event {
            Event::Text(text) if self.growing.is_empty() && self.single.is_none() => {
                self.single = Some(text);
            }
            Event::Text(text) => {
                if let Some(single) = self.single.take() {
                    self.growing.push_str(&single);
                }
                self.growing.push_str(&text);
            }
            event => {
                self.flush();
                self.events.push(event);
            }
        }
    }

    fn flush(&mut self) {
        if let Some(text) = self.single.take() {
            self.events.push(Event::Text(text));
        } else if !self.growing.is_empty() {
            let text = std::mem::take(&mut self.growing);
            self.events.push(Event::Text(CowStr::from(text)));
        }
    }

    fn finish(mut self) -> Vec<Event<'s>> {
        self.flush();
        self.events
    }
}

/// The reference `&lt;` itself instead of the `<` it means (case C20).
fn as_typed<'s>(text: CowStr<'s>, typed: Option<&'s str>) -> CowStr<'s> {
    match typed {
        Some(typed) if typed.starts_with('&') && typed.ends_with(';') && *text != *typed => {
            CowStr::Borrowed(typed)
        }
        _ => text,
    }
}

/// Without what character references (`&#8;`, `&#xFDD1;`) may have brought back.
fn clean(text: CowStr<'_>) -> CowStr<'_> {
    if text.contains(|c| marks::is_mark(c) || !xml_text::is_legal(c)) {
        CowStr::from(marks::remove(&xml_text::legal(&text)).into_owned())
    } else {
        text
    }
}

fn without_marks(event: Event<'_>) -> Event<'_> {
    use pulldown_cmark::CodeBlockKind::Fenced;
    match event {
        Event::Text(text) => Event::Text(clean(text)),
        Event::Code(text) => Event::Code(clean(text)),
        Event::InlineMath(text) => Event::InlineMath(clean(text)),
        Event::DisplayMath(text) => Event::DisplayMath(clean(text)),
        Event::Html(text) => Event::Html(clean(text)),
        Event::InlineHtml(text) => Event::InlineHtml(clean(text)),
        Event::FootnoteReference(label) => Event::FootnoteReference(clean(label)),
        Event::Start(Tag::CodeBlock(Fenced(language))) => {
            Event::Start(Tag::CodeBlock(Fenced(clean(language))))
        }
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => Event::Start(Tag::Link {
            link_type,
            dest_url: clean(dest_url),
            title: clean(title),
            id,
        }),
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => Event::Start(Tag::Image {
            link_type,
            dest_url: clean(dest_url),
            title: clean(title),
            id,
        }),
        event => event,
    }
}
