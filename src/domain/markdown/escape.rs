//! Escaping for HTML.

use std::fmt::Write as _;

use crate::domain::marks;

/// Appends text that the sanitiser will read, with the marks for `&`, `<` and `>`.
pub(super) fn push_text(out: &mut String, text: &str) {
    push_replaced(out, text, |sign| match sign {
        '"' => None,
        sign => marks::SIGNS
            .iter()
            .find(|(c, _, _)| *c == sign)
            .map(|(_, mark, _)| Replaced::Mark(*mark)),
    });
}

/// Appends text in its final form, with references for `& < > "`: for the values of attributes,
/// and for fragments that the sanitiser does not see.
pub(super) fn push_escaped(out: &mut String, text: &str) {
    push_replaced(out, text, |sign| {
        let reference = marks::SIGNS
            .iter()
            .find(|(c, _, _)| *c == sign)
            .map_or("&quot;", |(_, _, reference)| reference);
        Some(Replaced::Reference(reference))
    });
}

enum Replaced {
    Mark(char),
    Reference(&'static str),
}

fn push_replaced(out: &mut String, text: &str, replace: impl Fn(char) -> Option<Replaced>) {
    let mut rest = text;
    while let Some(found) = rest.find(['&', '<', '>', '"']) {
        let (plain, from) = rest.split_at(found);
        out.push_str(plain);
        let mut chars = from.chars();
        let Some(sign) = chars.next() else { break };
        match replace(sign) {
            Some(Replaced::Mark(mark)) => out.push(mark),
            Some(Replaced::Reference(reference)) => out.push_str(reference),
            None => out.push(sign),
        }
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
        super::push_escaped(&mut text, "a<b>&\"c'");
        assert_eq!(text, "a&lt;b&gt;&amp;&quot;c'");
        let mut href = String::new();
        super::push_href(&mut href, "/文?a=1&b='\"<>[ ");
        assert_eq!(href, "/%E6%96%87?a=1&amp;b=&#x27;%22%3C%3E%5B%20");
    }
}
