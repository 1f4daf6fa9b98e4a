//! What people type, made fit to keep.

use std::fmt::Write as _;

use unicode_normalization::UnicodeNormalization;
use unicode_segmentation::UnicodeSegmentation;

use super::visible;

/// Several lines as typed: line ends become `\n`, NUL becomes U+FFFD (as
/// CommonMark says), other control characters go, blank edges are trimmed.
#[must_use]
pub fn clean_lines(typed: &str) -> String {
    let mut kept = String::with_capacity(typed.len());
    let mut chars = typed.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\r' => {
                if chars.peek() != Some(&'\n') {
                    kept.push('\n');
                }
            }
            '\n' | '\t' => kept.push(c),
            '\0' => kept.push('\u{FFFD}'),
            c if c.is_control() => {}
            c => kept.push(c),
        }
    }
    // Leading spaces of the first line may be code; only blank lines go.
    let body = kept.trim_end();
    let start =
        body.char_indices().find(|(_, c)| !c.is_whitespace()).map_or(body.len(), |(at, _)| at);
    let line_start = body.get(..start).and_then(|s| s.rfind('\n')).map_or(0, |at| at + 1);
    body.get(line_start..).unwrap_or_default().to_owned()
}

/// One line as typed: white space folded to single blanks, control characters
/// gone, in Unicode normal form C.
#[must_use]
pub fn clean_line(typed: &str) -> String {
    let words: Vec<String> = typed
        .split_whitespace()
        .map(|word| word.chars().filter(|c| !c.is_control()).nfc().collect::<String>())
        .filter(|word| !word.is_empty())
        .collect();
    words.join(" ")
}

/// Bytes as lowercase hexadecimal digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        write!(text, "{byte:02x}").ok();
        text
    })
}

/// The first character a person would see, for a seal; `·` if there is none.
#[must_use]
pub fn first_grapheme(name: &str) -> &str {
    name.graphemes(true).find(|g| !visible::is_blank(g)).unwrap_or("·")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_keep_their_shape_but_no_control_characters() {
        assert_eq!(
            clean_lines("\r\n \r\n    code\r\nb\u{8}c\rd\0 \n\n"),
            "    code\nbc\nd\u{FFFD}"
        );
        assert_eq!(clean_lines(" \n\t\n"), "");
    }

    #[test]
    fn one_line_is_folded() {
        assert_eq!(clean_line("  A\u{30A}  林\t墨\n\u{0} "), "Å 林 墨");
    }

    #[test]
    fn bytes_have_two_digits_each() {
        assert_eq!(hex(&[0, 10, 255]), "000aff");
    }

    #[test]
    fn a_seal_shows_a_whole_character() {
        assert_eq!(first_grapheme("\u{202E}林墨"), "林");
        assert_eq!(first_grapheme("e\u{301}a"), "e\u{301}");
        assert_eq!(first_grapheme("\u{200B}"), "·");
    }
}
