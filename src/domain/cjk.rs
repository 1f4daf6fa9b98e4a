//! Which characters are Chinese, Japanese or Korean, and which of them are punctuation.

/// Whether the character is wide in the sense of `CommonMark` pull request 839: East Asian Width
/// W, F or H, or Hangul. Emoji are left out.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{11ff}'
        | '\u{20a9}'
        | '\u{2329}' | '\u{232a}'
        | '\u{2e80}'..='\u{303e}'
        | '\u{3041}'..='\u{a4cf}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{ac00}'..='\u{d7ff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{fe10}'..='\u{fe1f}'
        | '\u{fe30}'..='\u{fe6f}'
        | '\u{ff01}'..='\u{ffee}'
        | '\u{16fe0}'..='\u{18dff}'
        | '\u{1aff0}'..='\u{1b2ff}'
        | '\u{1f200}'..='\u{1f2ff}'
        | '\u{20000}'..='\u{3fffd}')
}

/// Whether the character is a Han character (a word count counts it as one word).
pub(super) fn is_han(c: char) -> bool {
    matches!(c,
        '\u{2e80}'..='\u{2fd5}'
        | '\u{3005}' | '\u{3007}' | '\u{3021}'..='\u{3029}' | '\u{3038}'..='\u{303b}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{fad9}'
        | '\u{20000}'..='\u{3fffd}')
}

/// Whether the character is Japanese kana or Chinese bopomofo.
pub(super) fn is_kana(c: char) -> bool {
    matches!(c,
        '\u{3041}'..='\u{312f}' | '\u{31a0}'..='\u{31bf}' | '\u{31f0}'..='\u{31ff}'
        | '\u{ff66}'..='\u{ff9f}' | '\u{1b000}'..='\u{1b16f}')
}

/// Whether the character is full-width punctuation, which brings its own space.
pub(super) fn is_wide_punctuation(c: char) -> bool {
    matches!(c,
        '\u{3001}'..='\u{3004}' | '\u{3008}'..='\u{3020}' | '\u{3030}' | '\u{303d}' | '\u{30fb}'
        | '\u{fe10}'..='\u{fe1f}' | '\u{fe30}'..='\u{fe52}'
        | '\u{ff01}'..='\u{ff0f}' | '\u{ff1a}'..='\u{ff20}' | '\u{ff3b}'..='\u{ff40}'
        | '\u{ff5b}'..='\u{ff65}' | '\u{ffe0}'..='\u{ffee}')
}

/// Whether the script of the character is written without spaces between words.
pub(super) fn is_unspaced(c: char) -> bool {
    is_han(c) || is_kana(c) || is_wide_punctuation(c)
}
