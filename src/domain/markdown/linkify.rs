//! Bare addresses in running text, with an end that Chinese prose needs (case C09).
//!
//! The rules are those of GitHub's autolinks (`http://`, `https://`, `www.`), with two more: an
//! address may follow Chinese text directly, and it ends before full-width punctuation.

use crate::domain::cjk::{is_cjk, is_wide_punctuation};

/// Bytes of a host name (RFC 1035); longer ones are no address, and need not be read to the end.
const HOST_BYTES: usize = 253;

/// Where an address stands in the text.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Found<'t> {
    /// The text before it.
    pub(super) before: &'t str,
    /// The address as typed.
    pub(super) address: &'t str,
    /// The text after it.
    pub(super) after: &'t str,
    /// Whether the scheme was left out (`www.`).
    pub(super) lacks_scheme: bool,
}

/// The first address of a text.
pub(super) fn find(text: &str) -> Option<Found<'_>> {
    let mut before = None;
    for (at, c) in text.char_indices() {
        if matches!(c, 'h' | 'H' | 'w' | 'W')
            && !before.is_some_and(|b: char| b.is_ascii_alphanumeric())
        {
            let (head, from) = text.split_at_checked(at)?;
            if let Some((length, lacks_scheme)) = address_length(from) {
                let (address, after) = from.split_at_checked(length)?;
                return Some(Found { before: head, address, after, lacks_scheme });
            }
        }
        before = Some(c);
    }
    None
}

/// Bytes of the address at the beginning of the text, and whether it lacks a scheme.
fn address_length(from: &str) -> Option<(usize, bool)> {
    let starts = |prefix: &str| {
        from.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
    };
    let (scheme, lacks_scheme) = if starts("https://") {
        ("https://".len(), false)
    } else if starts("http://") {
        ("http://".len(), false)
    } else if starts("www.") {
        (0, true)
    } else {
        return None;
    };
    let host = host_length(from.get(scheme..)?)?;
    let end = scheme + host;
    let path = path_length(from.get(end..)?);
    Some((trimmed_length(from.get(..end + path)?, end), lacks_scheme))
}

/// Bytes of the host, or `None` if it is none. A host that begins in Latin ends where Chinese
/// begins, so `https://example.com即可` links to example.com; `例子.测试` is a host by itself.
fn host_length(from: &str) -> Option<usize> {
    let is_wide = from.chars().next().is_some_and(is_cjk);
    let mut end = from.len();
    for (at, c) in from.char_indices() {
        let belongs = c.is_ascii_alphanumeric()
            || matches!(c, '-' | '_' | '.')
            || (!c.is_ascii() && c.is_alphanumeric() && (is_wide || !is_cjk(c)));
        if !belongs {
            end = at;
            break;
        }
        if at > HOST_BYTES {
            return None;
        }
    }
    let host = from.get(..end)?.trim_end_matches('.');
    let mut labels = host.rsplit('.');
    let (last, second) = (labels.next()?, labels.next()?);
    let is_name = host.split('.').all(|label| !label.is_empty())
        && !last.contains('_')
        && !second.contains('_');
    is_name.then_some(host.len())
}

/// Bytes of what follows the host: port, path, query, fragment.
fn path_length(from: &str) -> usize {
    if !from.starts_with(['/', ':', '?', '#']) {
        return 0;
    }
    let mut before = '/';
    for (at, c) in from.char_indices() {
        let ends = c.is_whitespace()
            || c.is_control()
            || matches!(c, '<' | '"' | '`' | '“' | '”' | '‘' | '’' | '…' | '—')
            || is_wide_punctuation(c)
            // 文档/安装 is a path, but in example.com/a后面的字 the sentence goes on.
            || (is_cjk(c) && before.is_ascii_alphanumeric());
        if ends {
            return at;
        }
        before = c;
    }
    from.len()
}

/// Bytes without trailing punctuation that belongs to the sentence; at least `least`.
fn trimmed_length(address: &str, least: usize) -> usize {
    let opened = address.matches('(').count();
    let mut closed = address.matches(')').count();
    let mut kept = address;
    while kept.len() > least {
        let Some(sign) = kept.chars().next_back() else {
            break;
        };
        match sign {
            '?' | '!' | '.' | ',' | ':' | '*' | '_' | '~' | '\'' | '"' | ';' => {}
            ')' if closed > opened => closed -= 1,
            _ => break,
        }
        kept = kept.strip_suffix(sign).unwrap_or_default();
    }
    kept.len()
}

#[cfg(test)]
mod tests {
    use super::find;

    fn addresses(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        let mut rest = text;
        while let Some(found) = find(rest) {
            all.push(found.address);
            rest = found.after;
        }
        all
    }

    #[test]
    fn ends_before_chinese_punctuation_and_text() {
        // case C09
        assert_eq!(
            addresses("请看 https://example.com/docs（中文）再试。"),
            ["https://example.com/docs"]
        );
        assert_eq!(addresses("地址是https://example.com/a，下载"), ["https://example.com/a"]);
        assert_eq!(addresses("结尾 https://example.com/b。"), ["https://example.com/b"]);
        assert_eq!(
            addresses("英文 (https://example.com/c) 也要对，www.example.com/d！"),
            ["https://example.com/c", "www.example.com/d"]
        );
        assert_eq!(
            addresses("维基 https://example.com/wiki/道_(消歧义) 保留"),
            ["https://example.com/wiki/道_(消歧义)"]
        );
        assert_eq!(
            addresses("https://example.com/文档/安装 应"),
            ["https://example.com/文档/安装"]
        );
        assert_eq!(
            addresses("访问https://example.com即可，http://例子.测试/路径。"),
            ["https://example.com", "http://例子.测试/路径"]
        );
        assert_eq!(
            addresses("https://example.com/a后面 “https://e.org/x”"),
            ["https://example.com/a", "https://e.org/x"]
        );
    }

    #[test]
    fn what_is_no_address() {
        for text in [
            "xhttps://a.b",
            "http://localhost",
            "https://",
            "www.",
            "http://a_b",
            "www..com",
            "awww.a.b",
        ] {
            assert_eq!(addresses(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn trailing_punctuation_is_the_sentences() {
        assert_eq!(
            addresses("(see https://a.org/b_(c)). https://a.org/d?e=1&f=2;"),
            ["https://a.org/b_(c)", "https://a.org/d?e=1&f=2"]
        );
        assert_eq!(addresses("https://a.org:8080/x?!.,"), ["https://a.org:8080/x"]);
    }
}
