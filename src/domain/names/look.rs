//! What a name looks like, for comparing names that people could take for one another.
//!
//! The skeleton of Unicode Technical Standard 39, and before it some letters that the standard
//! keeps apart by a stroke but people do not. It says nothing about what a name means; two names
//! of one look simply cannot both be taken.

use unicode_normalization::UnicodeNormalization as _;
use unicode_security::skeleton;

/// The look of a name in its normal form: marks and joints taken off, look-alikes made one.
pub(super) fn of(name: &str) -> String {
    let bare: String = name
        .nfd()
        .filter(|&c| {
            !unicode_normalization::char::is_combining_mark(c)
                && !matches!(c, '-' | '_' | ' ' | '.')
        })
        .map(latin)
        .collect();
    let mut look: String = skeleton(&bare).flat_map(char::to_lowercase).map(latin).nfc().collect();
    for (pair, one) in [("rn", "m"), ("vv", "w"), ("cl", "d")] {
        look = look.replace(pair, one);
    }
    look
}

/// The Latin letter that a character is taken for, where UTS 39 sees a difference.
fn latin(c: char) -> char {
    match c {
        'в' | 'ь' | 'β' => 'b',
        'ժ' => 'd',
        'є' | 'ε' => 'e',
        'н' => 'h',
        // One stroke is one letter: i, l, 1 and |.
        'i' | 'і' | 'ı' | 'ι' => 'l',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'п' | 'η' => 'n',
        '0' | '〇' => 'o',
        'т' | 'τ' => 't',
        'ω' => 'w',
        'χ' => 'x',
        c => c,
    }
}
