//! Parsing, and the parsed text made ready for writing.

use std::collections::HashMap;

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use super::{RenderError, WORK, math};
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

/// Bytes that may be parsed in looking for prices, over all rounds.
const PRICE_BYTES: usize = 3 * 1024 * 1024;
/// Rounds of looking for prices, if the text is short enough for so many.
const PRICE_ROUNDS: usize = 30;

/// The text with a backslash before each `$` that would begin a formula but is a price.
///
/// The parser is asked rather than the text searched, so that `$` in code is never touched. Once
/// a price is literal, what seemed its closing sign may begin a real formula: so each round takes
/// only the first price of a paragraph, and the next one looks again.
pub(super) fn without_prices(source: String) -> String {
    let mut source = source;
    let rounds = (PRICE_BYTES / source.len().max(1)).clamp(3, PRICE_ROUNDS);
    for _ in 0..rounds {
        if !source.contains('$') {
            return source;
        }
        let prices = first_prices(&source);
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

/// Where the first price of each paragraph that has one begins.
fn first_prices(source: &str) -> Vec<usize> {
    let mut prices = Vec::new();
    let mut has_price = false;
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        match event {
            Event::Start(
                Tag::Emphasis
                | Tag::Strong
                | Tag::Strikethrough
                | Tag::Link { .. }
                | Tag::Image { .. },
            ) => {}
            Event::Start(_) => has_price = false,
            Event::InlineMath(formula) if !has_price => {
                let before = source.get(..range.start).unwrap_or_default();
                let after = source.get(range.end..).unwrap_or_default();
                if math::is_price(&marks::remove(&formula), before, after) {
                    prices.push(range.start);
                    has_price = true;
                }
            }
            _ => {}
        }
    }
    prices
}

/// Parses prepared Markdown. In a comment, character references stay as they were typed.
///
/// A text with more elements than the page may have is refused before anything is made of it.
pub(super) fn parse(source: &str, keep_references: bool) -> Result<Document<'_>, RenderError> {
    let mut footnotes = HashMap::new();
    let mut body = Joined::default();
    let mut elements = 0_usize;
    // Footnotes being defined, outermost first.
    let mut open: Vec<(String, Joined<'_>)> = Vec::new();
    for (event, range) in Parser::new_ext(source, options()).into_offset_iter() {
        elements += usize::from(matches!(event, Event::Start(_)));
        if elements > WORK {
            return Err(RenderError::TooComplex);
        }
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
    Ok(Document { body: body.finish(), footnotes })
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
