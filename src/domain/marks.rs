//! The noncharacters that the renderer uses between its own stages.
//!
//! Unicode keeps U+FDD0..=U+FDEF for a program's private use, never for interchange, so
//! [`remove`] takes them out of everything a person typed and what remains is ours.

use std::borrow::Cow;

/// Stands beside a run of `*` or `~` so that the Markdown parser sees a letter there.
pub(super) const GLUE: char = '\u{fdd0}';
/// Begins the number of a trusted fragment that is put in after sanitising.
pub(super) const OPEN: char = '\u{fdd1}';
/// Ends the number of a trusted fragment.
pub(super) const CLOSE: char = '\u{fdd2}';
/// Begins the value of an attribute that only the renderer may write (id, class, role).
pub(super) const OURS: char = '\u{fdd3}';

/// Stand for `&`, `<` and `>` in text on its way through the sanitiser: as references they would
/// reach its parser one by one, and each is joined to the text before it by a copy of the whole.
pub(super) const SIGNS: [(char, char, &str); 3] =
    [('&', '\u{fdd4}', "&amp;"), ('<', '\u{fdd5}', "&lt;"), ('>', '\u{fdd6}', "&gt;")];

/// Whether the character is one of the 32 noncharacters that this program keeps for itself.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// The text with the signs that marks stand for.
pub(super) fn with_signs(text: &str) -> Cow<'_, str> {
    if !text.contains(is_mark) {
        return Cow::Borrowed(text);
    }
    let sign =
        |c: char| SIGNS.iter().find(|(_, mark, _)| *mark == c).map_or(c, |(sign, _, _)| *sign);
    Cow::Owned(text.chars().map(sign).collect())
}

/// The HTML with references for the signs that marks stand for, and without [`OURS`].
pub(super) fn with_references(html: &str) -> Cow<'_, str> {
    if !html.contains(is_mark) {
        return Cow::Borrowed(html);
    }
    let mut out = String::with_capacity(html.len());
    for c in html.chars() {
        match SIGNS.iter().find(|(_, mark, _)| *mark == c) {
            Some((_, _, reference)) => out.push_str(reference),
            None if c == OURS => {}
            None => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// The text without marks; borrowed when there were none.
pub(super) fn remove(text: &str) -> Cow<'_, str> {
    if text.contains(is_mark) { Cow::Owned(text.replace(is_mark, "")) } else { Cow::Borrowed(text) }
}
