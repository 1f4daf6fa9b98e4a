//! Text that may stand in an XML document.

use std::borrow::Cow;

/// Whether XML 1.0 allows the character at all (§2.2, production `Char`).
pub(super) fn is_legal(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | '\u{20}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// The text without the characters that XML 1.0 forbids even as references.
///
/// One pasted U+0008 makes a whole feed unreadable (case C26), and escaping it as `&#8;` does not
/// help, so such characters are taken out. Escaping `<` and `&` is the writer's task, not done here.
#[must_use]
pub fn legal(text: &str) -> Cow<'_, str> {
    if text.chars().all(is_legal) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().filter(|&c| is_legal(c)).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::legal;

    #[test]
    fn forbidden_characters_go_and_others_stay() {
        // case C26
        assert_eq!(legal("控制\u{8}字\u{0}\u{b}\u{c}\u{1f}符\u{fffe}\u{ffff}"), "控制字符");
        assert_eq!(
            legal("a\tb\nc\rd \u{7f}\u{85}\u{2028}\u{200b}🐹"),
            "a\tb\nc\rd \u{7f}\u{85}\u{2028}\u{200b}🐹"
        );
    }

    #[test]
    fn clean_text_is_not_copied() {
        assert!(matches!(legal("清洁"), std::borrow::Cow::Borrowed(_)));
    }
}
