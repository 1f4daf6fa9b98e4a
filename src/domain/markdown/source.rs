//! What is done to the text before it is parsed.

use std::borrow::Cow;

use crate::domain::{marks, xml_text};

/// The text with `\n` line ends, U+FFFD for NUL (`CommonMark` 2.3) and without characters that
/// XML forbids or that the renderer keeps for itself.
///
/// Feeds carry the same HTML as the page, so what XML forbids goes here already (case C26).
pub(super) fn clean(source: &str) -> String {
    let mut text = Cow::Borrowed(source.strip_prefix('\u{feff}').unwrap_or(source));
    if text.contains('\r') {
        text = Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"));
    }
    if text.contains('\0') {
        text = Cow::Owned(text.replace('\0', "\u{fffd}"));
    }
    marks::remove(&xml_text::legal(&text)).into_owned()
}

#[cfg(test)]
mod tests {
    use super::clean;

    #[test]
    fn line_ends_nul_and_forbidden_characters() {
        // cases C22, C26
        assert_eq!(clean("\u{feff}a\r\nb\rc\0d\u{8}e\u{fdd1}f"), "a\nb\nc\u{fffd}def");
    }
}
