//! Addresses: absolute links for feeds and mails, and the website that a person gives.

use url::Url;

use crate::domain::safe_html::SafeHtml;
use crate::domain::xml_text;

/// The HTML with every link and picture absolute, as readers of feeds and mails need it.
///
/// `page` is the absolute address of the page that the HTML belongs to; `#note` becomes a place
/// on it.
#[must_use]
pub fn absolute_links(html: &SafeHtml, page: &Url) -> SafeHtml {
    html.with_addresses(|address| page.join(address).ok().map(String::from))
}

/// The website of a commenter or member: its address is http or https, and what is shown is what
/// a reader can check.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Website {
    /// The address for `href`, ASCII only. To be escaped like any text.
    pub href: String,
    /// Host and path as typed, without scheme, for people to read.
    pub shown: String,
}

/// Why a website was refused. The sentence is for who typed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a website begins with http:// or https:// and a host, for example https://example.org")]
pub struct NotAWebsite;

/// Bytes of the longest website.
const WEBSITE_BYTES: usize = 300;

impl Website {
    /// Reads a website (case C15). `example.org` becomes `https://example.org/`.
    ///
    /// # Errors
    /// For every other scheme, for a name or password in the address (`user@` would pass as the
    /// host), and for spaces, quotes or brackets.
    pub fn parse(typed: &str) -> Result<Self, NotAWebsite> {
        let typed = typed.trim();
        let is_clean = |c: char| {
            !c.is_whitespace()
                && !c.is_control()
                && xml_text::is_legal(c)
                && !"\"'<>\\`{}|^".contains(c)
        };
        if typed.is_empty() || typed.len() > WEBSITE_BYTES || !typed.chars().all(is_clean) {
            return Err(NotAWebsite);
        }
        let rest = match typed.split_once("://") {
            Some((scheme, rest))
                if ["http", "https"].contains(&scheme.to_ascii_lowercase().as_str()) =>
            {
                rest
            }
            Some(_) => return Err(NotAWebsite),
            None => typed.strip_prefix("//").unwrap_or(typed),
        };
        let with_scheme =
            if typed.contains("://") { typed.to_owned() } else { format!("https://{rest}") };
        let Ok(url) = Url::parse(&with_scheme) else {
            return Err(NotAWebsite);
        };
        let has_user = !url.username().is_empty() || url.password().is_some() || rest.contains('@');
        let is_named = url.domain().is_some_and(|domain| domain.contains('.'));
        if has_user || !is_named || !matches!(url.scheme(), "http" | "https") {
            return Err(NotAWebsite);
        }
        Ok(Self { href: url.into(), shown: rest.trim_end_matches('/').to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::{Website, absolute_links};
    use crate::domain::markdown::{Profile, render};
    use url::Url;

    #[test]
    fn links_of_a_post_in_a_feed() {
        let source = "[a](/b?c=1&d=2) [e](#小处) [f](g) [h](https://i.org/) <j@k.org>\n\n![](/media/l.webp \"href=\\\"/x\\\"\")\n\n## 小处\n注[^1] `href=\"/y\"`\n\n[^1]: n";
        let html = render(source, &Profile::Post { id: "p".to_owned() }).unwrap().html;
        let page = Url::parse("https://example.org/posts/slug").unwrap();
        let html = absolute_links(&html, &page).into_string();
        for right in [
            "href=\"https://example.org/b?c=1&amp;d=2\"",
            "href=\"https://example.org/posts/slug#h-%E5%B0%8F%E5%A4%84\"",
            "href=\"https://example.org/posts/g\"",
            "href=\"https://i.org/\"",
            "href=\"mailto:j@k.org\"",
            "src=\"https://example.org/media/l.webp\"",
            "href=\"https://example.org/posts/slug#fn-p-1\"",
            "<code>href=\"/y\"</code>",
            "id=\"fn-p-1\"",
        ] {
            assert!(html.contains(right), "{right}\n{html}");
        }
    }

    #[test]
    fn websites_of_commenters() {
        // case C15
        for line in include_str!("../../tests/cases/C15.tsv").lines() {
            let mut fields = line.split('\t');
            if fields.next() != Some("website") {
                continue;
            }
            let typed = fields.next().unwrap();
            match Website::parse(typed) {
                Ok(website) => {
                    assert!(
                        website.href.starts_with("http://") || website.href.starts_with("https://"),
                        "{line}"
                    );
                    assert!(!website.href.contains(['"', '<', '\'']), "{line}");
                }
                Err(error) => assert!(
                    line.contains("rejected") || line.contains("user part"),
                    "{line}: {error}"
                ),
            }
        }
        assert!(Website::parse("javascript:alert(1)//http://").is_err());
        assert!(Website::parse("java\tscript:alert(1)").is_err());
        assert!(Website::parse("http://user:pass@example.org/").is_err());
        assert!(Website::parse("javascript:alert.com").is_err());
        assert!(Website::parse("http://localhost/").is_err());
        assert_eq!(Website::parse("example.org").unwrap().href, "https://example.org/");
        assert_eq!(Website::parse("//example.org/a").unwrap().href, "https://example.org/a");
        let chinese = Website::parse("http://例子.测试/路径").unwrap();
        assert_eq!(chinese.href, "http://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84");
        assert_eq!(chinese.shown, "例子.测试/路径");
    }
}
