//! The examples of the `CommonMark` specification.
//!
//! Compared as trees after the specification's own HTML went through our allow-list, and after
//! what every page of ours has was taken off: ids and levels of headings, `rel`, `loading`,
//! `tabindex`. [`MEANT`] lists the examples where we differ on purpose.

use std::fmt::Write as _;

use ego_tree::NodeRef;
use scraper::{Html, Node};
use serde::Deserialize;

use super::super::{Profile, render};
use crate::domain::marks;
use crate::domain::safe_html::{Policy, sanitise};

#[derive(Deserialize)]
struct Example {
    #[serde(rename = "example")]
    number: u32,
    markdown: String,
    html: String,
}

/// Examples that come out otherwise, and why.
const MEANT: &[(&[u32], &str)] = &[
    (
        &[
            517, 520, 531, 572, 573, 574, 575, 576, 577, 578, 580, 581, 582, 583, 584, 585, 586,
            588, 589, 591,
        ],
        "a lone picture is a figure, its title the caption",
    ),
    (
        &[148, 187, 344, 476, 477, 494, 613, 614, 615, 616, 630, 631, 642, 643],
        "a raw tag left open ends with its paragraph, instead of coming back in all that follows",
    ),
    (&[602, 608, 611], "bare addresses are links"),
    (&[34, 144], "the name of a language has only letters, digits and + # . - _"),
    (&[156, 157, 158], "a tag without an end is shown as text, instead of swallowing what follows"),
    (&[170], "what follows a script is kept; the sanitiser by itself drops it"),
    (&[629], "a CDATA section is left out to its end, not to the first >"),
];

#[test]
fn examples_of_the_specification() {
    let examples: Vec<Example> =
        serde_json::from_str(include_str!("../../../../tests/texts/commonmark-examples.json"))
            .unwrap();
    let meant: Vec<u32> = MEANT.iter().flat_map(|(numbers, _)| numbers.iter().copied()).collect();
    let mut same = 0;
    let mut wrong = String::new();
    for Example { number, markdown, html } in &examples {
        let page = render(markdown, &Profile::Post { id: String::new() }).unwrap().html;
        let marked = with_our_headings(html)
            .replace("class=\"language-", &format!("class=\"{}language-", marks::OURS));
        let wanted = sanitise(&marked, Policy::Post).splice(&[]);
        let (made, wanted) = (plain(page.as_str()), plain(wanted.as_str()));
        let is_meant = meant.contains(number);
        if made == wanted {
            same += 1;
        }
        if (made == wanted) == is_meant {
            let _ = writeln!(wrong, "{number}: {markdown:?}\n  made   {made}\n  wanted {wanted}");
        }
    }
    println!(
        "CommonMark: {same} of {} examples the same, {} differ on purpose",
        examples.len(),
        meant.len()
    );
    assert!(wrong.is_empty(), "{wrong}");
}

/// The HTML as a tree on one line, without what every page of ours has.
fn plain(html: &str) -> String {
    let tree = Html::parse_fragment(html);
    let mut out = String::new();
    for node in tree.tree.root().children() {
        push(&mut out, node, false);
    }
    out
}

fn push(out: &mut String, node: NodeRef<'_, Node>, is_code: bool) {
    match node.value() {
        Node::Text(text) => {
            let text = text.to_string();
            // Line ends between blocks say nothing.
            if is_code || !text.trim().is_empty() {
                out.push_str(if is_code { &text } else { text.trim_matches('\n') });
            }
        }
        Node::Element(element) => {
            let name = element.name();
            let _ = write!(out, "<{name}");
            let mut attributes: Vec<_> = element
                .attrs()
                .filter(|(name, _)| !["id", "rel", "loading", "tabindex"].contains(name))
                .collect();
            attributes.sort_unstable();
            for (name, value) in attributes {
                let _ = write!(out, " {name}={value:?}");
            }
            out.push('>');
            let is_code = is_code || element.name() == "pre";
            for child in node.children() {
                push(out, child, is_code);
            }
            let _ = write!(out, "</{name}>");
        }
        _ => {
            for child in node.children() {
                push(out, child, is_code);
            }
        }
    }
}

/// The specification's HTML with headings by their depth in the outline, since ours begin at h2
/// and leave none out.
fn with_our_headings(html: &str) -> String {
    let mut levels: Vec<u8> = Vec::new();
    let mut out = String::new();
    let mut rest = html;
    while let Some(at) = rest
        .find("<h")
        .filter(|at| rest.as_bytes()[at + 2].is_ascii_digit() && rest.as_bytes()[at + 3] == b'>')
    {
        let level = rest.as_bytes()[at + 2] - b'0';
        levels.retain(|&above| above < level);
        levels.push(level);
        let ours = (levels.len() + 1).min(6);
        let end = format!("</h{level}>");
        let (inner, after) = rest[at + 4..].split_once(&end).unwrap();
        let _ = write!(out, "{}<h{ours}>{inner}</h{ours}>", &rest[..at]);
        rest = after;
    }
    out + rest
}
