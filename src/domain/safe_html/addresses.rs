//! Replacing addresses in HTML that is sanitised already, and so is well-formed.

/// The HTML with each `href` and `src` replaced where the function gives an allowed address.
pub(super) fn replace_all(html: &str, replace: impl Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(html.len() + html.len() / 8);
    let mut rest = html;
    // Text holds no `<` but at tags, and the values of attributes no `"`.
    while let Some((text, from)) = rest.split_once('<') {
        out.push_str(text);
        out.push('<');
        let (tag, after) = from.split_at(tag_length(from));
        push_tag(&mut out, tag, &replace);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Bytes up to the `>` that ends a tag; one in an attribute's value does not.
pub(in crate::domain) fn tag_length(from: &str) -> usize {
    let mut is_quoted = false;
    for (at, byte) in from.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return at,
            _ => {}
        }
    }
    from.len()
}

fn push_tag(out: &mut String, tag: &str, replace: &impl Fn(&str) -> Option<String>) {
    let mut rest = tag;
    while let Some((name, from)) = rest.split_once("=\"") {
        let (value, after) = from.split_once('"').unwrap_or((from, ""));
        out.push_str(name);
        out.push_str("=\"");
        let is_address = name.ends_with(" href") || name.ends_with(" src");
        let address = if is_address {
            replace(&unescape(value)).filter(|address| is_allowed(address))
        } else {
            None
        };
        match address {
            Some(address) => push_escaped(out, &address),
            None => out.push_str(value),
        }
        out.push('"');
        rest = after;
    }
    out.push_str(rest);
}

fn is_allowed(address: &str) -> bool {
    ["http:", "https:", "mailto:", "tel:"].iter().any(|scheme| address.starts_with(scheme))
}

/// Text without the references that the sanitiser writes.
pub(in crate::domain) fn unescape(escaped: &str) -> std::borrow::Cow<'_, str> {
    if !escaped.contains('&') {
        return escaped.into();
    }
    escaped
        .replace("&lt;", "<")
        .replace("&gt;", ">")
        .replace("&quot;", "\"")
        .replace("&nbsp;", "\u{a0}")
        .replace("&amp;", "&")
        .into()
}

fn push_escaped(out: &mut String, address: &str) {
    out.push_str(
        &address
            .replace('&', "&amp;")
            .replace('"', "&quot;")
            .replace('<', "&lt;")
            .replace('>', "&gt;"),
    );
}
