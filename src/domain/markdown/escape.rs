//! Escaping for HTML.

use std::fmt::Write as _;

/// Appends text with `& < > "` escaped.
pub(super) fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some(found) = rest.find(['&', '<', '>', '"']) {
        let (plain, from) = rest.split_at(found);
        out.push_str(plain);
        let mut chars = from.chars();
        out.push_str(match chars.next() {
            Some('&') => "&amp;",
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            _ => "&quot;",
        });
        rest = chars.as_str();
    }
    out.push_str(rest);
}

/// Appends an address for an attribute: percent-encoded where URLs demand it, then escaped.
///
/// The same characters stay as in the reference implementation of `CommonMark`.
pub(super) fn push_href(out: &mut String, href: &str) {
    for c in href.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&#x27;"),
            'a'..='z'
            | 'A'..='Z'
            | '0'..='9'
            | '-'
            | '_'
            | '.'
            | '+'
            | '!'
            | '*'
            | '('
            | ')'
            | ','
            | '%'
            | '#'
            | '@'
            | '?'
            | '='
            | ';'
            | ':'
            | '/'
            | '$'
            | '~' => out.push(c),
            _ => {
                let mut bytes = [0; 4];
                for byte in c.encode_utf8(&mut bytes).bytes() {
                    // Writing to a String cannot fail.
                    let _ = write!(out, "%{byte:02X}");
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn text_and_addresses() {
        let mut text = String::new();
        super::push_text(&mut text, "a<b>&\"c'");
        assert_eq!(text, "a&lt;b&gt;&amp;&quot;c'");
        let mut href = String::new();
        super::push_href(&mut href, "/文?a=1&b='\"<>[ ");
        assert_eq!(href, "/%E6%96%87?a=1&amp;b=&#x27;%22%3C%3E%5B%20");
    }
}
