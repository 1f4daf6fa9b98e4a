//! Bounded windows for sorted lists on the embedded engine.
//!
//! The engine fetches and orders everything that matches before it applies the
//! limit: the newest 20 of 100,000 posts take half a second. With a bound on the
//! first sort key that leaves few documents it takes a millisecond or two. So a
//! list is read within a window first; if the page is not full, the window is
//! widened, and at last there is none. What comes back is the same with and
//! without windows: a full page within a bound holds the first of the list.
//!
//! On an index over an array (`tags`, `ancestors`) the engine uses only the first
//! of two bounds on one key. The one that reaches back to the list's
//! beginning stands first, so a page deep in a tag's list costs by its depth; the
//! pages near the beginning, which people read, do not.
//!
//! MongoDB stops at the limit by itself and gets no windows.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

use mongodb::bson::{Bson, DateTime, RawBsonRef, RawDocumentBuf, oid::ObjectId};

use super::{
    Db, DbError,
    find::{Bound, FindSpec, Sort},
};

/// Lists whose width is remembered; beyond that all are forgotten.
const REMEMBERED: usize = 10_000;

/// The width to begin with where nothing was learned: a day, in seconds.
const FIRST_WIDTH: i64 = 24 * 60 * 60;

/// No list reaches further than this: some 130 years, in seconds.
const WIDEST: i64 = 1 << 32;

/// What was learned of lists, shared by all handles on a database.
#[derive(Debug, Default)]
pub(super) struct Windows(Mutex<HashMap<String, Learned>>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Learned {
    /// Twice what the last full page spanned (or, for numbers, its least).
    Width(i64),
    /// The whole list is shorter than a page.
    Short,
}

impl Windows {
    /// Reads a list within windows, from narrow to none.
    pub(super) async fn read(
        &self,
        spec: &FindSpec,
        db: &Db,
    ) -> Result<Vec<RawDocumentBuf>, DbError> {
        let list = format!("{} {} {}", spec.name, spec.equal, spec.reads_upwards());
        let is_first = spec.is_first();
        let mut width = match self.learned(&list) {
            Some(Learned::Short) if is_first => None,
            Some(Learned::Width(width)) => Some(width),
            Some(Learned::Short) | None => spec.first_width(),
        };
        loop {
            let bound = width.and_then(|width| spec.bound(width));
            let is_bounded = bound.is_some();
            let found = spec.run(db, bound).await?;
            let is_full = found.len() >= spec.limit;
            if is_full {
                if let Some(width) = spec.width_of(&found) {
                    self.learn(list, Learned::Width(width));
                }
                return Ok(found);
            }
            if !is_bounded {
                if is_first {
                    self.learn(list, Learned::Short);
                }
                return Ok(found);
            }
            width = width.and_then(|width| spec.wider(width));
        }
    }

    fn learned(&self, list: &str) -> Option<Learned> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(list).copied()
    }

    fn learn(&self, list: String, learned: Learned) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert(list, learned);
    }
}

impl FindSpec {
    fn is_first(&self) -> bool {
        match &self.sort {
            Sort::NewestFirst { from, .. } => from.cursor().is_none(),
            Sort::IdDescending { from } | Sort::IdAscending { from, .. } => from.cursor().is_none(),
            Sort::LargestFirst { from, .. } => from.cursor().is_none(),
            Sort::None => true,
        }
    }

    /// Seconds for times and ids. A number has no scale of its own: its list is
    /// read without bound once, and then bounded by what was found.
    fn first_width(&self) -> Option<i64> {
        match &self.sort {
            Sort::NewestFirst { .. } | Sort::IdDescending { .. } | Sort::IdAscending { .. } => {
                Some(FIRST_WIDTH)
            }
            Sort::LargestFirst { .. } | Sort::None => None,
        }
    }

    fn wider(&self, width: i64) -> Option<i64> {
        match &self.sort {
            // Here the width is the least number that is read.
            Sort::LargestFirst { .. } => Some(width / 2).filter(|least| *least > 0),
            _ => Some(width.saturating_mul(4)).filter(|width| *width < WIDEST),
        }
    }

    /// The far end of a window of this width. Where there is no cursor to begin
    /// at, lists with the newest first begin now: by the machine's clock,
    /// whatever the site's, since it only chooses where to look first.
    fn bound(&self, width: i64) -> Option<Bound> {
        let far = |begin: i64| {
            if self.reads_upwards() { begin.saturating_add(width) } else { begin - width }
        };
        let value = match &self.sort {
            Sort::NewestFirst { from, within, .. } => {
                let begin = match (from.cursor(), within) {
                    (Some(cursor), _) => seconds_of(cursor.at),
                    (None, Some(within)) => now().min(seconds_of(within.last)),
                    (None, None) => now(),
                };
                Bson::DateTime(DateTime::from_millis(far(begin).saturating_mul(1000)))
            }
            Sort::IdDescending { from } => {
                Bson::ObjectId(id_at(far(from.cursor().map_or_else(now, seconds_of_id)))?)
            }
            Sort::IdAscending { from, begin } => {
                Bson::ObjectId(id_at(far(seconds_of_id(from.cursor().unwrap_or(begin))))?)
            }
            Sort::LargestFirst { .. } if self.is_first() => {
                return Some(Bound::AtLeast(width.into()));
            }
            // From the middle on the numbers are small and the list is ending.
            Sort::LargestFirst { .. } | Sort::None => return None,
        };
        Some(if self.reads_upwards() { Bound::AtMost(value) } else { Bound::AtLeast(value) })
    }

    /// What the next page of such a list will want.
    fn width_of(&self, found: &[RawDocumentBuf]) -> Option<i64> {
        let field = self.sort.field()?;
        let key = |document: Option<&RawDocumentBuf>| match document?.get(field).ok()?? {
            RawBsonRef::DateTime(at) => Some(seconds_of(at)),
            RawBsonRef::ObjectId(id) => Some(seconds_of_id(&id)),
            RawBsonRef::Int64(number) => Some(number),
            RawBsonRef::Int32(number) => Some(i64::from(number)),
            _ => None,
        };
        let (first, last) = (key(found.first())?, key(found.last())?);
        match &self.sort {
            // Counts grow, so next time at least as many reach the last one.
            Sort::LargestFirst { .. } => self.is_first().then_some(last.max(1)),
            _ => {
                // On a first page the way from now to the newest counts too.
                let gap = if self.is_first() && !self.reads_upwards() {
                    (now() - first).max(0)
                } else {
                    0
                };
                let span = (first - last).abs().saturating_mul(2).max(60);
                Some(gap.saturating_add(span).min(WIDEST))
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the machine's clock, whatever the site's")]
fn now() -> i64 {
    seconds_of(DateTime::now())
}

fn seconds_of(at: DateTime) -> i64 {
    at.timestamp_millis().div_euclid(1000)
}

fn seconds_of_id(id: &ObjectId) -> i64 {
    seconds_of(id.timestamp())
}

/// The first id of a second; `None` before 1970 or after 2106, where ids end.
fn id_at(seconds: i64) -> Option<ObjectId> {
    let [a, b, c, d] = u32::try_from(seconds).ok()?.to_be_bytes();
    Some(ObjectId::from_bytes([a, b, c, d, 0, 0, 0, 0, 0, 0, 0, 0]))
}
