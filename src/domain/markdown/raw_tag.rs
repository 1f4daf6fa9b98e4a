//! Cutting raw HTML into tags and text, by the tokenizer rules of the HTML standard (§13.2.5),
//! as far as they concern what an author may write.

/// A piece of raw HTML.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Token<'h> {
    /// Text with its character references.
    Text(&'h str),
    /// `<name attribute="value">`, names in lower case.
    Start { name: String, attributes: Vec<(String, &'h str)> },
    /// `</name>`.
    End(String),
    /// `<!-- … -->`, the text between.
    Comment(&'h str),
}

/// Elements whose content is no HTML, or never shown; they are left out with their content.
const SWALLOWED: &[&str] = &[
    "script", "style", "textarea", "title", "iframe", "noscript", "noembed", "noframes", "xmp",
    "template",
];

/// Bytes of the longest tag; a longer one is text. Looking further for the end of each of many
/// tags without one would take time that grows with the square of the text.
const TAG_BYTES: usize = 4096;

/// Attributes of one tag; a tag with more is text, for the same reason.
const ATTRIBUTES: usize = 30;

/// The pieces of raw HTML. Declarations, instructions and swallowed elements are left out; a `<`
/// that begins nothing is text, since people write `a < b` (case C20).
pub(super) fn tokens(html: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut rest = html;
    let mut text_start = html;
    let mut missing = Missing::default();
    while let Some(found) = rest.find('<') {
        let from = rest.get(found..).unwrap_or_default();
        let Some((token, after)) = markup(from, &mut missing) else {
            rest = from.get(1..).unwrap_or_default();
            continue;
        };
        let text_length = text_start.len() - from.len();
        if text_length > 0 {
            tokens.push(Token::Text(text_start.get(..text_length).unwrap_or_default()));
        }
        rest = match &token {
            Some(Token::Start { name, .. }) if SWALLOWED.contains(&name.as_str()) => {
                after_end_tag(after, name)
            }
            _ => {
                tokens.extend(token);
                after
            }
        };
        text_start = rest;
    }
    if !text_start.is_empty() {
        tokens.push(Token::Text(text_start));
    }
    tokens
}

/// What was looked for and not found in the rest of the text, so that it is not looked for again:
/// a thousand `<!--` without an end would each read to the end.
#[derive(Default)]
struct Missing {
    comment_end: bool,
    data_end: bool,
    bracket: bool,
}

/// Splits at the first `end`, unless it is known to be missing.
fn split_once<'h>(text: &'h str, end: &str, is_missing: &mut bool) -> Option<(&'h str, &'h str)> {
    if *is_missing {
        return None;
    }
    let found = text.split_once(end);
    *is_missing = found.is_none();
    found
}

/// What stands at a `<` and what follows it; `None` if it is only a sign.
fn markup<'h>(from: &'h str, missing: &mut Missing) -> Option<(Option<Token<'h>>, &'h str)> {
    let after = from.strip_prefix('<')?;
    if let Some(comment) = after.strip_prefix("!--") {
        // An empty comment may be written as its two halves.
        if let Some(rest) = comment.strip_prefix('>').or_else(|| comment.strip_prefix("->")) {
            return Some((Some(Token::Comment("")), rest));
        }
        let (text, rest) = split_once(comment, "-->", &mut missing.comment_end)?;
        return Some((Some(Token::Comment(text)), rest));
    }
    if let Some(data) = after.strip_prefix("![CDATA[") {
        return split_once(data, "]]>", &mut missing.data_end).map(|(_, rest)| (None, rest));
    }
    if after.starts_with(['!', '?']) {
        return split_once(after, ">", &mut missing.bracket).map(|(_, rest)| (None, rest));
    }
    if let Some(end) = after.strip_prefix('/') {
        if !end.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return None;
        }
        let (name, _, rest) = tag(end)?;
        return Some((Some(Token::End(name)), rest));
    }
    if !after.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    let (name, attributes, rest) = tag(after)?;
    Some((Some(Token::Start { name, attributes }), rest))
}

