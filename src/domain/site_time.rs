//! Dates in the time zone of the site.
//!
//! The zone is a setting, never that of the server: a date without a zone means the site's, the
//! month of an archive is the site's month, and a page shows the site's clock (case C39). No
//! function here asks what time it is.

use jiff::civil::{Date, DateTime, Time};
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan as _, ZonedDateTime};

/// The time zone of the site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteZone(TimeZone);

/// Why a zone was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no time zone; write one of the IANA names, for example Asia/Shanghai or UTC")]
pub struct UnknownZone(String);

/// Why a date was refused. The sentence is for who typed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no date; write it as 2024-05-06 or 2024-05-06 10:00")]
pub struct NotADate(String);

/// The beginning of a stretch of time and the beginning of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// Belongs to it.
    pub from: Timestamp,
    /// Does not belong to it.
    pub until: Timestamp,
}

impl SiteZone {
    /// Finds a zone by its IANA name.
    ///
    /// # Errors
    /// When the name is unknown.
    pub fn parse(name: &str) -> Result<Self, UnknownZone> {
        match TimeZone::get(name.trim()) {
            Ok(zone) => Ok(Self(zone)),
            Err(_) => Err(UnknownZone(name.to_owned())),
        }
    }

    /// Coordinated Universal Time.
    #[must_use]
    pub fn utc() -> Self {
        Self(TimeZone::UTC)
    }

    /// The IANA name.
    #[must_use]
    pub fn name(&self) -> &str {
        self.0.iana_name().unwrap_or("UTC")
    }

    /// The moment that a date means: by its own offset or zone if it has one, else in the site's.
    ///
    /// Reads `2024-05-06`, `2024-05-06T10:00`, `2024-05-06 10:00:00`, each with `Z`, `+08:00`,
    /// `+0800` or `[Europe/Berlin]` or without, single digits and slashes as people write them
    /// (`2020/10/4`), and the dates of mails (`Mon, 06 May 2024 10:00:00 +0000`).
    ///
    /// # Errors
    /// When it is no date, or outside the years that can be counted.
    pub fn moment(&self, typed: &str) -> Result<Timestamp, NotADate> {
        let typed = typed.trim();
        self.read(&padded(typed))
            .or_else(|| jiff::fmt::rfc2822::parse(typed).ok().map(|date| date.timestamp()))
            .ok_or_else(|| NotADate(typed.to_owned()))
    }

    fn read(&self, typed: &str) -> Option<Timestamp> {
        let pieces = Pieces::parse(typed).ok()?;
        let local =
            DateTime::from_parts(pieces.date(), pieces.time().unwrap_or_else(Time::midnight));
        if let Some(offset) = pieces.to_numeric_offset() {
            return offset.to_timestamp(local).ok();
        }
        let zone = pieces.to_time_zone().ok()?.unwrap_or_else(|| self.0.clone());
        in_zone(&zone, local)
    }

    /// The moment of a clock reading on the site; `None` outside the years that can be counted.
    #[must_use]
    pub fn at(&self, local: DateTime) -> Option<Timestamp> {
        in_zone(&self.0, local)
    }

    /// The moment of `YYYY-MM-DDTHH:MM` as a form sends it; `None` for an empty field.
    ///
    /// # Errors
    /// When it is no date.
    pub fn form_moment(&self, typed: &str) -> Result<Option<Timestamp>, NotADate> {
        if typed.trim().is_empty() { Ok(None) } else { self.moment(typed).map(Some) }
    }

    /// The value of a form's field for this moment: `2024-05-06T10:00`.
    #[must_use]
    pub fn form_value(&self, moment: Timestamp) -> String {
        self.local(moment).strftime("%Y-%m-%dT%H:%M").to_string()
    }

    /// For the `datetime` of `<time>`, feeds and structured data: `2024-05-06T10:00:00+08:00`.
    #[must_use]
    pub fn machine(&self, moment: Timestamp) -> String {
        self.local(moment).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
    }

    /// For RSS: `Mon, 6 May 2024 10:00:00 +0800` (RFC 2822).
    #[must_use]
    pub fn mail(&self, moment: Timestamp) -> String {
        self.local(moment).strftime("%a, %-d %b %Y %H:%M:%S %z").to_string()
    }

    /// What the site's calendar and clock show at a moment.
    #[must_use]
    pub fn reading(&self, moment: Timestamp) -> DateTime {
        self.local(moment).datetime()
    }

