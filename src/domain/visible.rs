//! Whether a text shows anything at all.

/// Characters that Unicode calls `Default_Ignorable_Code_Point`
/// (`DerivedCoreProperties.txt`, Unicode 17).
pub(super) fn is_ignorable(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{fff0}'..='\u{fff8}' | '\u{1bca0}'..='\u{1bca3}'
        | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Whether the character shows no ink: white space, ignorable, control, or the empty Braille cell.
fn is_inkless(c: char) -> bool {
    c.is_whitespace() || c.is_control() || is_ignorable(c) || c == '\u{2800}'
}

/// Whether nothing of the text can be seen, so that a comment or title of it is refused as empty
/// (case C21). For Markdown, ask [`crate::domain::markdown::Rendered::is_blank`] instead.
#[must_use]
pub fn is_blank(text: &str) -> bool {
    text.chars().all(is_inkless)
}

#[cfg(test)]
mod tests {
    use super::is_blank;

    #[test]
    fn what_shows_no_ink_is_blank() {
        // case C21
        for text in [
            "",
            "\u{200b}",
            "\u{200e}\u{200f}",
            "\u{feff}",
            "\u{2060}\u{ad}",
            "\u{3164}",
            "\u{2800}",
            "\u{3000} \u{a0}",
            "\u{180e}",
            "\u{0}\u{1f}",
        ] {
            assert!(is_blank(text), "{text:?}");
        }
        for text in ["字", ".", "👨\u{200d}👩", "\u{2801}"] {
            assert!(!is_blank(text), "{text:?}");
        }
    }
}
