//! Leases: what one process at a time may do, whichever of them it is.
//!
//! A row of `jobs` is a lease. One statement takes it, by the server's clock alone:
//! a row that nobody holds, or whose holder has not renewed it in time, becomes
//! ours with the next epoch. Whoever stood still for too long finds another epoch
//! in the row: renewing fails, and [`Lease::guard`] and
//! [`finish`](Lease::finish) change nothing.

use std::time::{Duration, Instant};

use mongodb::{
    Collection,
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
    options::ReturnDocument,
};
use serde::Deserialize;

use super::{
    Db, DbError,
    schema::{CollectionSpec, Compression},
    transaction::Tx,
};

pub(super) const JOBS: &str = "jobs";

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: JOBS,
    indexes: &[],
    json_schema: None,
    compression: Compression::Default,
}];

/// A holder that is not heard of for this long has died.
pub const HELD_FOR: Duration = Duration::from_secs(15);

/// How often a holder renews: two renewals may fail.
pub const RENEW_EVERY: Duration = Duration::from_secs(5);

/// A row of `jobs`. Those of scheduled jobs hold `dueAt` and `lastRun` too.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Row {
    #[serde(rename = "_id")]
    pub name: String,
    pub owner: Option<ObjectId>,
    /// Goes up each time that the lease is taken.
    pub epoch: i64,
    pub expires_at: Option<DateTime>,
    pub last_run: Option<LastRun>,
}

/// How a job went last.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LastRun {
    pub ended_at: DateTime,
    pub duration_ms: i64,
    /// What was done, counted, if it went well.
    pub counts: Option<Document>,
    pub error: Option<String>,
}

/// When a lease may be taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// If nobody holds it.
    Free,
    /// If nobody holds it and its time (`dueAt`) has come.
    Due,
}

/// Held until it is finished, or not renewed for [`HELD_FOR`].
#[derive(Debug)]
pub struct Lease {
    db: Db,
    name: &'static str,
    owner: ObjectId,
    epoch: i64,
    renewed_at: Instant,
}

/// Another process has the lease, or may have it by now.
#[derive(Debug, thiserror::Error)]
#[error("the lease {0} is lost: this process stood still for too long, or the database did")]
pub struct LeaseLost(&'static str);

/// All rows, by name.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn rows(db: &Db) -> Result<Vec<Row>, DbError> {
    use futures_util::TryStreamExt;
    Ok(jobs(db).find(doc! {}).sort(doc! { "_id": 1 }).await?.try_collect().await?)
}

