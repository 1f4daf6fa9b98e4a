//! What a reader can read: plain text out of sanitised HTML.
//!
//! Taken from the HTML rather than from the Markdown, so that raw HTML counts as it shows.

use crate::domain::marks;
use crate::domain::safe_html::{Piece, Sanitised, Trusted, tag_length, unescape};

/// The text of a page.
#[derive(Debug, Default)]
pub(super) struct Plain {
    /// Everything, with code, formulas and footnotes.
    pub(super) text: String,
    /// Without blocks of code, display formulas and footnotes.
    pub(super) running: String,
    /// The running text up to `<!--more-->`.
    pub(super) summary: String,
    pub(super) has_more: bool,
    pub(super) first_image: Option<String>,
    /// Whether there is a picture, formula or check box.
    pub(super) has_figure: bool,
}

/// The class of the footnotes, marked as ours.
const NOTES: &str = "class=\"\u{fdd3}notes\"";

/// Reads the text of sanitised HTML, whose tags are well-formed.
pub(super) fn read(html: &Sanitised, trusted: &[Trusted]) -> Plain {
    let mut reader = Reader::default();
    for piece in html.pieces() {
        match piece {
            Piece::Markup(markup) => reader.markup(markup),
            Piece::Trusted(number) => {
                if let Some(fragment) = trusted.get(number) {
                    reader.fragment(fragment);
                }
            }
        }
    }
    reader.finish()
}

#[derive(Default)]
struct Reader {
    plain: Plain,
    /// Elements around that are left out of everything (readings of ruby).
    left_out: usize,
    is_in_notes: bool,
}

impl Reader {
    fn markup(&mut self, markup: &str) {
        let mut rest = markup;
        while let Some((text, from)) = rest.split_once('<') {
            self.text(text);
            let (tag, after) = from.split_at(tag_length(from));
            self.tag(tag);
            rest = after.strip_prefix('>').unwrap_or(after);
        }
        self.text(rest);
    }

    fn tag(&mut self, tag: &str) {
        let is_end = tag.starts_with('/');
        let name = tag.trim_start_matches('/');
        let name = name.split_once(' ').map_or(name, |(name, _)| name);
        match name {
            "rt" | "rp" if is_end => self.left_out = self.left_out.saturating_sub(1),
            "rt" | "rp" => self.left_out += 1,
            "section" if !is_end && tag.contains(NOTES) => self.is_in_notes = true,
            "img" => {
                self.plain.has_figure = true;
                if self.plain.first_image.is_none() {
                    self.plain.first_image = image_source(tag);
                }
            }
            _ => {}
        }
        let is_inline = matches!(
            name,
            "a" | "abbr"
                | "b"
                | "bdi"
                | "bdo"
                | "cite"
                | "code"
                | "del"
                | "dfn"
                | "em"
                | "i"
                | "img"
                | "ins"
                | "kbd"
                | "mark"
                | "q"
                | "rp"
                | "rt"
                | "ruby"
                | "s"
                | "samp"
                | "small"
                | "span"
                | "strong"
                | "sub"
                | "sup"
                | "time"
                | "u"
                | "var"
                | "wbr"
        );
        if name == "td" || name == "th" {
            self.push(" ");
        } else if !is_inline {
            self.push("\n");
        }
    }

    fn fragment(&mut self, fragment: &Trusted) {
        if fragment.ends_summary && !self.plain.has_more {
            self.plain.has_more = true;
            self.plain.summary = self.plain.running.clone();
        }
        if fragment.is_block {
            self.push("\n");
        } else if fragment.html.starts_with("<input") {
            self.plain.has_figure = true;
        }
        self.plain.text.push_str(&fragment.text);
        // A sentence with a short formula in it would have a hole; its source is better.
        if fragment.html.starts_with("<math>") && !self.is_in_notes {
            self.plain.running.push_str(fragment.text.trim_matches('$'));
        }
    }

    fn text(&mut self, escaped: &str) {
        if self.left_out == 0 {
            self.push(&marks::with_signs(&unescape(escaped)));
        }
    }

    fn push(&mut self, text: &str) {
        push(&mut self.plain.text, text);
        if !self.is_in_notes {
            push(&mut self.plain.running, text);
        }
    }

    fn finish(mut self) -> Plain {
        if !self.plain.has_more {
            self.plain.summary.clone_from(&self.plain.running);
        }
        for text in [&mut self.plain.text, &mut self.plain.running, &mut self.plain.summary] {
            *text = text.trim().to_owned();
        }
        self.plain
    }
}

/// Appends text; a line end swallows the space before it, and neither is written twice.
fn push(out: &mut String, text: &str) {
    match text {
        "\n" => {
            out.truncate(out.trim_end_matches(' ').len());
            if !out.is_empty() && !out.ends_with('\n') {
                out.push('\n');
            }
        }
        " " if out.is_empty() || out.ends_with(['\n', ' ']) => {}
        text => out.push_str(text),
    }
}

fn image_source(tag: &str) -> Option<String> {
    let (_, from) = tag.split_once(" src=\"")?;
    let (source, _) = from.split_once('"')?;
    Some(unescape(source).into_owned())
}
