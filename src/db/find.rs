//! Reads that can be run or explained: each says which page it serves and which
//! index it leans on.

use std::{cmp::Ordering, time::Duration};

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, RawDocumentBuf, deserialize_from_slice, doc, oid::ObjectId};
use serde::de::DeserializeOwned;

use super::{Db, DbError};
use crate::domain::paging::{CountCursor, Cursor, Page, Position, TimeRange};

/// A page does not wait longer than this for one read.
pub(super) const MAX_TIME: Duration = Duration::from_millis(1500);

/// In place of an index: whichever document comes first, without a condition or
/// an order. MongoDB's own word for it.
pub const NATURAL: &str = "$natural";

/// The order of a list and where to begin in it. `_id` is always the last key,
/// so that equal times keep one order.
#[derive(Debug, Clone, PartialEq)]
pub enum Sort {
    /// No order: the read finds at most one document, or the order is no matter.
    None,
    /// Latest first by a time field, then by `_id` descending; only what lies
    /// `within` a range, if there is one.
    NewestFirst { field: &'static str, within: Option<TimeRange>, from: Position<Cursor> },
    /// By `_id`, the latest made first.
    IdDescending { from: Position<ObjectId> },
    /// By `_id`, in the order of making; `begin` is an id that all of them are
    /// later than.
    IdAscending { from: Position<ObjectId>, begin: ObjectId },
    /// By a number that is at least `least`, largest first, then by `_id`.
    LargestFirst { field: &'static str, least: i64, from: Position<CountCursor> },
}

impl Sort {
    /// The first sort key.
    pub(super) fn field(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::NewestFirst { field, .. } | Self::LargestFirst { field, .. } => Some(field),
            Self::IdDescending { .. } | Self::IdAscending { .. } => Some("_id"),
        }
    }
}

/// One more condition on the first sort key, its value included.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Bound {
    AtLeast(Bson),
    AtMost(Bson),
}

/// One access pattern with its values filled in.
#[derive(Debug, Clone)]
pub struct FindSpec {
    /// As in `docs/access-patterns.md`.
    pub name: &'static str,
    pub collection: &'static str,
    /// The index that serves it.
    pub index: &'static str,
    /// Conditions of equality on the leading keys of the index.
    pub equal: Document,
    /// Conditions that the index does not hold and that drop few documents.
    pub residual: Document,
    pub sort: Sort,
    pub limit: usize,
    pub projection: Document,
}

impl FindSpec {
    /// The filter in the one form that MongoDB and the embedded engine both
    /// answer from the index: `$and` of the equalities with the range, then the
    /// tie. A top-level `$or` makes the engine scan.
    #[must_use]
    pub fn filter(&self) -> Document {
        self.filter_within(None)
    }

    /// The same, looking no further than the bound: one more condition on the
    /// first sort key.
    pub(super) fn filter_within(&self, bound: Option<Bound>) -> Document {
        let mut first = self.equal.clone();
        first.extend(self.residual.clone());
        let mut range = Range::default();
        let tie = match &self.sort {
            Sort::None => None,
            Sort::NewestFirst { field, within, from } => {
                if let Some(within) = within {
                    range.add(Bound::AtLeast(within.first.into()));
                    range.add(Bound::AtMost(within.last.into()));
                }
                from.cursor().map(|cursor| {
                    range.add(self.beyond(cursor.at));
                    self.tie(field, cursor.at, self.strictly(), cursor.id)
                })
            }
            Sort::LargestFirst { field, least, from } => {
                range.add(Bound::AtLeast((*least).into()));
                from.cursor().map(|cursor| {
                    range.add(self.beyond(cursor.count));
                    // Equal numbers stand in the order of their ids.
                    let by_id = if self.reads_upwards() { "$lt" } else { "$gt" };
                    self.tie(field, cursor.count, by_id, cursor.id.clone())
                })
            }
            Sort::IdDescending { from } | Sort::IdAscending { from, .. } => {
                range.beyond = from.cursor().map(|id| (self.strictly(), (*id).into()));
                None
            }
        };
        if let Some(bound) = bound {
            range.add(bound);
        }
        if let Some(field) = self.sort.field() {
            let conditions = range.conditions(matches!(self.sort, Sort::IdAscending { .. }));
            if !conditions.is_empty() {
                first.insert(field, conditions);
            }
        }
        match tie {
            None => first,
            Some(tie) => doc! { "$and": [first, tie] },
        }
    }

