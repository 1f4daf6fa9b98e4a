//! Takes the output of the formula library apart and keeps what may stand in a page.
//!
//! The library writes `style` attributes, which the content security policy blocks, and it is
//! young; so its output is read tag by tag, only known elements and attributes are kept, and it
//! is refused altogether when its tags do not match.

/// Elements of `MathML` Core that the library writes.
const ELEMENTS: &[&str] = &[
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

const ATTRIBUTES: &[&str] = &[
    "accent",
    "accentunder",
    "columnspan",
    "depth",
    "dir",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "notation",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
    "class",
];

/// The `MathML` of a formula with only known elements and attributes; `None` if it is not
/// well-formed.
pub(super) fn clean(mathml: &str, is_display: bool) -> Option<String> {
    let mut out = String::with_capacity(mathml.len());
    let mut open: Vec<&str> = Vec::new();
    let mut rest = mathml;
    while let Some((text, from)) = rest.split_once('<') {
        push_text(&mut out, text);
        let (tag, after) = from.split_once('>')?;
        rest = after;
        if let Some(name) = tag.strip_prefix('/') {
            if open.pop() != Some(name.trim()) {
                return None;
            }
            out.push_str("</");
            out.push_str(name.trim());
            out.push('>');
            continue;
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        if !ELEMENTS.contains(&name) {
            return None;
        }
        out.push('<');
        out.push_str(name);
        if name == "math" {
            if is_display {
                out.push_str(" display=\"block\"");
            }
        } else {
            push_attributes(&mut out, attributes)?;
        }
        out.push('>');
        if is_empty {
            out.push_str("</");
            out.push_str(name);
            out.push('>');
        } else {
            open.push(name);
        }
    }
    push_text(&mut out, rest);
    open.is_empty().then_some(out)
}

fn push_attributes(out: &mut String, attributes: &str) -> Option<()> {
    let mut rest = attributes.trim();
    while !rest.is_empty() {
        let (name, from) = rest.split_once("=\"")?;
        let (value, after) = from.split_once('"')?;
        rest = after.trim_start();
        let is_plain = value.chars().all(|c| c.is_ascii_alphanumeric() || " .-+%".contains(c));
        // Only the library's own classes, which the sheet may use for the columns of an array.
        let is_ours = name != "class"
            || value
                .split(' ')
                .all(|class| class.starts_with("menv-") || class.starts_with("cell-"));
        if ATTRIBUTES.contains(&name) && is_plain && is_ours {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            out.push_str(value);
            out.push('"');
        }
    }
    Some(())
}

/// Text, in which the library escapes `<` always and `&` not always.
fn push_text(out: &mut String, text: &str) {
    let mut rest = text;
    while let Some((before, from)) = rest.split_once('&') {
        out.push_str(before);
        let is_reference = ["amp;", "lt;", "gt;"].iter().any(|name| from.starts_with(name));
        if let Some(after) = from.strip_prefix("nbsp;") {
            out.push('\u{a0}');
            rest = after;
        } else {
            out.push_str(if is_reference { "&" } else { "&amp;" });
            rest = from;
        }
    }
    out.push_str(&rest.replace('>', "&gt;"));
}
