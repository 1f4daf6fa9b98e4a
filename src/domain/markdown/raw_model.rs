//! Where HTML elements may stand, as far as it matters for raw HTML (HTML standard, §4 and §13.1).
//!
//! A tag in a place where HTML has none is left out; what the parser would make of it (moving
//! it before the table, closing things at a distance) nobody wants, and it differs from reading
//! to reading.

/// Elements without content or end tag.
pub(super) fn is_void(name: &str) -> bool {
    matches!(name, "br" | "col" | "hr" | "img" | "wbr")
}

/// Elements that cannot stand inside a paragraph or heading.
pub(super) fn is_block(name: &str) -> bool {
    matches!(
        name,
        "blockquote"
            | "details"
            | "div"
            | "dl"
            | "figure"
            | "h2"
            | "h3"
            | "h4"
            | "h5"
            | "h6"
            | "hr"
            | "ol"
            | "p"
            | "pre"
            | "section"
            | "table"
            | "ul"
    )
}

/// Elements whose end tag may be left out and that a new `name` ends, when they are innermost.
pub(super) fn is_ended_by(open: &str, name: &str) -> bool {
    match name {
        "li" => open == "li",
        "dt" | "dd" => matches!(open, "dt" | "dd"),
        "rt" | "rp" => matches!(open, "rt" | "rp"),
        "td" | "th" => matches!(open, "td" | "th"),
        "tr" => matches!(open, "td" | "th" | "tr"),
        "thead" | "tbody" | "tfoot" => {
            matches!(
                open,
                "td" | "th" | "tr" | "thead" | "tbody" | "tfoot" | "caption" | "colgroup"
            )
        }
        name if is_block(name) => matches!(open, "p" | "h2" | "h3" | "h4" | "h5" | "h6"),
        _ => false,
    }
}

/// Whether `name` may stand in the element `parent`, or in none of the raw elements.
pub(super) fn fits(name: &str, parent: Option<&str>) -> bool {
    let parents: &[&str] = match name {
        "rt" | "rp" => &["ruby"],
        "li" => &["ul", "ol"],
        "dt" | "dd" => &["dl"],
        "summary" => &["details"],
        "figcaption" => &["figure"],
        "caption" | "colgroup" | "thead" | "tbody" | "tfoot" => &["table"],
        "tr" => &["table", "thead", "tbody", "tfoot"],
        "col" => &["colgroup"],
        "td" | "th" => &["tr"],
        // The inside of a table and of a list has only their parts.
        _ => {
            return !matches!(
                parent,
                Some(
                    "table" | "thead" | "tbody" | "tfoot" | "tr" | "colgroup" | "ul" | "ol" | "dl"
                )
            );
        }
    };
    parent.is_some_and(|parent| parents.contains(&parent))
}

#[cfg(test)]
mod tests {
    use super::{fits, is_ended_by};

    #[test]
    fn parts_of_tables_and_lists_stand_only_there() {
        assert!(fits("td", Some("tr")) && !fits("td", Some("table")) && !fits("td", None));
        assert!(fits("b", None) && fits("b", Some("td")) && !fits("b", Some("table")));
        assert!(is_ended_by("td", "tr") && is_ended_by("p", "div") && !is_ended_by("div", "p"));
    }
}
