//! Emphasis beside Chinese punctuation, by the amendment of commonmark-spec pull request 839.
//!
//! `CommonMark` 0.31 lets `*` open or close emphasis beside punctuation only where white space or
//! punctuation stands on the other side. Chinese has no spaces, so `**注意：**先` stays literal
//! (case C08). The amendment says: punctuation that is CJK counts as a letter, and a CJK character
//! on the other side counts as white space. The parser cannot be told, so a mark that it takes
//! for a letter is put beside such runs and taken out of the parsed text again.

use crate::domain::cjk::is_cjk;
use crate::domain::marks::GLUE;

/// The text with [`GLUE`] beside the runs of `*` and `~~` that the amendment decides otherwise
/// than the parser. Borders of the runs are the same in code, where the mark does no harm.
pub(super) fn help_parser(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut rest = text;
    let mut before = None;
    while let Some(found) = rest.find(['*', '~', '\\']) {
        let (plain, from) = rest.split_at(found);
        out.push_str(plain);
        before = plain.chars().rev().find(|c| !is_variation_selector(*c)).or(before);
        if from.starts_with('\\') {
            let escaped: usize = from.chars().take(2).map(char::len_utf8).sum();
            let (pair, after) = from.split_at(escaped);
            out.push_str(pair);
            before = pair.chars().last();
            rest = after;
            continue;
        }
        let delimiter = from.chars().next().unwrap_or('*');
        let run_end = from.find(|c| c != delimiter).unwrap_or(from.len());
        let (run, after) = from.split_at(run_end);
        let next = after.chars().next();
        let is_emphasis = delimiter == '*' || run.len() == 2;
        match glue(before, next).filter(|_| is_emphasis) {
            Some(Side::Before) => {
                out.push(GLUE);
                out.push_str(run);
            }
            Some(Side::After) => {
                out.push_str(run);
                out.push(GLUE);
            }
            None => out.push_str(run),
        }
        before = Some(delimiter);
        rest = after;
    }
    out.push_str(rest);
    out
}

/// Where the mark belongs.
enum Side {
    /// So that the run may close.
    Before,
    /// So that the run may open.
    After,
}

/// Decides by the characters around a run.
///
/// Only letters and digits are surely no punctuation, so only they are relied on; everything
/// that is neither letter nor white space may be punctuation, and if it is not, the mark changes
/// nothing. `|` is left alone: it ends a table cell.
fn glue(before: Option<char>, next: Option<char>) -> Option<Side> {
    let (before, next) = (before?, next?);
    if before.is_whitespace() || next.is_whitespace() || before == '|' || next == '|' {
        return None;
    }
    if !is_cjk(before) && !is_cjk(next) {
        return None;
    }
    match (before.is_alphanumeric(), next.is_alphanumeric()) {
        (true, false) => Some(Side::After),
        (false, true) => Some(Side::Before),
        _ => None,
    }
}

fn is_variation_selector(c: char) -> bool {
    matches!(c, '\u{fe00}'..='\u{fe0f}' | '\u{e0100}'..='\u{e01ef}')
}

#[cfg(test)]
mod tests {
    use super::help_parser;

    #[test]
    fn marks_stand_where_the_amendment_differs() {
        assert_eq!(help_parser("里**“号”**要"), "里**\u{fdd0}“号”\u{fdd0}**要");
        assert_eq!(help_parser("**注意：**先"), "**注意：\u{fdd0}**先");
        assert_eq!(help_parser("~~旧版）~~新"), "~~旧版）\u{fdd0}~~新");
        assert_eq!(
            help_parser("葛\u{e0100}**（城）**市"),
            "葛\u{e0100}**\u{fdd0}（城）\u{fdd0}**市"
        );
    }

    #[test]
    fn latin_escapes_tables_and_single_tildes_stay() {
        for text in
            ["a**(b)**c", "中**文**字", "\\**（中）**", "|**中**|", "约（~3天）~", "***\n", "* 中"]
        {
            assert!(!help_parser(text).contains("\u{fdd0}*") || text.starts_with('\\'), "{text}");
        }
        assert_eq!(help_parser("中\\*（"), "中\\*（");
    }
}
