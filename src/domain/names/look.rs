//! What a name looks like, for comparing names that people could take for one another.
//!
//! A small table after `confusables.txt` of Unicode Technical Standard 39: the Cyrillic, Greek and
//! Armenian letters that look Latin, and the signs that look like other signs. It says nothing
//! about what a name means; two names of one look simply cannot both be taken.

use unicode_normalization::UnicodeNormalization as _;

/// The look of a name in its normal form: marks taken off, look-alikes made one.
pub(super) fn of(name: &str) -> String {
    let mut look: String = name
        .nfd()
        .filter(|&c| {
            !unicode_normalization::char::is_combining_mark(c)
                && !matches!(c, '-' | '_' | ' ' | '.')
        })
        .map(latin)
        .nfc()
        .collect();
    for (pair, one) in [("rn", "m"), ("vv", "w"), ("cl", "d")] {
        if look.contains(pair) {
            look = look.replace(pair, one);
        }
    }
    look
}

/// The Latin letter that a character looks like.
fn latin(c: char) -> char {
    match c {
        'а' | 'α' | 'ɑ' => 'a',
        'в' | 'ь' | 'β' => 'b',
        'с' | 'ϲ' | 'ᴄ' => 'c',
        'ԁ' | 'ժ' => 'd',
        'е' | 'ҽ' | 'є' | 'ε' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'հ' | 'н' => 'h',
        // One stroke is one letter: i, l, 1 and |.
        '1' | 'i' | 'l' | '|' | 'і' | 'ı' | 'ι' | 'ӏ' | 'ǀ' => 'l',
        'ј' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'п' | 'ո' | 'η' => 'n',
        '0' | 'о' | 'ο' | 'օ' | 'σ' | '〇' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' | 'գ' => 'q',
        'г' => 'r',
        'ѕ' | 'ꜱ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ѡ' | 'ԝ' | 'ω' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' | 'ү' => 'y',
        'ᴢ' => 'z',
        // Han and kana that are taken for each other.
        'ー' => '一',
        'ロ' => '口',
        'エ' => '工',
        'カ' => '力',
        'ニ' => '二',
        'ハ' => '八',
        'タ' => '夕',
        'ト' => '卜',
        c => c,
    }
}
