//! What changed between two versions of a text, for people to read.

use std::{borrow::Cow, time::Duration};

use similar::{Algorithm, ChangeTag, TextDiff};

/// Lines around a change that show where it is.
const CONTEXT: usize = 3;

/// Texts without a common line would take long to compare finely; past this the
/// rest is compared roughly.
const PATIENCE: Duration = Duration::from_millis(500);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Kept,
    Removed,
    Added,
}

/// A run of characters within a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub text: String,
    /// Just this was changed, not the whole line.
    pub is_changed: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffLine {
    pub change: Change,
    pub runs: Vec<Run>,
}

/// Changed lines with some around them, as they follow each other.
pub type Hunk = Vec<DiffLine>;

/// The differences line by line, and within a line word by word (a Han character
/// is a word). Empty if there are none.
#[must_use]
pub fn text_diff(before: &str, after: &str) -> Vec<Hunk> {
    // A last line without its end would differ from the same line further up.
    let (before, after) = (ended(before), ended(after));
    let diff = TextDiff::configure()
        .algorithm(Algorithm::Patience)
        .timeout(PATIENCE)
        .diff_lines(before.as_ref(), after.as_ref());
    let line = |change: similar::InlineChange<str>| DiffLine {
        change: match change.tag() {
            ChangeTag::Equal => Change::Kept,
            ChangeTag::Delete => Change::Removed,
            ChangeTag::Insert => Change::Added,
        },
        runs: change
            .iter_strings_lossy()
            .map(|(is_changed, text)| Run {
                text: text.trim_end_matches('\n').to_owned(),
                is_changed,
            })
            .filter(|run| !run.text.is_empty())
            .collect(),
    };
    diff.grouped_ops(CONTEXT)
        .iter()
        .map(|ops| ops.iter().flat_map(|op| diff.iter_inline_changes(op)).map(line).collect())
        .collect()
}

fn ended(text: &str) -> Cow<'_, str> {
    if text.is_empty() || text.ends_with('\n') { text.into() } else { format!("{text}\n").into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(before: &str, after: &str) -> Vec<String> {
        text_diff(before, after)
            .iter()
            .flatten()
            .map(|line| {
                let sign = match line.change {
                    Change::Kept => ' ',
                    Change::Removed => '-',
                    Change::Added => '+',
                };
                let runs = line.runs.iter().map(|run| {
                    if run.is_changed { format!("[{}]", run.text) } else { run.text.clone() }
                });
                format!("{sign}{}", runs.collect::<String>())
            })
            .collect()
    }

    #[test]
    fn changed_words_are_marked_within_their_lines() {
        assert_eq!(
            shown("春天来了。\n\n燕子回来了。\n", "春天来了。\n\n燕子还没回来。\n"),
            [" 春天来了。", " ", "-燕子回来[了]。", "+燕子[还没]回来。"]
        );
        assert_eq!(
            shown("one two three\n", "one 2 three\n"),
            ["-one [two] three", "+one [2] three"]
        );
    }

    #[test]
    fn what_stayed_far_from_a_change_is_left_out() {
        let lines = |changed: &str| {
            (0..40)
                .map(|n| if n == 20 { format!("{changed}\n") } else { format!("{n}\n") })
                .collect::<String>()
        };
        let shown = shown(&lines("a"), &lines("b"));
        assert_eq!(shown.first().unwrap(), " 17");
        assert_eq!(shown.last().unwrap(), " 23");
        assert_eq!(shown.len(), 8);
    }

    #[test]
    fn a_line_added_at_the_end_is_all_that_changed() {
        assert_eq!(shown("a\nb", "a\nb\nc"), [" a", " b", "+c"]);
    }

    #[test]
    fn alike_texts_have_no_differences() {
        assert!(text_diff("a\nb", "a\nb").is_empty());
        assert!(text_diff("", "").is_empty());
    }

    #[test]
    fn large_texts_without_a_common_line_end_soon() {
        let text = |word: &str| {
            (0..30_000).map(|n| format!("{word} {n} {word}\n")).collect::<Vec<_>>().concat()
        };
        let start = std::time::Instant::now();
        assert!(!text_diff(&text("a"), &text("b")).is_empty());
        assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    }
}
