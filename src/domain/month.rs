//! Months of the site's calendar: how they stand in addresses and in the
//! database, and which moments they hold.

use jiff::civil;
use mongodb::bson::DateTime;
use serde::{Deserialize, Serialize};

use super::{
    paging::TimeRange,
    site_time::{SiteZone, from_stored, to_stored},
};

/// A month of the years 1 to 9999.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Month {
    first_day: civil::Date,
}

impl Month {
    /// The month in which readers see a moment.
    #[must_use]
    pub fn of(at: DateTime, zone: &SiteZone) -> Self {
        Self { first_day: zone.date_of(from_stored(at)).first_of_month() }
    }

    /// From the parts of an address, `2026` and `05`; anything else is `None`.
    #[must_use]
    pub fn from_address(year: &str, month: &str) -> Option<Self> {
        let is_plain = |text: &str, digits| {
            text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        if !is_plain(year, 4) || !is_plain(month, 2) || year == "0000" {
            return None;
        }
        let first_day = civil::Date::new(year.parse().ok()?, month.parse().ok()?, 1).ok()?;
        Some(Self { first_day })
    }

    /// Reads what [`Month::id`] wrote.
    #[must_use]
    pub fn from_id(id: &str) -> Option<Self> {
        let (year, month) = id.split_once('-')?;
        Self::from_address(year, month)
    }

    /// As stored: `2026-05`.
    #[must_use]
    pub fn id(self) -> String {
        format!("{:04}-{:02}", self.year(), self.number())
    }

    #[must_use]
    pub fn year(self) -> i16 {
        self.first_day.year()
    }

    /// 1 to 12.
    #[must_use]
    pub fn number(self) -> i8 {
        self.first_day.month()
    }

    /// From its first moment in a zone to its last.
    #[must_use]
    pub fn range(self, zone: &SiteZone) -> TimeRange {
        // A month at the end of the calendar, which cannot be counted, holds nothing.
        zone.month(self.year(), self.number()).map_or(
            TimeRange { first: DateTime::MAX, last: DateTime::MAX },
            |month| TimeRange {
                first: to_stored(month.from),
                last: DateTime::from_millis(to_stored(month.until).timestamp_millis() - 1),
            },
        )
    }
}

impl From<Month> for String {
    fn from(month: Month) -> Self {
        month.id()
    }
}

impl TryFrom<String> for Month {
    type Error = String;

    fn try_from(id: String) -> Result<Self, String> {
        Self::from_id(&id).ok_or_else(|| format!("{id:?} is no month"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_four_digits_and_two() {
        let month = Month::from_address("2026", "05").unwrap();
        assert_eq!((month.year(), month.number(), month.id()), (2026, 5, "2026-05".to_owned()));
        assert_eq!(Month::from_id("2026-05"), Some(month));
        assert_eq!(Month::from_address("0001", "01").unwrap().id(), "0001-01");
        for (year, number) in [
            ("2024", "13"),
            ("2024", "00"),
            ("0000", "01"),
            ("２０２４", "01"),
            ("2024", "1"),
            ("2024", "001"),
            ("24", "01"),
            ("+024", "01"),
            ("-024", "01"),
            ("02024", "01"),
            ("2024", "+1"),
            ("", ""),
        ] {
            assert_eq!(Month::from_address(year, number), None, "{year}/{number}");
        }
    }

    #[test]
    fn a_month_begins_at_midnight_where_the_site_is() {
        let shanghai = SiteZone::parse("Asia/Shanghai").unwrap();
        let range = Month::from_id("2026-05").unwrap().range(&shanghai);
        assert_eq!(shanghai.machine(from_stored(range.first)), "2026-05-01T00:00:00+08:00");
        assert_eq!(shanghai.machine(from_stored(range.last)), "2026-05-31T23:59:59+08:00");
        let after = DateTime::from_millis(range.last.timestamp_millis() + 1);
        let before = DateTime::from_millis(range.first.timestamp_millis() - 1);
        let ids = [before, range.first, range.last, after].map(|at| Month::of(at, &shanghai).id());
        assert_eq!(ids, ["2026-04", "2026-05", "2026-05", "2026-06"]);
    }

    /// Clocks that go back at midnight give the last hour of a day twice; both
    /// belong to the day. In Havana 1 November 2026 has its first hour twice.
    #[test]
    fn hours_that_come_twice_are_in_their_month() {
        let havana = SiteZone::parse("America/Havana").unwrap();
        let november = Month::from_id("2026-11").unwrap();
        let range = november.range(&havana);
        assert_eq!(havana.machine(from_stored(range.first)), "2026-11-01T00:00:00-04:00");
        assert_eq!(Month::of(range.first, &havana), november);
    }

    #[test]
    fn the_ends_of_the_calendar_hold_everything_beyond() {
        let zone = SiteZone::parse("Asia/Shanghai").unwrap();
        let last = Month::from_id("9999-12").unwrap();
        assert_eq!(last.range(&zone).last, DateTime::MAX);
        assert_eq!(Month::of(DateTime::MAX, &zone), last);
    }
}