    /// The items at a cursor's value and beyond it, in the direction of reading.
    fn beyond(&self, value: impl Into<Bson>) -> Bound {
        if self.reads_upwards() {
            Bound::AtLeast(value.into())
        } else {
            Bound::AtMost(value.into())
        }
    }

    fn strictly(&self) -> &'static str {
        if self.reads_upwards() { "$gt" } else { "$lt" }
    }

    /// What comes right after the item of a cursor in the direction of reading.
    fn tie(
        &self,
        field: &str,
        value: impl Into<Bson>,
        by_id: &str,
        id: impl Into<Bson>,
    ) -> Document {
        let value = value.into();
        doc! { "$or": [
            { field: { self.strictly(): value.clone() } },
            { field: value, "_id": { by_id: id.into() } },
        ] }
    }

    /// Whether values grow in the direction of reading.
    pub(super) fn reads_upwards(&self) -> bool {
        match &self.sort {
            Sort::None => false,
            Sort::NewestFirst { from, .. } => from.is_backwards(),
            Sort::LargestFirst { from, .. } => from.is_backwards(),
            Sort::IdDescending { from } => from.is_backwards(),
            Sort::IdAscending { from, .. } => !from.is_backwards(),
        }
    }

    /// The sort document in the direction of reading.
    #[must_use]
    pub fn sort_keys(&self) -> Option<Document> {
        let direction = if self.reads_upwards() { 1 } else { -1 };
        match &self.sort {
            Sort::None => None,
            Sort::LargestFirst { field, .. } => Some(doc! { *field: direction, "_id": -direction }),
            Sort::NewestFirst { field, .. } => Some(doc! { *field: direction, "_id": direction }),
            Sort::IdDescending { .. } | Sort::IdAscending { .. } => Some(doc! { "_id": direction }),
        }
    }

    /// Runs the read and gives every document found.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer or a document has not the
    /// shape of `T`.
    pub async fn all<T: DeserializeOwned>(&self, db: &Db) -> Result<Vec<T>, DbError> {
        let found = match db.windows() {
            Some(windows) if self.sort != Sort::None => windows.read(self, db).await?,
            _ => self.run(db, None).await?,
        };
        found
            .iter()
            .map(|document| {
                deserialize_from_slice(document.as_bytes())
                    .map_err(|error| DbError::from(mongodb::error::Error::from(error)))
            })
            .collect()
    }

    /// One find command.
    pub(super) async fn run(
        &self,
        db: &Db,
        bound: Option<Bound>,
    ) -> Result<Vec<RawDocumentBuf>, DbError> {
        let collection = db.collection::<RawDocumentBuf>(self.collection);
        let mut find = collection
            .find(self.filter_within(bound))
            .projection(self.projection.clone())
            .limit(i64::try_from(self.limit).unwrap_or(i64::MAX))
            // Everything in one answer: no second trip for the rest.
            .batch_size(u32::try_from(self.limit.saturating_add(1)).unwrap_or(u32::MAX))
            .max_time(MAX_TIME);
        if let Some(keys) = self.sort_keys() {
            find = find.sort(keys);
        }
        db.breaker().guard(async { Ok(find.await?.try_collect().await?) }).await
    }

    /// Runs the read for its first document.
    ///
    /// # Errors
    /// As [`FindSpec::all`].
    pub async fn first<T: DeserializeOwned>(&self, db: &Db) -> Result<Option<T>, DbError> {
        Ok(self.all(db).await?.into_iter().next())
    }

    /// Runs the read for one page; `limit` is the page's size plus one.
    ///
    /// # Errors
    /// As [`FindSpec::all`].
    pub async fn page<T, C>(
        &self,
        db: &Db,
        position: &Position<C>,
        cursor_of: impl Fn(&T) -> C,
    ) -> Result<Page<T, C>, DbError>
    where
        T: DeserializeOwned,
    {
        let read = self.all(db).await?;
        Ok(Page::cut(read, self.limit.saturating_sub(1), position, cursor_of))
    }

    /// Asks the server how it would run this read.
    ///
    /// # Errors
    /// As [`FindSpec::all`].
    pub async fn explain(&self, db: &Db) -> Result<Document, DbError> {
        let mut find = doc! {
            "find": self.collection,
            "filter": self.filter(),
            "projection": self.projection.clone(),
            "limit": i64::try_from(self.limit).unwrap_or(i64::MAX),
        };
        if let Some(keys) = self.sort_keys() {
            find.insert("sort", keys);
        }
        let command = doc! { "explain": find, "verbosity": "executionStats" };
        Ok(db.database().run_command(command).await?)
    }
}

