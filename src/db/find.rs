//! Reads that can be run or explained: each says which page it serves and which
//! index it leans on.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, RawDocumentBuf, deserialize_from_slice, doc, oid::ObjectId};
use serde::de::DeserializeOwned;

use super::{Db, DbError};
use crate::domain::paging::{Cursor, Page, Position};

/// A page does not wait longer than this for one read.
const MAX_TIME: Duration = Duration::from_millis(1500);

/// In place of an index: whichever document comes first, without a condition or
/// an order. MongoDB's own word for it.
pub const NATURAL: &str = "$natural";

/// The order of a list and where to begin in it. `_id` is always the last key,
/// so that equal times keep one order.
#[derive(Debug, Clone, PartialEq)]
pub enum Sort {
    /// No order: the read finds at most one document, or the order is no matter.
    None,
    /// Latest first by a time field, then by `_id` descending.
    NewestFirst { field: &'static str, from: Position<Cursor> },
    /// By `_id`, the latest made first.
    IdDescending { from: Position<ObjectId> },
    /// By `_id`, in the order of making; `begin` is an id that all of them are
    /// later than.
    IdAscending { from: Position<ObjectId>, begin: ObjectId },
    /// By a number, largest first, then by `_id`; always the top of the list.
    LargestFirst { field: &'static str },
}

impl Sort {
    /// The first sort key.
    pub(super) fn field(&self) -> Option<&'static str> {
        match self {
            Self::None => None,
            Self::NewestFirst { field, .. } | Self::LargestFirst { field } => Some(field),
            Self::IdDescending { .. } | Self::IdAscending { .. } => Some("_id"),
        }
    }
}

/// One more condition on the first sort key.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Bound {
    pub(super) operator: &'static str,
    pub(super) value: Bson,
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
        let mut range: Vec<(&str, Bson)> =
            bound.map(|Bound { operator, value }| (operator, value)).into_iter().collect();
        let tie = match &self.sort {
            Sort::NewestFirst { field, from } => from.cursor().map(|cursor| {
                let (strict, loose) = self.operators();
                range.push((loose, cursor.at.into()));
                doc! { "$or": [
                    { *field: { strict: cursor.at } },
                    { *field: cursor.at, "_id": { strict: cursor.id } },
                ] }
            }),
            Sort::IdDescending { from } | Sort::IdAscending { from, .. } => {
                if let Some(id) = from.cursor() {
                    range.push((self.operators().0, (*id).into()));
                }
                None
            }
            Sort::None | Sort::LargestFirst { .. } => None,
        };
        if let Some(field) = self.sort.field()
            && !range.is_empty()
        {
            // What bounds the list from its beginning first: see `window`.
            let inner = if matches!(self.sort, Sort::IdAscending { .. }) { "$lt" } else { "$gt" };
            range.sort_by_key(|(operator, _)| !operator.starts_with(inner));
            let range: Document =
                range.into_iter().map(|(operator, value)| (operator.to_owned(), value)).collect();
            first.insert(field, range);
        }
        match tie {
            None => first,
            Some(tie) => doc! { "$and": [first, tie] },
        }
    }

    /// What comes after a cursor in the direction of reading: beyond it, and at
    /// it or beyond.
    fn operators(&self) -> (&'static str, &'static str) {
        if self.reads_upwards() { ("$gt", "$gte") } else { ("$lt", "$lte") }
    }

    /// Whether values grow in the direction of reading.
    pub(super) fn reads_upwards(&self) -> bool {
        match &self.sort {
            Sort::NewestFirst { from, .. } => from.is_backwards(),
            Sort::IdDescending { from } => from.is_backwards(),
            Sort::IdAscending { from, .. } => !from.is_backwards(),
            Sort::None | Sort::LargestFirst { .. } => false,
        }
    }

    /// The sort document in the direction of reading.
    #[must_use]
    pub fn sort_keys(&self) -> Option<Document> {
        let direction = if self.reads_upwards() { 1 } else { -1 };
        match &self.sort {
            Sort::None => None,
            Sort::LargestFirst { field } => Some(doc! { *field: -1, "_id": 1 }),
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
        Ok(find.await?.try_collect().await?)
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
