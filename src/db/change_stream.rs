//! The changes of a whole database, in the order in which they happened, and where
//! a process that follows them goes on after a pause.
//!
//! A change says which document and which fields, not what they hold now: whoever
//! needs that reads the source again, so that the same change may come twice.

use std::time::Duration;

use mongodb::{
    Collection,
    bson::{Bson, Document, doc},
    change_stream::{ChangeStream, event::ResumeToken},
};
use serde::Deserialize;

use super::{
    Db, DbError,
    lease::{JOBS, Lease},
    schema::{CollectionSpec, Compression},
};

const RESUME_TOKENS: &str = "resume_tokens";

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: RESUME_TOKENS,
    indexes: &[],
    json_schema: None,
    compression: Compression::Default,
}];

/// What became of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Became {
    New,
    Changed,
    Gone,
}

/// One change of one document.
#[derive(Debug, Clone, PartialEq)]
pub struct Change {
    pub collection: String,
    pub id: Bson,
    pub became: Became,
    /// The fields at the top of the document that changed; none if all may have.
    fields: Vec<String>,
}

impl Change {
    /// Whether one of these fields may have changed.
    #[must_use]
    pub fn touches(&self, fields: &[&str]) -> bool {
        self.fields.is_empty() || fields.iter().any(|field| self.fields.iter().any(|f| f == field))
    }
}

/// What listeners in the process hear.
#[derive(Debug, Clone, PartialEq)]
pub enum News {
    Changed(Change),
    /// Anything may have changed.
    Missed,
}

/// Why no more changes come.
#[derive(Debug, thiserror::Error)]
pub enum StreamError {
    /// What happened meanwhile is not known any more: the token is too old or of
    /// another database, or the database was dropped.
    #[error("changes were missed: {0}")]
    Missed(String),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// An event as the server sends it, without what the document holds.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Event {
    operation_type: String,
    ns: Option<Namespace>,
    document_key: Option<Document>,
    update_description: Option<UpdateDescription>,
}

#[derive(Deserialize)]
struct Namespace {
    coll: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct UpdateDescription {
    updated_fields: Document,
    removed_fields: Vec<String>,
    truncated_arrays: Option<Vec<TruncatedArray>>,
}

#[derive(Deserialize)]
struct TruncatedArray {
    field: String,
}

/// An open stream.
pub struct Changes {
    stream: ChangeStream<Event>,
}

impl Changes {
    /// Opens the stream at a token, or at the present. `quiet_after` is how long
    /// [`Changes::next`] waits.
    ///
    /// # Errors
    /// [`StreamError::Missed`] if the token leads nowhere any more.
    pub async fn open(
        db: &Db,
        after: Option<ResumeToken>,
        quiet_after: Duration,
    ) -> Result<Self, StreamError> {
        let watch = db.database().watch().pipeline(pipeline()).max_await_time(quiet_after);
        // `startAfter` and not `resumeAfter`: it goes on behind an invalidate too.
        let stream = match after {
            Some(token) => watch.start_after(token).await,
            None => watch.await,
        };
        Ok(Self { stream: stream.map_err(sort_out)?.with_type() })
    }

    /// The next change; `None` if there was none for a while.
    ///
    /// # Errors
    /// [`StreamError::Missed`] if the stream cannot go on from where it was.
    pub async fn next(&mut self) -> Result<Option<Change>, StreamError> {
        loop {
            let Some(event) = self.stream.next_if_any().await.map_err(sort_out)? else {
                if self.stream.is_alive() {
                    return Ok(None);
                }
                return Err(StreamError::Missed("the stream has ended".to_owned()));
            };
            match event.operation_type.as_str() {
                // A rename or drop of a collection is a restore, or work by hand.
                "invalidate" | "drop" | "dropDatabase" | "rename" => {
                    return Err(StreamError::Missed(event.operation_type));
                }
                _ => {}
            }
            if let Some(change) = change_of(event) {
                return Ok(Some(change));
            }
        }
    }

