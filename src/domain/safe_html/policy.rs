//! The allow-list: which tags and attributes may remain, in posts and in comments.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use ammonia::Builder;

use crate::domain::marks;

/// Tags that an author may write in a post and that the renderer writes.
///
/// Never add svg, math, style, title, textarea, noscript, form or iframe: each has broken a
/// sanitiser before (case C18).
const TAGS: &[&str] = &[
    "a",
    "abbr",
    "b",
    "bdi",
    "bdo",
    "blockquote",
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
    "i",
    "img",
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
];

/// Attributes of any tag that anybody may write.
const ANY_TAG_ATTRIBUTES: &[&str] = &["lang", "dir", "title"];

/// Attributes that only the renderer writes; their values begin with [`marks::OURS`], and keep it
/// until the trusted fragments are put in.
const OUR_ATTRIBUTES: &[&str] =
    &["id", "class", "tabindex", "role", "aria-label", "srcset", "sizes", "decoding"];

/// Attributes of single tags that anybody may write.
fn tag_attributes(tag: &str) -> &'static [&'static str] {
    match tag {
        "a" => &["href", "hreflang"],
        "img" => &["src", "alt", "width", "height", "loading"],
        "td" => &["colspan", "rowspan"],
        "th" => &["colspan", "rowspan", "scope"],
        "col" | "colgroup" => &["span"],
        "ol" => &["start", "reversed", "type"],
        "li" => &["value"],
        "del" | "ins" => &["cite", "datetime"],
        "blockquote" | "q" => &["cite"],
        "time" => &["datetime"],
        "details" => &["open"],
        _ => &[],
    }
}

/// Whether a person may write this tag in the raw HTML of a post.
pub(in crate::domain) fn is_allowed_tag(tag: &str) -> bool {
    TAGS.contains(&tag)
}

/// Whether a person may write this attribute on this tag in the raw HTML of a post.
pub(in crate::domain) fn is_allowed_attribute(tag: &str, attribute: &str) -> bool {
    ANY_TAG_ATTRIBUTES.contains(&attribute) || tag_attributes(tag).contains(&attribute)
}

/// Whose text is sanitised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::domain) enum Policy {
    /// An author's post: pictures and some raw HTML.
    Post,
    /// A reader's comment: no pictures, and links that give no credit.
    Comment,
}

static POST: LazyLock<Builder<'static>> = LazyLock::new(|| builder(Some("noopener")));
static COMMENT: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut comment = builder(Some("nofollow ugc noopener"));
    comment.rm_tags(["img", "h2", "h3", "h4", "h5", "h6", "details", "summary", "figure"]);
    comment
});

impl Policy {
    pub(super) fn builder(self) -> &'static Builder<'static> {
        match self {
            Self::Post => &POST,
            Self::Comment => &COMMENT,
        }
    }
}

fn builder(link_rel: Option<&'static str>) -> Builder<'static> {
    let mut builder = Builder::empty();
    let attributes: HashMap<_, _> = TAGS
        .iter()
        .map(|&tag| (tag, tag_attributes(tag).iter().copied().collect::<HashSet<_>>()))
        .filter(|(_, attributes)| !attributes.is_empty())
        .collect();
    builder
        .tags(TAGS.iter().copied().collect())
        .clean_content_tags(HashSet::from(["script", "style", "template", "title", "textarea"]))
        .tag_attributes(attributes)
        .generic_attributes(ANY_TAG_ATTRIBUTES.iter().chain(OUR_ATTRIBUTES).copied().collect())
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(link_rel)
        .attribute_filter(|_, attribute, value| filter_attribute(attribute, value));
    builder
}

fn filter_attribute<'v>(attribute: &str, value: &'v str) -> Option<Cow<'v, str>> {
    if OUR_ATTRIBUTES.contains(&attribute) {
        value.starts_with(marks::OURS).then_some(Cow::Borrowed(value))
    } else {
        Some(marks::remove(value))
    }
}
