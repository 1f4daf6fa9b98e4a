//! The archive and the pages of its months.

use askama::Template;

use super::model::ArchiveMonth;
use crate::{domain::month::Month, posts::pages::CardList, web::layout::Layout};

/// A year with its months, newest first.
#[derive(Debug, PartialEq, Eq)]
pub struct Year {
    pub year: i16,
    pub post_count: i64,
    pub months: Vec<ArchiveMonth>,
}

/// Years of months that come newest first.
fn by_year(months: Vec<ArchiveMonth>) -> Vec<Year> {
    let mut years: Vec<Year> = Vec::new();
    for entry in months {
        match years.last_mut() {
            Some(last) if last.year == entry.month.year() => {
                last.post_count += entry.post_count;
                last.months.push(entry);
            }
            _ => years.push(Year {
                year: entry.month.year(),
                post_count: entry.post_count,
                months: vec![entry],
            }),
        }
    }
    years
}

#[derive(Template)]
#[template(path = "archive/index.html")]
pub struct ArchivePage {
    layout: Layout,
    years: Vec<Year>,
    post_count: i64,
}

impl ArchivePage {
    /// `months` come newest first.
    #[must_use]
    pub fn new(layout: Layout, months: Vec<ArchiveMonth>) -> Self {
        let post_count = months.iter().map(|entry| entry.post_count).sum();
        Self { layout, years: by_year(months), post_count }
    }
}

#[derive(Template)]
#[template(path = "archive/month.html")]
pub struct MonthPage {
    layout: Layout,
    month: Month,
    /// `None` if the month was not counted.
    post_count: Option<i64>,
    list: CardList,
    newer: Option<ArchiveMonth>,
    older: Option<ArchiveMonth>,
    /// The months of the same year, newest first.
    siblings: Vec<ArchiveMonth>,
}

impl MonthPage {
    /// `months` are all of them, newest first.
    #[must_use]
    pub fn new(layout: Layout, month: Month, months: &[ArchiveMonth], list: CardList) -> Self {
        let siblings = months.iter().filter(|entry| entry.month.year() == month.year());
        Self {
            post_count: months.iter().find(|e| e.month == month).map(|entry| entry.post_count),
            newer: months.iter().rev().find(|entry| entry.month > month).copied(),
            older: months.iter().find(|entry| entry.month < month).copied(),
            siblings: siblings.copied().collect(),
            layout,
            month,
            list,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(id: &str, post_count: i64) -> ArchiveMonth {
        ArchiveMonth { month: Month::from_id(id).unwrap(), post_count }
    }

    #[test]
    fn months_stand_in_their_years() {
        let years = by_year(vec![entry("2026-05", 3), entry("2026-01", 4), entry("2024-12", 1)]);
        let shown: Vec<_> =
            years.iter().map(|year| (year.year, year.post_count, year.months.len())).collect();
        assert_eq!(shown, [(2026, 7, 2), (2024, 1, 1)]);
        assert_eq!(by_year(Vec::new()), []);
    }
}