    /// Year and month of a moment, for the archive.
    #[must_use]
    pub fn month_of(&self, moment: Timestamp) -> (i16, i8) {
        let date = self.date_of(moment);
        (date.year(), date.month())
    }

    /// The day of a moment.
    #[must_use]
    pub fn date_of(&self, moment: Timestamp) -> Date {
        self.local(moment).date()
    }

    /// A month of the archive; `None` if there is no such month (case C37: `/2024/13`).
    #[must_use]
    pub fn month(&self, year: i16, month: i8) -> Option<Stretch> {
        let first = Date::new(year, month, 1).ok()?;
        self.stretch(first, first.checked_add(1.month()).ok()?)
    }

    /// A year of the archive; `None` if it cannot be counted.
    #[must_use]
    pub fn year(&self, year: i16) -> Option<Stretch> {
        let first = Date::new(year, 1, 1).ok()?;
        self.stretch(first, first.checked_add(1.year()).ok()?)
    }

    /// A day; `None` if it cannot be counted.
    #[must_use]
    pub fn day(&self, date: Date) -> Option<Stretch> {
        self.stretch(date, date.checked_add(1.day()).ok()?)
    }

    fn stretch(&self, from: Date, until: Date) -> Option<Stretch> {
        let start = |date: Date| self.at(date.to_datetime(Time::midnight()));
        Some(Stretch { from: start(from)?, until: start(until)? })
    }

    fn local(&self, moment: Timestamp) -> ZonedDateTime {
        moment.to_zoned_datetime(self.0.clone())
    }
}

/// A moment as the database gives it. BSON dates reach further than the calendar; what lies beyond
/// is its first or last moment.
#[must_use]
pub fn from_stored(at: mongodb::bson::DateTime) -> Timestamp {
    let millis = at.timestamp_millis();
    let end = if millis < 0 { Timestamp::MIN } else { Timestamp::MAX };
    Timestamp::from_millisecond(millis).unwrap_or(end)
}

/// A moment as the database keeps it, in milliseconds.
#[must_use]
pub fn to_stored(moment: Timestamp) -> mongodb::bson::DateTime {
    mongodb::bson::DateTime::from_millis(moment.as_millisecond())
}

/// The moment of a clock reading. Where clocks go forward and there is no such reading, the
/// offset before the gap counts; where they go back and there are two, the first (RFC 5545,
/// §3.3.5).
fn in_zone(zone: &TimeZone, local: DateTime) -> Option<Timestamp> {
    zone.to_ambiguous_timestamp(local).compatible().ok()
}

/// The date with two digits where people write one, hyphens for slashes, and nothing before its
/// offset, as the parser wants it.
fn padded(typed: &str) -> String {
    let end =
        typed.find(|c: char| !c.is_ascii_digit() && !"-/.".contains(c)).unwrap_or(typed.len());
    let (date, time) = typed.split_at(end);
    let numbers: Vec<&str> = date.split(['-', '/', '.']).collect();
    let [year, month, day] = numbers.as_slice() else {
        return typed.to_owned();
    };
    let time = time.trim_start();
    let time = match time.split_once(':') {
        Some((hour, _)) if hour.len() == 1 => format!(" 0{time}"),
        Some((hour, _)) if hour.len() == 2 && hour.bytes().all(|b| b.is_ascii_digit()) => {
            format!(" {time}")
        }
        _ => time.to_owned(),
    };
    let time = time.replace(" +", "+").replace(" -", "-").replace(" Z", "Z").replace(" UTC", "Z");
    format!("{year}-{month:0>2}-{day:0>2}{time}")
}

#[cfg(test)]
mod tests {
    use super::SiteZone;

    fn zone(name: &str) -> SiteZone {
        SiteZone::parse(name).unwrap()
    }

    fn utc(name: &str, typed: &str) -> String {
        zone(name).moment(typed).unwrap().to_string()
    }

