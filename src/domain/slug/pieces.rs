//! A title taken apart into the pieces of its slug.

use unicode_normalization::UnicodeNormalization as _;

use super::readings;
use crate::domain::cjk::is_han;

/// A part of a slug that is never cut.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// One Han character.
    Syllable(String),
    /// A word or number of another script.
    Word(String),
}

/// The pieces of a title, in lower-case ASCII.
pub(super) fn of(title: &str) -> Vec<Piece> {
    // Compatibility forms are folded: full width, ligatures, Ⅳ, ①.
    let folded: String = title.nfkc().collect();
    let named = with_names(&folded);
    let mut pieces = Vec::new();
    let mut rest = named.as_str();
    while let Some(first) = rest.chars().next() {
        let is_chinese = is_han(first);
        let end = rest.find(|c| is_han(c) != is_chinese).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        if is_chinese {
            pieces.extend(readings::syllables(run).into_iter().map(Piece::Syllable));
        } else {
            let words = slug::slugify(run);
            pieces.extend(
                words
                    .split('-')
                    .filter(|word| !word.is_empty())
                    .map(|word| Piece::Word(word.to_owned())),
            );
        }
        rest = after;
    }
    pieces
}

/// The title with names that differ only by a sign spelt out, so that C, C++, C# and .NET stay
/// apart, and without apostrophes inside words (don't is one word).
fn with_names(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    let mut rest = title;
    while let Some(c) = rest.chars().next() {
        let after = rest.get(c.len_utf8()..).unwrap_or_default();
        let before = out.chars().next_back();
        let is_after_letter = before.is_some_and(|c| c.is_ascii_alphanumeric());
        // C++20 is C++ still, but a++b is a sum.
        let starts_with_letter = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
        let next_is_letter = |text: &str| text.starts_with(|c: char| c.is_ascii_alphanumeric());
        if is_after_letter
            && rest.starts_with("++")
            && !starts_with_letter(rest.get(2..).unwrap_or_default())
        {
            out.push_str("pp");
            rest = rest.get(2..).unwrap_or_default();
        } else if is_after_letter && c == '#' && !next_is_letter(after) {
            out.push_str("sharp");
            rest = after;
        } else if !is_after_letter && c == '.' && is_net(after) {
            out.push_str("dot");
            rest = after;
        } else if is_after_letter && matches!(c, '\'' | '’') && next_is_letter(after) {
            rest = after;
        } else {
            out.push(c);
            rest = after;
        }
    }
    out
}

fn is_net(text: &str) -> bool {
    text.get(..3).is_some_and(|name| name.eq_ignore_ascii_case("net"))
        && !text.get(3..).unwrap_or_default().starts_with(|c: char| c.is_ascii_alphanumeric())
}
