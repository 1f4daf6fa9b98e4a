//! Reads that can be run or explained: each says which page it serves and which
//! index it leans on.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};
use serde::de::DeserializeOwned;

use super::{Db, DbError};
use crate::domain::paging::{CountCursor, Cursor, Page, Position, TimeRange};

/// A page does not wait longer than this for one read.
const MAX_TIME: Duration = Duration::from_millis(1500);

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
    /// By `_id`, in the order of making.
    IdAscending { from: Position<ObjectId> },
    /// By a number that is at least `least`, largest first, then by `_id`.
    LargestFirst { field: &'static str, least: i64, from: Position<CountCursor> },
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
        let mut first = self.equal.clone();
        first.extend(self.residual.clone());
        match &self.sort {
            Sort::None => first,
            Sort::IdDescending { from } => id_range(first, from, "$lt", "$gt"),
            Sort::IdAscending { from } => id_range(first, from, "$gt", "$lt"),
            Sort::NewestFirst { field, within, from } => {
                let mut low = within.map(|range| range.first);
                let mut high = within.map(|range| range.last);
                let tie = match from {
                    Position::First => None,
                    Position::Following(Cursor { at, id }) => {
                        high = Some(high.map_or(*at, |last| last.min(*at)));
                        Some(tie(field, "$lt", *at, "$lt", *id))
                    }
                    Position::Preceding(Cursor { at, id }) => {
                        low = low.max(Some(*at));
                        Some(tie(field, "$gt", *at, "$gt", *id))
                    }
                };
                between(first, field, low, high, tie)
            }
            Sort::LargestFirst { field, least, from } => {
                let (low, high, tie) = match from {
                    Position::First => (*least, None, None),
                    Position::Following(CountCursor { count, id }) => {
                        (*least, Some(*count), Some(tie(field, "$lt", *count, "$gt", id)))
                    }
                    Position::Preceding(CountCursor { count, id }) => {
                        (*count.max(least), None, Some(tie(field, "$gt", *count, "$lt", id)))
                    }
                };
                between(first, field, Some(low), high, tie)
            }
        }
    }

    /// The sort document in the direction of reading.
    #[must_use]
    pub fn sort_keys(&self) -> Option<Document> {
        let backwards = |is_backwards: bool| if is_backwards { 1 } else { -1 };
        match &self.sort {
            Sort::None => None,
            Sort::LargestFirst { field, from, .. } => {
                let direction = backwards(matches!(from, Position::Preceding(_)));
                Some(doc! { *field: direction, "_id": -direction })
            }
            Sort::NewestFirst { field, from, .. } => {
                let direction = backwards(matches!(from, Position::Preceding(_)));
                Some(doc! { *field: direction, "_id": direction })
            }
            Sort::IdDescending { from } => {
                Some(doc! { "_id": backwards(matches!(from, Position::Preceding(_))) })
            }
            Sort::IdAscending { from } => {
                Some(doc! { "_id": -backwards(matches!(from, Position::Preceding(_))) })
            }
        }
    }

    /// Runs the read and gives every document found.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer or a document has not the
    /// shape of `T`.
    pub async fn all<T: DeserializeOwned + Send + Sync>(&self, db: &Db) -> Result<Vec<T>, DbError> {
        let limit = i64::try_from(self.limit).unwrap_or(i64::MAX);
        let collection = db.collection::<T>(self.collection);
        let mut find = collection
            .find(self.filter())
            .projection(self.projection.clone())
            .limit(limit)
            // Everything in one answer: no second trip for the rest.
            .batch_size(u32::try_from(self.limit.saturating_add(1)).unwrap_or(u32::MAX))
            .max_time(MAX_TIME);
        if let Some(keys) = self.sort_keys() {
            find = find.sort(keys);
        }
        Ok(find.await?.try_collect().await?)
    }

    /// Runs the read for its first document.
    ///
    /// # Errors
    /// As [`FindSpec::all`].
    pub async fn first<T: DeserializeOwned + Send + Sync>(
        &self,
        db: &Db,
    ) -> Result<Option<T>, DbError> {
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
        T: DeserializeOwned + Send + Sync,
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

/// What comes right after the item of a cursor, or right before it.
fn tie(
    field: &str,
    operator: &str,
    value: impl Into<Bson>,
    id_operator: &str,
    id: impl Into<Bson>,
) -> Document {
    let value = value.into();
    doc! { "$or": [
        { field: { operator: value.clone() } },
        { field: value, "_id": { id_operator: id.into() } },
    ] }
}

/// The equalities, a range on the sort key with both ends in it, and the tie.
fn between(
    mut first: Document,
    field: &str,
    low: Option<impl Into<Bson>>,
    high: Option<impl Into<Bson>>,
    tie: Option<Document>,
) -> Document {
    let mut range = Document::new();
    range.extend(low.map(|low| ("$gte".to_owned(), low.into())));
    range.extend(high.map(|high| ("$lte".to_owned(), high.into())));
    if !range.is_empty() {
        first.insert(field, range);
    }
    match tie {
        None => first,
        Some(tie) => doc! { "$and": [first, tie] },
    }
}

fn id_range(
    mut first: Document,
    from: &Position<ObjectId>,
    following: &str,
    preceding: &str,
) -> Document {
    let (operator, id) = match from {
        Position::First => return first,
        Position::Following(id) => (following, id),
        Position::Preceding(id) => (preceding, id),
    };
    first.insert("_id", Bson::Document(doc! { operator: *id }));
    first
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
