//! An independent reading of rendered HTML: by a full HTML parser, with its own lists.

use std::collections::HashSet;

use scraper::{Html, Node};

/// Every element that a page's text may have.
const ELEMENTS: &[&str] = &[
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "body",
    "br",
    "caption",
    "cite",
    "code",
    "col",
    "colgroup",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "hr",
    "html",
    "i",
    "img",
    "input",
    "ins",
    "kbd",
    "li",
    "mark",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "small",
    "span",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "tbody",
    "td",
    "tfoot",
    "th",
    "thead",
    "time",
    "tr",
    "u",
    "ul",
    "var",
    "wbr",
    "math",
    "mi",
    "mn",
    "mo",
    "ms",
    "mtext",
    "mspace",
    "mrow",
    "mfrac",
    "msqrt",
    "mroot",
    "mpadded",
    "mphantom",
    "menclose",
    "msub",
    "msup",
    "msubsup",
    "munder",
    "mover",
    "munderover",
    "mmultiscripts",
    "mprescripts",
    "mtable",
    "mtr",
    "mtd",
    "mstyle",
    "none",
];

const CLASSES: &[&str] =
    &["scroll", "num", "mid", "task", "notes", "fnref", "hl", "k", "s", "n", "f", "c"];

/// Panics if the HTML is not well-formed, could run something, or could be taken for the site's
/// own. `source` is shown with the panic.
pub(super) fn check(html: &str, source: &str, is_comment: bool) {
    let tree = Html::parse_fragment(html);
    assert!(tree.errors.is_empty(), "{:?}\n{html}\nfrom {source:?}", tree.errors);
    let again = Html::parse_fragment(&tree.root_element().inner_html());
    assert_eq!(
        tree.root_element().inner_html(),
        again.root_element().inner_html(),
        "not stable\n{html}\nfrom {source:?}"
    );
    let mut ids = HashSet::new();
    for node in tree.tree.nodes() {
        match node.value() {
            Node::Element(element) => {
                let name = element.name();
                assert!(ELEMENTS.contains(&name), "<{name}>\n{html}\nfrom {source:?}");
                let is_foreign =
                    matches!(name, "img" | "h2" | "h3" | "h4" | "h5" | "h6" | "details");
                assert!(
                    !(is_comment && is_foreign),
                    "<{name}> in a comment\n{html}\nfrom {source:?}"
                );
                for (attribute, value) in element.attrs() {
                    check_attribute(name, attribute, value, source);
                    if attribute == "id" {
                        assert!(
                            ids.insert(value.to_owned()),
                            "id {value} twice\n{html}\nfrom {source:?}"
                        );
                    }
                }
                if name == "input" {
                    assert_eq!(element.attr("type"), Some("checkbox"), "{source:?}");
                }
                if name == "a"
                    && is_comment
                    && element.attr("href").is_some_and(|href| !href.starts_with('#'))
                {
                    assert_eq!(element.attr("rel"), Some("nofollow ugc noopener"), "{source:?}");
                }
            }
            Node::Text(text) => assert!(text.chars().all(is_lawful), "{text:?}\nfrom {source:?}"),
            Node::Fragment | Node::Document => {}
            other => panic!("{other:?}\nfrom {source:?}"),
        }
    }
    let depth = tree.tree.nodes().map(|node| node.ancestors().count()).max().unwrap_or(0);
    assert!(depth < 200, "{depth} deep, from {source:?}");
}

fn check_attribute(element: &str, attribute: &str, value: &str, source: &str) {
    assert!(!attribute.starts_with("on"), "{attribute} from {source:?}");
    assert!(
        !["style", "name", "form", "action", "srcdoc", "srcset", "target"].contains(&attribute),
        "{attribute}"
    );
    assert!(value.chars().all(is_lawful), "{attribute}={value:?} from {source:?}");
    match attribute {
        "href" | "src" | "cite" => check_address(value, source),
        "id" => assert!(
            ["h-", "fn-", "fnref-"].iter().any(|prefix| value.starts_with(prefix)),
            "{value}"
        ),
        "class" => {
            let is_ours = |class: &str| {
                CLASSES.contains(&class)
                    || (element == "code" && class.starts_with("language-"))
                    || class.starts_with("menv-")
                    || class.starts_with("cell-")
            };
            assert!(value.split(' ').all(is_ours), "class {value} from {source:?}");
        }
        _ => {}
    }
}

/// Reads an address as browsers do: without line ends and tabs, and without spaces around it.
fn check_address(value: &str, source: &str) {
    let plain: String = value.chars().filter(|c| !matches!(c, '\t' | '\n' | '\r')).collect();
    let plain = plain.trim_matches(|c: char| c <= ' ');
    if let Ok(url) = url::Url::parse(plain) {
        assert!(
            ["http", "https", "mailto", "tel"].contains(&url.scheme()),
            "{value} from {source:?}"
        );
    }
}

fn is_lawful(c: char) -> bool {
    matches!(c, '\t' | '\n' | ' '..='\u{fdcf}' | '\u{fdf0}'..='\u{fffd}' | '\u{10000}'..)
}
