//! Reads that can be run or explained: each says which page it serves and which
//! index it leans on.

use std::time::Duration;

use futures_util::TryStreamExt;
use mongodb::bson::{Bson, Document, doc, oid::ObjectId};
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
    /// By `_id`, in the order of making.
    IdAscending { from: Position<ObjectId> },
    /// By a number, largest first, then by `_id`; always the top of the list.
    LargestFirst { field: &'static str },
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
            Sort::None | Sort::LargestFirst { .. } => first,
            Sort::IdDescending { from } => id_range(first, from, "$lt", "$gt"),
            Sort::IdAscending { from } => id_range(first, from, "$gt", "$lt"),
            Sort::NewestFirst { field, from } => {
                let (cursor, strict, loose) = match from {
                    Position::First => return first,
                    Position::Following(cursor) => (cursor, "$lt", "$lte"),
                    Position::Preceding(cursor) => (cursor, "$gt", "$gte"),
                };
                first.insert(*field, doc! { loose: cursor.at });
                let tie = doc! { "$or": [
                    { *field: { strict: cursor.at } },
                    { *field: cursor.at, "_id": { strict: cursor.id } },
                ] };
                doc! { "$and": [first, tie] }
            }
        }
    }

    /// The sort document in the direction of reading.
    #[must_use]
    pub fn sort_keys(&self) -> Option<Document> {
        let backwards = |is_backwards: bool| if is_backwards { 1 } else { -1 };
        match &self.sort {
            Sort::None => None,
            Sort::LargestFirst { field } => Some(doc! { *field: -1, "_id": 1 }),
            Sort::NewestFirst { field, from } => {
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
