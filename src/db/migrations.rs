//! Changes to stored documents, each run once for a database, and the ledger
//! that remembers them.
//!
//! Migrations go forward only, in the order of their numbers. Each must be
//! harmless when run again and must leave documents that the release before can
//! still read: a process that dies in the middle has its migration run again,
//! and older processes may still serve meanwhile.
//!
//! A row of the ledger is the claim on its migration too. While one runs, its
//! process renews the row; a claim that has not been renewed for `CLAIM_MILLIS`
//! belongs to a process that died.

use std::time::{Duration, Instant};

use futures_util::{TryStreamExt, future::BoxFuture};
use mongodb::{
    Collection,
    bson::{Bson, DateTime, Document, doc, oid::ObjectId},
    options::ReturnDocument,
};
use serde::Deserialize;

use super::{
    Db, DbError,
    schema::{CollectionSpec, Compression},
};

const MIGRATIONS: &str = "migrations";

/// The ledger itself.
pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: MIGRATIONS,
    indexes: &[],
    json_schema: None,
    compression: Compression::Default,
}];

/// A claim that nobody renewed for this long may be taken over.
const CLAIM_MILLIS: i64 = 30_000;

const RENEW_EVERY: Duration = Duration::from_secs(10);

/// How often a process looks whether another has finished.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// One change to stored documents.
#[derive(Debug, Clone, Copy)]
pub struct Migration {
    /// 1, 2, 3 and so on, for good.
    pub number: i32,
    pub name: &'static str,
    pub run: for<'a> fn(&'a Db) -> BoxFuture<'a, Result<(), DbError>>,
}

/// Whether the numbers are 1, 2, 3 and so on; to be asserted where a list stands.
#[must_use]
pub const fn are_numbered(migrations: &[Migration]) -> bool {
    let mut rest = migrations;
    let mut number = 1;
    while let [first, others @ ..] = rest {
        if first.number != number {
            return false;
        }
        number += 1;
        rest = others;
    }
    true
}

#[derive(Debug, thiserror::Error)]
pub enum MigrationError {
    #[error(
        "this database was used by a newer Inkstone: it holds migration {found}, this program \
         ends at {known}; start the newer program, or restore a backup from before it"
    )]
    Newer { found: i32, known: i32 },
    #[error("migration {number} ({name}) failed; it runs again at the next start")]
    Failed { number: i32, name: &'static str, source: DbError },
    #[error(
        "migration {number} ({name}) was taken over by another process, since this one stood \
         still for too long"
    )]
    TakenOver { number: i32, name: &'static str },
    #[error(transparent)]
    Db(#[from] DbError),
}

/// A row of the ledger, as far as it decides what happens. It holds `name`,
/// `version` (of the program), `startedAt`, `durationMs` and `renewedAt` too; a
/// finished one has no owner.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Row {
    #[serde(rename = "_id")]
    number: i32,
    finished_at: Option<DateTime>,
    owner: Option<ObjectId>,
}

fn ledger(db: &Db) -> Collection<Row> {
    db.collection(MIGRATIONS)
}

/// What is still to be run, in order. Changes nothing.
///
/// # Errors
/// [`MigrationError::Newer`], or the database does not answer.
pub async fn pending<'a>(
    db: &Db,
    migrations: &'a [Migration],
) -> Result<Vec<&'a Migration>, MigrationError> {
    let rows = ledger(db).find(doc! {}).await.map_err(DbError::from)?;
    let rows: Vec<Row> = rows.try_collect().await.map_err(DbError::from)?;
    let known = migrations.last().map_or(0, |last| last.number);
    let found = rows.iter().map(|row| row.number).max().unwrap_or(0);
    if found > known {
        return Err(MigrationError::Newer { found, known });
    }
    let is_finished = |migration: &Migration| {
        rows.iter().any(|row| row.number == migration.number && row.finished_at.is_some())
    };
    Ok(migrations.iter().filter(|migration| !is_finished(migration)).collect())
}

/// Runs what is still to be run and gives what this process ran itself. If
/// several processes come at once, each migration is run by one of them, and the
/// others wait for it.
///
/// # Errors
/// [`MigrationError`]; what was finished before it stays finished.
pub async fn run<'a>(
    db: &Db,
    migrations: &'a [Migration],
) -> Result<Vec<&'a Migration>, MigrationError> {
    let mut ran = Vec::new();
    for migration in pending(db, migrations).await? {
        let claim = Claim { db, migration, owner: ObjectId::new() };
        if claim.take_turn().await? {
            claim.run().await?;
            ran.push(migration);
        }
    }
    Ok(ran)
}