    /// Where a stream would go on after the last change that was given.
    #[must_use]
    pub fn token(&self) -> Option<ResumeToken> {
        self.stream.resume_token()
    }
}

/// Changes of counters (`stats` and `hotScore`) alone are left out by the server:
/// there are more of them than of all others together. So is what documents hold.
fn pipeline() -> Vec<Document> {
    let is_counter = doc! { "$or": [
        { "$eq": ["$$this.k", "hotScore"] },
        { "$eq": ["$$this.k", "stats"] },
        { "$eq": [{ "$substrBytes": ["$$this.k", 0, 6] }, "stats."] },
    ] };
    let updated = doc! { "$objectToArray": {
        "$ifNull": ["$updateDescription.updatedFields", {}],
    } };
    let others = doc! { "$filter": {
        "input": updated, "as": "this", "cond": { "$not": [is_counter] },
    } };
    let is_of_note = doc! { "$or": [
        { "$not": [{ "$eq": ["$operationType", "update"] }] },
        { "$gt": [{ "$size": others }, 0] },
        { "$gt": [{ "$size": { "$ifNull": ["$updateDescription.removedFields", []] } }, 0] },
    ] };
    // What is written because of the stream would keep it from ever being quiet.
    let is_own = doc! { "$in": ["$ns.coll", [RESUME_TOKENS, JOBS]] };
    vec![
        doc! { "$match": { "$expr": { "$and": [{ "$not": [is_own] }, is_of_note] } } },
        doc! { "$unset": ["fullDocument"] },
    ]
}

fn change_of(event: Event) -> Option<Change> {
    let became = match event.operation_type.as_str() {
        "insert" => Became::New,
        "update" | "replace" => Became::Changed,
        "delete" => Became::Gone,
        _ => return None,
    };
    let mut fields = Vec::new();
    if let Some(update) = event.update_description {
        let truncated = update.truncated_arrays.into_iter().flatten().map(|array| array.field);
        let names = update.updated_fields.into_iter().map(|(name, _)| name);
        for name in names.chain(update.removed_fields).chain(truncated) {
            let top = name.split('.').next().unwrap_or_default().to_owned();
            if !fields.contains(&top) {
                fields.push(top);
            }
        }
    }
    let collection = event.ns?.coll?;
    let id = event.document_key?.remove("_id")?;
    Some(Change { collection, id, became, fields })
}

/// Errors of the network are the driver's to mend, and it has tried. What a server
/// answers means that this stream does not go on, unless it is an outage.
fn sort_out(error: mongodb::error::Error) -> StreamError {
    match DbError::from(error) {
        DbError::Failed(error) => StreamError::Missed(error.to_string()),
        other => StreamError::Db(other),
    }
}

/// Where a worker went on last.
#[derive(Deserialize)]
struct Saved {
    token: ResumeToken,
}

/// The token that was saved last, if any.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn saved_token(db: &Db, worker: &str) -> Result<Option<ResumeToken>, DbError> {
    let mut found = tokens(db).find(doc! { "_id": worker }).limit(1).await?;
    if !found.advance().await? {
        return Ok(None);
    }
    Ok(Some(found.deserialize_current()?.token))
}

/// Saves where to go on. `false` if the lease is another's by now, who has saved
/// later tokens: then nothing is written.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn save_token(
    db: &Db,
    worker: &str,
    lease: &Lease,
    token: &ResumeToken,
) -> Result<bool, DbError> {
    let token = mongodb::bson::serialize_to_bson(token).map_err(mongodb::error::Error::from)?;
    let filter = doc! { "_id": worker, "epoch": { "$lte": lease.epoch() } };
    let change = doc! {
        "$set": { "token": token, "epoch": lease.epoch() },
        "$currentDate": { "savedAt": true },
    };
    // A row of a later epoch does not fit, and making another violates `_id`.
    match tokens(db).update_one(filter, change).upsert(true).await.map_err(DbError::from) {
        Ok(_) => Ok(true),
        Err(DbError::Duplicate { .. }) => Ok(false),
        Err(error) => Err(error),
    }
}

fn tokens(db: &Db) -> Collection<Saved> {
    db.collection(RESUME_TOKENS)
}