    #[test]
    fn a_date_without_a_zone_means_the_sites() {
        // case C39
        assert_eq!(utc("Asia/Shanghai", "2024-02-29 00:55:35"), "2024-02-28T16:55:35Z");
        assert_eq!(utc("Asia/Shanghai", "2024-05-06"), "2024-05-05T16:00:00Z");
        assert_eq!(utc("Asia/Shanghai", "2024-05-06T10:00:00Z"), "2024-05-06T10:00:00Z");
        assert_eq!(utc("Asia/Shanghai", "2024-05-06T10:00:00+08:00"), "2024-05-06T02:00:00Z");
        let shanghai = zone("Asia/Shanghai");
        let moment = shanghai.moment("2024-02-29 00:55:35").unwrap();
        assert_eq!(shanghai.month_of(moment), (2024, 2));
        assert_eq!(shanghai.machine(moment), "2024-02-29T00:55:35+08:00");
        assert_eq!(shanghai.form_value(moment), "2024-02-29T00:55");
    }

    #[test]
    fn dates_as_people_write_them() {
        for (typed, moment) in [
            ("2020-10-4", "2020-10-04T00:00:00Z"),
            ("2020/10/4 9:05", "2020-10-04T09:05:00Z"),
            ("2024-05-06T10:00", "2024-05-06T10:00:00Z"),
            ("2024-01-05 10:00:00 +0800", "2024-01-05T02:00:00Z"),
            ("2024-01-05 10:00:00 -0530", "2024-01-05T15:30:00Z"),
            ("2024-01-05T10:00:00.5+08", "2024-01-05T02:00:00.5Z"),
            ("2024-07-05T10:00[Europe/Berlin]", "2024-07-05T08:00:00Z"),
            ("Mon, 06 May 2024 10:00:00 +0000", "2024-05-06T10:00:00Z"),
        ] {
            assert_eq!(utc("UTC", typed), moment, "{typed}");
        }
        for wrong in [
            "",
            "0000-00-00 00:00:00",
            "2024-13-01",
            "2024-02-30",
            "yesterday",
            "2024",
            "10:00",
            "１２",
            "2024-05-06T25:00",
        ] {
            assert!(zone("UTC").moment(wrong).is_err(), "{wrong}");
        }
        assert_eq!(zone("UTC").form_moment("  "), Ok(None));
    }

    #[test]
    fn gaps_and_overlaps_by_rfc_5545() {
        // §3.3.5: 02:30 did not exist on 2007-03-11 in New York, and meant 03:30 daylight time;
        // 01:30 on 2007-11-04 was there twice, and meant the first.
        assert_eq!(utc("America/New_York", "2007-03-11 02:30:00"), "2007-03-11T07:30:00Z");
        assert_eq!(
            zone("America/New_York")
                .form_value(zone("America/New_York").moment("2007-03-11 02:30").unwrap()),
            "2007-03-11T03:30"
        );
        assert_eq!(utc("America/New_York", "2007-11-04 01:30:00"), "2007-11-04T05:30:00Z");
        // A day whose midnight is in a gap begins after it.
        let sao_paulo = zone("America/Sao_Paulo").day(jiff::civil::date(2018, 11, 4)).unwrap();
        assert_eq!(sao_paulo.from.to_string(), "2018-11-04T03:00:00Z");
        assert_eq!(sao_paulo.until.to_string(), "2018-11-05T02:00:00Z");
    }

    #[test]
    fn months_and_years_of_the_archive() {
        let shanghai = zone("Asia/Shanghai");
        let month = shanghai.month(2024, 12).unwrap();
        assert_eq!(month.from.to_string(), "2024-11-30T16:00:00Z");
        assert_eq!(month.until.to_string(), "2024-12-31T16:00:00Z");
        for (year, number) in [(2024, 13), (2024, 0), (2024, -1), (i16::MAX, 1)] {
            assert_eq!(shanghai.month(year, number), None);
        }
        assert_eq!(shanghai.year(2024).unwrap().from.to_string(), "2023-12-31T16:00:00Z");
        assert_eq!(shanghai.year(9999), None);
    }

    #[test]
    fn dates_for_readers_and_machines() {
        let shanghai = zone("Asia/Shanghai");
        let moment = shanghai.moment("2026-05-02 08:30").unwrap();
        assert_eq!(shanghai.mail(moment), "Sat, 2 May 2026 08:30:00 +0800");
        assert_eq!(shanghai.machine(moment), "2026-05-02T08:30:00+08:00");
        assert_eq!(shanghai.name(), "Asia/Shanghai");
        assert!(SiteZone::parse("Asia/Nowhere").is_err());
        assert_eq!(SiteZone::utc().machine(moment), "2026-05-02T00:30:00+00:00");
    }
}
