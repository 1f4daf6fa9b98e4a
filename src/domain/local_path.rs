//! Where a visitor wants to go next: a place on this site, whatever was sent.

use percent_encoding::percent_decode_str;

/// The path and query if they stay on this site (SEC-40).
///
/// Browsers take `\` for `/` and pass over tabs and line ends, and some proxies
/// decode before they pass on; so what it means once decoded is looked at too.
#[must_use]
pub fn local_path(text: &str) -> Option<&str> {
    let is_plain = |text: &str| {
        text.starts_with('/')
            && !text.starts_with("//")
            && !text.contains('\\')
            && !text.chars().any(char::is_control)
    };
    let decoded = percent_decode_str(text).decode_utf8().ok()?;
    let is_ascii = text.bytes().all(|byte| byte.is_ascii_graphic());
    (is_ascii && is_plain(text) && is_plain(&decoded)).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_on_this_site_pass() {
        for path in
            ["/", "/posts/a?x=1", "/@%E6%9E%97", "/tags/c%2B%2B", "/search?q=https://example.org"]
        {
            assert_eq!(local_path(path), Some(path));
        }
    }

    #[test]
    fn everything_else_leads_nowhere() {
        for payload in [
            "",
            "e",
            "//e",
            "///e",
            "////e",
            "/\\e",
            "\\\\e",
            "\\/e",
            "/\t/e",
            "/\n/e",
            "/\r/e",
            "\t//e",
            " //e",
            "/%09/e",
            "/%0d/e",
            "/%0a/e",
            "/%5ce",
            "/%5Ce",
            "/%2fe",
            "/%2F%2Fe",
            "%2f%2fe",
            "/%00",
            "https:e",
            "https:/e",
            "https://e",
            "HTTPS://e",
            "http:e",
            "javascript:alert(1)",
            "data:text/html,x",
            ".e",
            "@e",
            "/ /e",
            "/%ff",
            "/\u{3002}e",
        ] {
            assert_eq!(local_path(payload), None, "{payload:?}");
        }
    }
}
