//! Moments as the site's readers see them: every date is shown in one zone.

use jiff::{Timestamp, ZonedDateTime, civil, tz::TimeZone};
use mongodb::bson::DateTime;

/// The time zone of the site.
#[derive(Debug, Clone)]
pub struct SiteZone(TimeZone);

impl SiteZone {
    /// The zone of an IANA name such as `Asia/Shanghai`; `None` if there is no
    /// such zone.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        TimeZone::get(name).ok().map(Self)
    }

    fn zoned(&self, at: DateTime) -> ZonedDateTime {
        // BSON dates reach further than jiff's; what lies beyond year 9999 is
        // shown as the last moment there is.
        let timestamp =
            Timestamp::from_millisecond(at.timestamp_millis()).unwrap_or(Timestamp::MAX);
        timestamp.to_zoned_datetime(self.0.clone())
    }

    /// Date and time of day in the site's zone.
    #[must_use]
    pub fn civil(&self, at: DateTime) -> civil::DateTime {
        self.zoned(at).datetime()
    }

    /// For `<time datetime>`: `2026-05-12T08:30:00+08:00`.
    #[must_use]
    pub fn machine(&self, at: DateTime) -> String {
        self.zoned(at).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }

    /// The first moment of a day: where clocks go forward at midnight, the one
    /// after that. `None` for a day outside the calendar.
    #[must_use]
    pub fn start_of(&self, day: civil::Date) -> Option<DateTime> {
        let start = day.at(0, 0, 0, 0).to_zoned_datetime(self.0.clone()).ok()?;
        Some(DateTime::from_millis(start.timestamp().as_millisecond()))
    }

    /// Reads `2026-05-12T08:30` as a time in the site's zone. A time that a
    /// change of clocks skips or repeats is taken as RFC 5545 says.
    #[must_use]
    pub fn parse_local(&self, text: &str) -> Option<DateTime> {
        let local: civil::DateTime = text.parse().ok()?;
        let zoned = local.to_zoned_datetime(self.0.clone()).ok()?;
        Some(DateTime::from_millis(zoned.timestamp().as_millisecond()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_moment_reads_differently_in_each_zone() {
        let at = DateTime::from_millis(1_778_545_800_000);
        let shanghai = SiteZone::named("Asia/Shanghai").unwrap();
        assert_eq!(shanghai.machine(at), "2026-05-12T08:30:00+08:00");
        let new_york = SiteZone::named("America/New_York").unwrap();
        assert_eq!(new_york.machine(at), "2026-05-11T20:30:00-04:00");
        assert_eq!(shanghai.parse_local("2026-05-12T08:30"), Some(at));
        assert!(SiteZone::named("Mars/Olympus").is_none());
    }

    #[test]
    fn dates_beyond_the_calendar_do_not_panic() {
        let zone = SiteZone::named("Asia/Shanghai").unwrap();
        assert!(zone.machine(DateTime::MAX).starts_with("9999-"));
    }
}