/// One process's hold on one migration.
struct Claim<'a> {
    db: &'a Db,
    migration: &'a Migration,
    owner: ObjectId,
}

impl Claim<'_> {
    /// Waits until the migration is ours (`true`) or done by another process.
    async fn take_turn(&self) -> Result<bool, DbError> {
        let mut is_told = false;
        loop {
            match self.ask().await {
                Ok(Some(row)) if row.finished_at.is_some() => return Ok(false),
                Ok(Some(row)) if row.owner == Some(self.owner) => return Ok(true),
                // The row was being made by two processes at the same moment.
                Ok(_) | Err(DbError::Duplicate { .. }) => {}
                Err(error) => return Err(error),
            }
            if !is_told {
                tracing::info!(
                    number = self.migration.number,
                    "waiting for a migration that another process runs"
                );
                is_told = true;
            }
            tokio::time::sleep(LOOK_EVERY).await;
        }
    }

    /// Makes the row ours if it is nobody's, in one statement, by the server's
    /// clock; gives the row as it is then.
    async fn ask(&self) -> Result<Option<Row>, DbError> {
        let is_missing = |field: &str| doc! { "$eq": [{ "$type": field }, "missing"] };
        // As numbers: the embedded engine does no arithmetic on dates.
        let age = doc! { "$subtract": [{ "$toLong": "$$NOW" }, { "$toLong": "$renewedAt" }] };
        let is_free = doc! { "$and": [
            is_missing("$finishedAt"),
            { "$or": [is_missing("$renewedAt"), { "$gt": [age, CLAIM_MILLIS] }] },
        ] };
        let ours = |field: &str, value: Bson| {
            Bson::Document(doc! { "$cond": [is_free.clone(), value, format!("${field}")] })
        };
        let literal = |text: &str| Bson::Document(doc! { "$literal": text });
        let claimed: Document = [
            ("name", literal(self.migration.name)),
            ("version", literal(env!("CARGO_PKG_VERSION"))),
            ("startedAt", "$$NOW".into()),
            ("owner", self.owner.into()),
            ("renewedAt", "$$NOW".into()),
        ]
        .into_iter()
        .map(|(field, value)| (field.to_owned(), ours(field, value)))
        .collect();
        let row = ledger(self.db)
            .find_one_and_update(
                doc! { "_id": self.migration.number },
                vec![doc! { "$set": claimed }],
            )
            .upsert(true)
            .return_document(ReturnDocument::After)
            .await?;
        Ok(row)
    }

    async fn run(&self) -> Result<(), MigrationError> {
        let Migration { number, name, run } = *self.migration;
        tracing::info!(number, name, "migration begins");
        let start = Instant::now();
        let work = run(self.db);
        tokio::pin!(work);
        let outcome = loop {
            tokio::select! {
                outcome = &mut work => break outcome,
                () = tokio::time::sleep(RENEW_EVERY) => {
                    self.update(doc! { "$currentDate": { "renewedAt": true } }).await?;
                }
            }
        };
        let no_claim = doc! { "owner": "", "renewedAt": "" };
        if let Err(source) = outcome {
            // Free for the next start. If that fails too, the claim runs out.
            if let Err(error) = self.update(doc! { "$unset": no_claim }).await {
                tracing::warn!(%error, number, "the claim on a migration could not be given back");
            }
            return Err(MigrationError::Failed { number, name, source });
        }
        let duration_ms = i64::try_from(start.elapsed().as_millis()).unwrap_or(i64::MAX);
        self.update(doc! {
            "$currentDate": { "finishedAt": true },
            "$set": { "durationMs": duration_ms },
            "$unset": no_claim,
        })
        .await?;
        tracing::info!(number, name, duration_ms, "migration done");
        Ok(())
    }

    async fn update(&self, change: Document) -> Result<(), MigrationError> {
        let Migration { number, name, .. } = *self.migration;
        let filter = doc! { "_id": number, "owner": self.owner };
        let updated = ledger(self.db).update_one(filter, change).await.map_err(DbError::from)?;
        if updated.matched_count == 0 {
            return Err(MigrationError::TakenOver { number, name });
        }
        Ok(())
    }
}
