//! Footnotes: their numbers, ids and the section at the end.

use std::collections::HashMap;
use std::fmt::Write as _;

use super::labels::Labels;
use crate::domain::marks;
use crate::domain::safe_html::Trusted;

/// The footnotes that were referred to, in that order.
#[derive(Debug)]
pub(super) struct Footnotes {
    /// Between `fn-` and the number; holds the id of the post or comment, so that two of them can
    /// stand on one page (case C12).
    scope: String,
    /// Number of each label, counted from 1.
    numbers: HashMap<String, usize>,
    /// Label and count of references of each footnote.
    referred: Vec<(String, usize)>,
}

impl Footnotes {
    /// For the text with this id.
    pub(super) fn of(id: &str) -> Self {
        let plain: String =
            id.chars().filter(|c| c.is_ascii_alphanumeric() || "-_".contains(*c)).collect();
        let scope = if plain.is_empty() { plain } else { format!("{plain}-") };
        Self { scope, numbers: HashMap::new(), referred: Vec::new() }
    }

    /// Counts a reference and makes its sign; in a link a sign without a link of its own.
    pub(super) fn refer(&mut self, label: &str, labels: Labels, is_in_link: bool) -> Trusted {
        let next = self.referred.len() + 1;
        let number = *self.numbers.entry(label.to_owned()).or_insert(next);
        if number == next {
            self.referred.push((label.to_owned(), 0));
        }
        if is_in_link {
            return Trusted { html: format!("<sup>{number}</sup>"), ..Trusted::default() };
        }
        let Some((_, count)) = self.referred.get_mut(number - 1) else {
            return Trusted::default();
        };
        *count += 1;
        let place = *count;
        let html = format!(
            "<sup class=\"fnref\"><a href=\"#{}\" id=\"{}\" aria-label=\"{}\">{number}</a></sup>",
            self.id(number),
            self.reference_id(number, place),
            labels.footnote(number),
        );
        Trusted { html, ..Trusted::default() }
    }

    /// The label of a footnote, counted from 1.
    pub(super) fn label(&self, number: usize) -> Option<&str> {
        self.referred.get(number.checked_sub(1)?).map(|(label, _)| label.as_str())
    }

    /// The attribute of the footnote itself, marked as ours.
    pub(super) fn marked_id(&self, number: usize) -> String {
        format!("{}{}", marks::OURS, self.id(number))
    }

    /// The links back, one for each reference.
    pub(super) fn links_back(&self, number: usize, labels: Labels) -> Trusted {
        let count = number
            .checked_sub(1)
            .and_then(|at| self.referred.get(at))
            .map_or(0, |(_, count)| *count);
        let mut html = String::new();
        for place in 1..=count {
            let sign = if place == 1 { String::new() } else { format!("<sup>{place}</sup>") };
            // Writing to a String cannot fail.
            let _ = write!(
                html,
                " <a href=\"#{}\" aria-label=\"{}\">↩{sign}</a>",
                self.reference_id(number, place),
                labels.back_to(place),
            );
        }
        Trusted { html, ..Trusted::default() }
    }

    fn id(&self, number: usize) -> String {
        format!("fn-{}{number}", self.scope)
    }

    fn reference_id(&self, number: usize, place: usize) -> String {
        if place <= 1 {
            format!("fnref-{}{number}", self.scope)
        } else {
            format!("fnref-{}{number}-{place}", self.scope)
        }
    }
}
