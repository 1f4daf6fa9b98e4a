//! A document together with the one that it names by id, in one command.

use futures_util::TryStreamExt;
use mongodb::bson::{Document, deserialize_from_document, doc};
use serde::de::DeserializeOwned;

use super::{
    Db, DbError,
    find::{FindSpec, MAX_TIME},
};

/// The other document, found by its `_id`.
#[derive(Debug, Clone)]
pub struct Link {
    pub collection: &'static str,
    /// The field that holds the other's id.
    pub by: &'static str,
    /// Where the other stands in what comes back: an array of it, or an empty one.
    pub into: &'static str,
    /// Its fields that are wanted.
    pub fields: &'static [&'static str],
}

/// Runs the read for its first document, with the other one in it.
///
/// The projection comes last: with a pipeline inside `$lookup` the embedded engine
/// reads the whole other collection (20,000 users: 38 ms instead of 0.7).
///
/// # Errors
/// [`DbError`] when the database does not answer or a document has not the shape
/// of `T`.
pub async fn first_with<T: DeserializeOwned>(
    db: &Db,
    spec: &FindSpec,
    link: &Link,
) -> Result<Option<T>, DbError> {
    let mut projection = spec.projection.clone();
    for field in link.fields {
        projection.insert(format!("{}.{field}", link.into), 1);
    }
    let pipeline = [
        doc! { "$match": spec.filter() },
        doc! { "$limit": 1 },
        doc! { "$lookup": {
            "from": link.collection, "localField": link.by, "foreignField": "_id", "as": link.into,
        } },
        doc! { "$project": projection },
    ];
    let collection = db.collection::<Document>(spec.collection);
    let mut found = collection.aggregate(pipeline).max_time(MAX_TIME).await?;
    let Some(first) = found.try_next().await? else { return Ok(None) };
    deserialize_from_document(first)
        .map(Some)
        .map_err(|error| DbError::from(mongodb::error::Error::from(error)))
}
