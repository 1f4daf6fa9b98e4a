//! How many words a text has and how long it takes to read.

use unicode_segmentation::UnicodeSegmentation;

use crate::domain::cjk::{is_han, is_kana};

/// Han characters and kana read in a minute.
const CHARACTERS_PER_MINUTE: u32 = 400;
/// Words of spaced scripts read in a minute.
const WORDS_PER_MINUTE: u32 = 230;

/// The length of a text. Both numbers are stored with the post.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WordCount {
    /// Every Han character or kana, and every word of a script that puts spaces between words.
    pub words: u32,
    /// Minutes of reading, rounded up; 0 only for a text without words.
    pub minutes: u32,
}

/// Counts the words of plain text.
///
/// Characters and words are added up, so that neither 8,000 characters nor one 漢 in an English
/// page upsets the sum (case C53).
#[must_use]
pub fn word_count(text: &str) -> WordCount {
    let mut characters = 0_u32;
    let mut words = 0_u32;
    for word in text.unicode_words() {
        let wide = word.chars().filter(|&c| is_han(c) || is_kana(c)).count();
        if wide == 0 {
            words = words.saturating_add(1);
        } else {
            characters = characters.saturating_add(u32::try_from(wide).unwrap_or(u32::MAX));
        }
    }
    // Thousandths of a minute, so that nothing is lost before the one rounding.
    let thousandths = u64::from(characters) * 1000 / u64::from(CHARACTERS_PER_MINUTE)
        + u64::from(words) * 1000 / u64::from(WORDS_PER_MINUTE);
    let minutes = u32::try_from(thousandths.div_ceil(1000)).unwrap_or(u32::MAX);
    let words = characters.saturating_add(words);
    WordCount { words, minutes: if words > 0 { minutes.max(1) } else { 0 } }
}

#[cfg(test)]
mod tests {
    use super::{WordCount, word_count};

    #[test]
    fn han_by_character_and_other_words_by_word() {
        assert_eq!(word_count("用 Rust 写博客，v2.0！"), WordCount { words: 6, minutes: 1 });
        assert_eq!(word_count("日本語の見出し").words, 7);
        assert_eq!(word_count("한국어 제목").words, 2);
        assert_eq!(word_count("，。！ — 🐹"), WordCount { words: 0, minutes: 0 });
        assert_eq!(word_count(""), WordCount { words: 0, minutes: 0 });
    }

    #[test]
    fn one_han_character_does_not_make_an_english_page_chinese() {
        // case C53
        let page = format!("{}漢", "word ".repeat(2000));
        assert_eq!(word_count(&page), WordCount { words: 2001, minutes: 9 });
    }

    #[test]
    fn a_long_review_is_not_a_one_minute_read() {
        // case C53: 7,665 Han characters and 10 English words, 13 to 28 minutes
        let text = format!("{} {}", "字".repeat(7665), "word ".repeat(10));
        assert_eq!(word_count(&text), WordCount { words: 7675, minutes: 20 });
    }
}
