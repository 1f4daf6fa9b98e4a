//! Blocks of code: the info string, colours, marked lines.

use super::{escape, highlight};

/// What the author wrote after the fence, as far as it means something here.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Info {
    /// The language in lower case, without anything that could leave an attribute (case C17).
    pub(super) language: String,
    /// First and last of the marked lines, counted from 1.
    marked: Vec<(usize, usize)>,
}

impl Info {
    /// Reads `rust,ignore`, `c++ title="a.cpp" {1,3-4}` and the like.
    pub(super) fn parse(info: &str) -> Self {
        let language: String = info
            .trim_start()
            .chars()
            .take_while(|c| c.is_ascii_alphanumeric() || "+#-_.".contains(*c))
            .take(30)
            .collect();
        let marked = info
            .split_once('{')
            .and_then(|(_, lines)| lines.split_once('}'))
            .map(|(lines, _)| lines.split(',').take(50).filter_map(line_range).collect())
            .unwrap_or_default();
        Self { language: language.to_ascii_lowercase(), marked }
    }

    fn is_marked(&self, line: usize) -> bool {
        self.marked.iter().any(|&(first, last)| (first..=last).contains(&line))
    }
}

fn line_range(lines: &str) -> Option<(usize, usize)> {
    let (first, last) = lines.split_once('-').unwrap_or((lines, lines));
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// The HTML of a block of code. The keyboard can scroll it, hence the tabindex.
pub(super) fn html(code: &str, info: &Info, is_coloured: bool) -> String {
    let stretches = if is_coloured && !info.language.is_empty() {
        highlight::stretches(code, &info.language)
    } else {
        vec![(None, code)]
    };
    let mut out = String::with_capacity(code.len() * 2 + 64);
    out.push_str("<pre tabindex=\"0\"><code");
    if !info.language.is_empty() {
        out.push_str(" class=\"language-");
        out.push_str(&info.language);
        out.push('"');
    }
    out.push('>');
    if info.marked.is_empty() {
        for (class, text) in stretches {
            push_stretch(&mut out, class, text);
        }
    } else {
        push_lines(&mut out, &stretches, info);
    }
    out.push_str("</code></pre>");
    out
}

fn push_stretch(out: &mut String, class: Option<&str>, text: &str) {
    match class {
        Some(class) if !text.trim().is_empty() => {
            out.push_str("<span class=\"");
            out.push_str(class);
            out.push_str("\">");
            escape::push_escaped(out, text);
            out.push_str("</span>");
        }
        _ => escape::push_escaped(out, text),
    }
}

/// A marked line is a block by style, so its span holds its own line end.
fn push_lines(out: &mut String, stretches: &[highlight::Stretch<'_>], info: &Info) {
    let mut line = 1;
    let mut is_open = false;
    for &(class, text) in stretches {
        for part in text.split_inclusive('\n') {
            if !is_open && info.is_marked(line) {
                out.push_str("<span class=\"hl\">");
                is_open = true;
            }
            let (words, end) = part.strip_suffix('\n').map_or((part, ""), |words| (words, "\n"));
            push_stretch(out, class, words);
            out.push_str(end);
            if !end.is_empty() {
                line += 1;
                if is_open {
                    out.push_str("</span>");
                    is_open = false;
                }
            }
        }
    }
    if is_open {
        out.push_str("</span>");
    }
}

#[cfg(test)]
mod tests {
    use super::{Info, html};

    #[test]
    fn languages_of_info_strings() {
        // case C17
        for (info, language) in [
            ("js\" onmouseover=\"alert(1)", "js"),
            ("<img/src=x/onerror=alert(1)>", ""),
            (" html`'\"><script>alert(1)</script>", "html"),
            ("c++", "c++"),
            ("rust,ignore", "rust"),
            ("C#", "c#"),
            ("", ""),
        ] {
            assert_eq!(Info::parse(info).language, language, "{info}");
        }
        assert_eq!(Info::parse("c++ title=\"a.cpp\" {1,3-4,x}").marked, [(1, 1), (3, 4)]);
    }

    #[test]
    fn marked_lines_hold_their_line_end() {
        assert_eq!(
            html("a\nb\nc", &Info::parse("text {2-9}"), true),
            "<pre tabindex=\"0\"><code class=\"language-text\">a\n<span class=\"hl\">b\n</span><span class=\"hl\">c</span></code></pre>"
        );
    }
}