/// Takes a lease, or gives `None` if another has it or it is not due.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn take(db: &Db, name: &'static str, when: When) -> Result<Option<Lease>, DbError> {
    let owner = ObjectId::new();
    // Before the server's time is taken, so that ours ends no later.
    let renewed_at = Instant::now();
    let passed = |field: &str| {
        doc! { "$or": [
            { "$eq": [{ "$type": field }, "missing"] },
            { "$lte": [field, "$$NOW"] },
        ] }
    };
    let may_take = match when {
        When::Free => passed("$expiresAt"),
        When::Due => doc! { "$and": [passed("$expiresAt"), passed("$dueAt")] },
    };
    let ours = |value: Bson, field: &str| {
        Bson::Document(doc! { "$cond": [may_take.clone(), value, field] })
    };
    let next_epoch = doc! { "$add": [{ "$ifNull": ["$epoch", 0_i64] }, 1_i64] };
    // All three see the row as it was before this stage.
    let change = doc! { "$set": {
        "owner": ours(owner.into(), "$owner"),
        "epoch": ours(next_epoch.into(), "$epoch"),
        "expiresAt": ours(from_now(HELD_FOR).into(), "$expiresAt"),
    } };
    let row = jobs(db)
        .find_one_and_update(doc! { "_id": name }, vec![change])
        .upsert(true)
        .return_document(ReturnDocument::After)
        .await
        .map_err(DbError::from);
    match row {
        Ok(row) => Ok(row.filter(|row| row.owner == Some(owner)).map(|row| Lease {
            db: db.clone(),
            name,
            owner,
            epoch: row.epoch,
            renewed_at,
        })),
        // Two made the row at the same moment, and the other was first.
        Err(DbError::Duplicate { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl Lease {
    #[must_use]
    pub fn epoch(&self) -> i64 {
        self.epoch
    }

    /// Works while the lease is held, and keeps it.
    ///
    /// # Errors
    /// [`LeaseLost`]; then the work was cut off.
    pub async fn holding<T>(&mut self, work: impl Future<Output = T>) -> Result<T, LeaseLost> {
        self.renew_if_due().await?;
        tokio::pin!(work);
        loop {
            tokio::select! {
                outcome = &mut work => return Ok(outcome),
                () = tokio::time::sleep(RENEW_EVERY) => self.renew_if_due().await?,
            }
        }
    }

    async fn renew_if_due(&mut self) -> Result<(), LeaseLost> {
        if self.renewed_at.elapsed() < RENEW_EVERY {
            return Ok(());
        }
        let began = Instant::now();
        let change = vec![doc! { "$set": { "expiresAt": from_now(HELD_FOR) } }];
        match jobs(&self.db).update_one(self.filter(), change).await {
            Ok(updated) if updated.matched_count == 1 => {
                self.renewed_at = began;
                Ok(())
            }
            // Perhaps the next time; nobody can take it before it runs out.
            Err(error) if self.renewed_at.elapsed() < HELD_FOR => {
                tracing::warn!(lease = self.name, %error, "a lease could not be renewed");
                Ok(())
            }
            Ok(_) | Err(_) => Err(self.lost()),
        }
    }

    /// That another has it.
    #[must_use]
    pub fn lost(&self) -> LeaseLost {
        LeaseLost(self.name)
    }

    /// Makes a transaction depend on the lease: `false` if another has it, and if
    /// another takes it meanwhile, the transaction fails.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer.
    pub async fn guard(&self, tx: &mut Tx) -> Result<bool, DbError> {
        // A change, since a read alone would not collide with the other's.
        let change = doc! { "$inc": { "guarded": 1_i64 } };
        let jobs = tx.collection::<Row>(JOBS);
        let updated = jobs.update_one(self.filter(), change).session(&mut tx.session).await?;
        Ok(updated.matched_count == 1)
    }

    /// Gives the lease back.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer; then it runs out by itself.
    pub async fn release(self) -> Result<(), DbError> {
        let change = doc! { "$unset": { "owner": "", "expiresAt": "" } };
        jobs(&self.db).update_one(self.filter(), change).await?;
        Ok(())
    }

    /// Gives the lease back with what came of the run; due again in `again_in`.
    /// `false` if another has the lease: then nothing is written.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer.
    pub async fn finish(
        self,
        duration: Duration,
        outcome: Result<Document, String>,
        again_in: Duration,
    ) -> Result<bool, DbError> {
        let (word, result) = match outcome {
            Ok(counts) => ("counts", Bson::Document(counts)),
            Err(error) => ("error", Bson::String(error)),
        };
        let last_run = doc! {
            "endedAt": "$$NOW",
            "durationMs": millis(duration),
            word: { "$literal": result },
        };
        let change = vec![
            doc! { "$unset": ["owner", "expiresAt", "lastRun"] },
            doc! { "$set": { "lastRun": last_run, "dueAt": from_now(again_in) } },
        ];
        let updated = jobs(&self.db).update_one(self.filter(), change).await?;
        Ok(updated.matched_count == 1)
    }

    fn filter(&self) -> Document {
        doc! { "_id": self.name, "owner": self.owner, "epoch": self.epoch }
    }
}

fn jobs(db: &Db) -> Collection<Row> {
    db.collection(JOBS)
}

/// A time from now by the server's clock, in a pipeline. As numbers: the embedded
/// engine does no arithmetic on dates.
fn from_now(duration: Duration) -> Document {
    doc! { "$toDate": { "$add": [{ "$toLong": "$$NOW" }, millis(duration)] } }
}

fn millis(duration: Duration) -> i64 {
    i64::try_from(duration.as_millis()).unwrap_or(i64::MAX)
}