type Attributes<'h> = Vec<(String, &'h str)>;

/// Name, attributes and what follows the `>`; `None` if there is no `>` near enough.
fn tag(from: &str) -> Option<(String, Attributes<'_>, &str)> {
    let is_space = |c: char| c.is_ascii_whitespace();
    let near = from.get(..from.floor_char_boundary(TAG_BYTES))?;
    let name_end = near.find(|c| is_space(c) || c == '/' || c == '>')?;
    let (name, mut rest) = near.split_at(name_end);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c| is_space(c) || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            let length = near.len() - after.len();
            return Some((name.to_ascii_lowercase(), attributes, from.get(length..)?));
        }
        if attributes.len() == ATTRIBUTES {
            return None;
        }
        // A `=` may begin a name but not end it there.
        let (first, tail) = rest.split_at_checked(rest.chars().next()?.len_utf8())?;
        let end = tail.find(|c| is_space(c) || matches!(c, '/' | '>' | '='))?;
        let attribute = rest.get(..first.len() + end)?.to_ascii_lowercase();
        let after_name = tail.get(end..)?.trim_start_matches(is_space);
        let Some(value) = after_name.strip_prefix('=') else {
            attributes.push((attribute, ""));
            rest = after_name;
            continue;
        };
        let value = value.trim_start_matches(is_space);
        let (value, after) = match value.chars().next()? {
            quote @ ('"' | '\'') => value.get(1..)?.split_once(quote)?,
            _ => value.split_at(value.find(|c| is_space(c) || c == '>')?),
        };
        attributes.push((attribute, value));
        rest = after;
    }
}

/// What follows `</name…>`; nothing, if the element is never closed.
fn after_end_tag<'h>(content: &'h str, name: &str) -> &'h str {
    let mut rest = content;
    while let Some((_, end)) = rest.split_once("</") {
        rest = end;
        let is_name = end.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
        let after = end.get(name.len()..).unwrap_or_default();
        if is_name && !after.starts_with(|c: char| c.is_ascii_alphanumeric()) {
            return after.split_once('>').map_or("", |(_, rest)| rest);
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::{Token, tokens};

    fn start<'h>(name: &str, attributes: &[(&str, &'h str)]) -> Token<'h> {
        Token::Start {
            name: name.to_owned(),
            attributes: attributes.iter().map(|&(name, value)| (name.to_owned(), value)).collect(),
        }
    }

    #[test]
    fn tags_attributes_and_text() {
        assert_eq!(
            tokens("a<B x='1>2' Y=z disabled/>b</B >c<!-- d -->"),
            [
                Token::Text("a"),
                start("b", &[("x", "1>2"), ("y", "z"), ("disabled", "")]),
                Token::Text("b"),
                Token::End("b".to_owned()),
                Token::Text("c"),
                Token::Comment(" d "),
            ]
        );
    }

    #[test]
    fn a_quote_that_is_no_value_does_not_hide_the_end() {
        assert_eq!(
            tokens("<a \"</b>\">x"),
            [start("a", &[("\"<", ""), ("b", "")]), Token::Text("\">x")]
        );
    }

    #[test]
    fn signs_stay_and_swallowed_elements_go() {
        assert_eq!(tokens("x<y 1 < 2 <3 <"), [Token::Text("x<y 1 < 2 <3 <")]);
        assert_eq!(
            tokens("a<SCRIPT>if(a<b)</scripts></script >b"),
            [Token::Text("a"), Token::Text("b")]
        );
        assert_eq!(
            tokens("<?php x ?>a<!DOCTYPE html>b<![CDATA[c]]>"),
            [Token::Text("a"), Token::Text("b")]
        );
        assert_eq!(tokens("<style>"), []);
    }
}