/// The conditions on the first sort key, each side as narrow as it gets.
#[derive(Default)]
struct Range {
    least: Option<Bson>,
    most: Option<Bson>,
    /// Beyond an id, that one not included.
    beyond: Option<(&'static str, Bson)>,
}

impl Range {
    fn add(&mut self, bound: Bound) {
        let (side, value, keeps) = match bound {
            Bound::AtLeast(value) => (&mut self.least, value, Ordering::Greater),
            Bound::AtMost(value) => (&mut self.most, value, Ordering::Less),
        };
        let is_narrower = side.as_ref().is_none_or(|there| compare(&value, there) == keeps);
        if is_narrower {
            *side = Some(value);
        }
    }

    /// As a document. What bounds the list from its beginning stands first: see
    /// `window`.
    fn conditions(self, is_ascending: bool) -> Document {
        let mut all: Vec<(&str, Bson)> = self.beyond.into_iter().collect();
        all.extend(self.least.map(|value| ("$gte", value)));
        all.extend(self.most.map(|value| ("$lte", value)));
        let inner = if is_ascending { "$lt" } else { "$gt" };
        all.sort_by_key(|(operator, _)| !operator.starts_with(inner));
        all.into_iter().map(|(operator, value)| (operator.to_owned(), value)).collect()
    }
}

/// Values of one sort key, which are all of one kind.
fn compare(a: &Bson, b: &Bson) -> Ordering {
    match (a, b) {
        (Bson::DateTime(a), Bson::DateTime(b)) => a.cmp(b),
        (Bson::Int64(a), Bson::Int64(b)) => a.cmp(b),
        (Bson::ObjectId(a), Bson::ObjectId(b)) => a.cmp(b),
        _ => Ordering::Equal,
    }
}

#[cfg(test)]
mod tests {
    use mongodb::bson::DateTime;

    use super::*;

    fn newest(within: Option<TimeRange>, from: Position<Cursor>) -> Document {
        spec(Sort::NewestFirst { field: "at", within, from }).filter()
    }

    fn spec(sort: Sort) -> FindSpec {
        FindSpec {
            name: "",
            collection: "",
            index: "",
            equal: doc! { "status": "published" },
            residual: Document::new(),
            sort,
            limit: 2,
            projection: Document::new(),
        }
    }

    const fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis)
    }

    /// The narrower end wins, so that a page deep in a month starts where the
    /// last one ended, and no cursor leads out of the month.
    #[test]
    fn a_range_and_a_cursor_become_one_range() {
        let month = Some(TimeRange { first: at(10), last: at(19) });
        let id = ObjectId::from_bytes([7; 12]);
        assert_eq!(
            newest(month, Position::First),
            doc! { "status": "published", "at": { "$gte": at(10), "$lte": at(19) } }
        );
        for (cursor, last) in [(15, 15), (25, 19), (5, 5)] {
            let cursor = Cursor { at: at(cursor), id };
            assert_eq!(
                newest(month, Position::Following(cursor)),
                doc! { "$and": [
                    { "status": "published", "at": { "$gte": at(10), "$lte": at(last) } },
                    { "$or": [
                        { "at": { "$lt": cursor.at } },
                        { "at": cursor.at, "_id": { "$lt": id } },
                    ] },
                ] }
            );
        }
        for (cursor, first) in [(15, 15), (5, 10), (25, 25)] {
            let cursor = Cursor { at: at(cursor), id };
            let filter = newest(month, Position::Preceding(cursor));
            let range = filter.get_array("$and").unwrap()[0].as_document().unwrap();
            assert_eq!(
                range.get_document("at").unwrap(),
                &doc! { "$gte": at(first), "$lte": at(19) }
            );
        }
    }

    #[test]
    fn without_a_range_the_cursor_alone_bounds_the_list() {
        let cursor = Cursor { at: at(15), id: ObjectId::from_bytes([7; 12]) };
        assert_eq!(newest(None, Position::First), doc! { "status": "published" });
        for (position, range) in [
            (Position::Following(cursor), doc! { "$lte": at(15) }),
            (Position::Preceding(cursor), doc! { "$gte": at(15) }),
        ] {
            let filter = newest(None, position);
            let first = filter.get_array("$and").unwrap()[0].as_document().unwrap();
            assert_eq!(first, &doc! { "status": "published", "at": range });
        }
    }
}
