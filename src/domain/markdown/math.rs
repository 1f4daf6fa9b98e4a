//! Formulas: which `$…$` is one, and its `MathML`.

use std::panic::{AssertUnwindSafe, catch_unwind};

use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Parser, Storage, push_mathml};

use super::mathml;
use crate::domain::cjk::is_cjk;

/// Bytes of one formula; longer ones are shown as their source.
const FORMULA_BYTES: usize = 2048;
/// Nested groups of one formula; the library goes down one call for each.
const FORMULA_DEPTH: usize = 32;
/// Definitions could expand without end, so a formula with one is shown as its source.
const DEFINING: &[&str] = &[
    "\\def",
    "\\gdef",
    "\\edef",
    "\\xdef",
    "\\let",
    "\\newcommand",
    "\\renewcommand",
    "\\providecommand",
    "\\futurelet",
];
/// Commands that take another command as argument without braces and so nest in secret.
const PREFIX_RUN: usize = 64;

/// Whether `$formula$` is prose between two prices: 从 $5 涨到 $8, US$5–US$8, $100（约 90$）.
///
/// `before` and `after` are the text around, signs included in neither.
pub(super) fn is_price(formula: &str, before: &str, after: &str) -> bool {
    // As in Pandoc: a closing sign is not followed by a digit.
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    // US$5, R$5: the sign belongs to the letters before it.
    let is_currency = before.ends_with(|c: char| c.is_ascii_uppercase());
    if is_currency && formula.starts_with(|c: char| c.is_ascii_digit()) {
        return true;
    }
    if formula.contains(['\\', '^', '_', '=']) {
        return false;
    }
    if formula.contains(is_cjk) {
        return true;
    }
    let starts_with_amount = formula.starts_with(|c: char| c.is_ascii_digit());
    let has_word = |word: &str| word.len() > 1 && word.bytes().all(|b| b.is_ascii_alphabetic());
    starts_with_amount && formula.split_ascii_whitespace().any(has_word)
}

/// The `MathML` of a formula, without inline style; `None` if it cannot be set, so that its source
/// is shown instead.
pub(super) fn render(formula: &str, is_display: bool) -> Option<String> {
    if formula.len() > FORMULA_BYTES || !is_shallow(formula) {
        return None;
    }
    if DEFINING.iter().any(|command| formula.contains(command)) {
        return None;
    }
    // The library says of itself that it wants fuzzing; a panic costs one formula, not the page.
    let written = catch_unwind(AssertUnwindSafe(|| written(formula, is_display))).ok()??;
    mathml::clean(&written, is_display)
}

fn written(formula: &str, is_display: bool) -> Option<String> {
    let storage = Storage::new();
    let events: Vec<_> = Parser::new(formula, &storage).collect();
    if events.iter().any(Result::is_err) {
        return None;
    }
    let display_mode = if is_display { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode, ..RenderConfig::default() };
    let mut out = String::new();
    push_mathml(&mut out, events.into_iter(), config).ok()?;
    Some(out)
}

/// Whether no group is deeper than [`FORMULA_DEPTH`] and no run of commands without a group could
/// nest deeper than [`PREFIX_RUN`].
fn is_shallow(formula: &str) -> bool {
    let mut depth = 0_usize;
    let mut run = 0_usize;
    for c in formula.chars() {
        match c {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        match c {
            '\\' | '^' | '_' | '\'' => run += 1,
            _ if c.is_ascii_alphabetic() => {}
            _ => run = 0,
        }
        if depth > FORMULA_DEPTH || run > PREFIX_RUN {
            return false;
        }
    }
    formula.matches("\\left").count() <= FORMULA_DEPTH
        && formula.matches("\\begin").count() <= FORMULA_DEPTH
}

#[cfg(test)]
mod tests {
    use super::{is_price, render};

    #[test]
    fn prices_are_not_formulas() {
        assert!(is_price("5涨到", "从$", "8元"));
        assert!(is_price("5–US", "US", "8"));
        assert!(is_price("100，约 90", "", "。"));
        assert!(is_price("5/month or 6", "", " a year"));
        for formula in ["x", "n+1", "a + b", "\\text{速度}", "100", "5x", "x=速度"] {
            assert!(!is_price(formula, "设 ", " 则"), "{formula}");
        }
    }

    #[test]
    fn formulas_become_mathml_without_style() {
        assert_eq!(render("x", false).unwrap(), "<math><mi>x</mi></math>");
        let html = render("\\frac{-b \\pm \\sqrt{b^2-4ac}}{2a}", true).unwrap();
        assert!(html.starts_with("<math display=\"block\"><mfrac>"), "{html}");
        for formula in [
            "\\color{red} x",
            "a\\!b",
            "\\begin{pmatrix}1&2\\\\[2em]3&4\\end{pmatrix}",
            "\\mathbf{x} \\textcolor{blue}{y}",
        ] {
            let html = render(formula, true).unwrap();
            assert!(!html.contains("style="), "{formula}: {html}");
        }
    }

    #[test]
    fn markup_in_a_formula_is_text() {
        for formula in ["\\text{<script>alert(1)</script>}", "x<y>z", "\\text{&lt;b&gt;}"] {
            let html = render(formula, false).unwrap_or_default();
            assert!(!html.contains("<script") && !html.contains("<y"), "{html}");
        }
    }

    #[test]
    fn what_cannot_be_set_is_refused() {
        for formula in ["\\frac{1", "\\unknowncommand", "\\def\\a{\\a\\a}\\a", "}{", "\\left("] {
            assert_eq!(render(formula, false), None, "{formula}");
        }
        assert_eq!(render(&"{".repeat(1000), false), None);
        assert_eq!(render(&"\\sqrt".repeat(400), false), None);
        assert_eq!(render(&"x".repeat(3000), false), None);
    }
}
