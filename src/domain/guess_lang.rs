//! Which language a text is probably written in, by its scripts.

use super::cjk::is_han;

/// `ja` with kana, `ko` with hangul, `zh-CN` where Han characters carry the text,
/// `en` where Latin letters do, else `None`: for an author who did not say.
#[must_use]
pub fn guess_lang(text: &str) -> Option<&'static str> {
    let (mut han, mut kana, mut hangul, mut latin, mut other) = (0_usize, 0, 0, 0, 0);
    for c in text.chars().filter(|c| c.is_alphabetic()) {
        match c {
            '\u{3041}'..='\u{30ff}' => kana += 1,
            '\u{ac00}'..='\u{d7a3}' | '\u{1100}'..='\u{11ff}' => hangul += 1,
            c if is_han(c) => han += 1,
            'a'..='z' | 'A'..='Z' => latin += 1,
            _ => other += 1,
        }
    }
    // A Han character says about as much as three letters, and Chinese texts name
    // Latin things more often than the other way round.
    let weight = 5 * (han + kana + hangul);
    if weight.max(latin) < other {
        None
    } else if weight >= latin && weight > 0 {
        // One quoted word in kana does not make a text Japanese.
        if kana * 5 > han + kana {
            Some("ja")
        } else if hangul > han {
            Some("ko")
        } else {
            Some("zh-CN")
        }
    } else {
        (latin > 0).then_some("en")
    }
}

#[cfg(test)]
mod tests {
    use super::guess_lang;

    #[test]
    fn scripts_tell_the_language() {
        for (text, lang) in [
            ("一行三十六个字：中文网页的一把尺子", Some("zh-CN")),
            ("用 Rust 写博客 with actix-web", Some("zh-CN")),
            ("The word 砚 means inkstone, and nothing else here is Chinese", Some("en")),
            ("これは日本語の文章です", Some("ja")),
            ("我喜欢「の」这个字，常常看到它在招牌上", Some("zh-CN")),
            ("안녕하세요 세계", Some("ko")),
            ("Привет, мир", None),
            ("123 !!", None),
            ("", None),
        ] {
            assert_eq!(guess_lang(text), lang, "{text}");
        }
    }
}
