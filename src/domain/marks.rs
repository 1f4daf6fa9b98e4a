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

/// Whether the character is one of the 32 noncharacters that this program keeps for itself.
pub(super) fn is_mark(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}')
}

/// The text without marks; borrowed when there were none.
pub(super) fn remove(text: &str) -> Cow<'_, str> {
    if text.contains(is_mark) { Cow::Owned(text.replace(is_mark, "")) } else { Cow::Borrowed(text) }
}
