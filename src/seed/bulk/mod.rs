//! Bulk content: as many posts, comments and authors as asked for, put together
//! from the sample's sentences, titles and tags and from `seed/words.toml`.
//!
//! Everything follows from [`Bulk`]. It is stored when it is begun, since it
//! holds a time: the same command an hour later means the same content.

pub mod collection;
mod material;
mod people;
mod plan;
mod posts;
mod random;
mod texts;

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use mongodb::bson::{DateTime, Document, doc};
use serde::{Deserialize, Serialize};
use tokio::{
    sync::mpsc,
    task::{JoinSet, spawn_blocking},
};

pub use self::posts::Handfuls;
use self::{
    collection::{SEEDS, seeds},
    plan::Plan,
};
use super::{content::Content, documents::Documents, settle::settle, write};
use crate::{
    db::{
        Db, DbError,
        find::{FindSpec, Sort},
    },
    domain::site_time::SiteZone,
};

/// Handfuls being written together.
const IN_FLIGHT: usize = 3;

/// What is asked for. A document of `seeds`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Bulk {
    /// Another seed is other content beside this.
    #[serde(rename = "_id")]
    pub seed: u16,
    pub posts: u32,
    pub comments: u32,
    pub authors: u32,
    /// The newest posts and comments are from just before.
    pub until: DateTime,
}

#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    #[error(
        "--seed {} was begun with --posts {} --comments {} --authors {}: run that again to finish \
         it, or choose another --seed",
        .0.seed, .0.posts, .0.comments, .0.authors
    )]
    Other(Bulk),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// What was begun with a seed. Serves seeding.
#[must_use]
pub fn begun_spec(seed: u16) -> FindSpec {
    FindSpec {
        name: "seeds: one by number",
        collection: SEEDS,
        index: "_id_",
        equal: doc! { "_id": i32::from(seed) },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: doc! { "posts": 1, "comments": 1, "authors": 1, "until": 1 },
    }
}

impl Bulk {
    /// Takes down what is to be made. If it was begun before, that counts, with
    /// its time.
    ///
    /// # Errors
    /// [`BeginError::Other`] if this seed was begun with other numbers.
    pub async fn begin(self, db: &Db) -> Result<Self, BeginError> {
        match seeds(db).insert_one(self).await.map_err(DbError::from) {
            Ok(_) => return Ok(self),
            Err(DbError::Duplicate { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        let begun: Self = begun_spec(self.seed).first(db).await?.unwrap_or(self);
        if begun == (Self { until: begun.until, ..self }) {
            Ok(begun)
        } else {
            Err(BeginError::Other(begun))
        }
    }

    /// Posts (each with body, source and address), comments and authors (each
    /// with address).
    #[must_use]
    pub fn documents(&self) -> u64 {
        u64::from(self.posts) * 4 + u64::from(self.comments) + u64::from(self.authors) * 2
    }

    /// Everything to be written, handful by handful. Renders for some seconds.
    ///
    /// # Errors
    /// A sample file has a mistake.
    pub fn handfuls(self) -> anyhow::Result<Handfuls> {
        Handfuls::of(Plan::of(self), Content::load()?)
    }

    /// Writes all that is not there yet, and counts in `written` as it goes. The
    /// counts of tags, categories and months (in `zone`), and then the users, come
    /// last.
    ///
    /// # Errors
    /// The database does not answer or refuses a document.
    pub async fn fill(
        self,
        db: &Db,
        zone: &SiteZone,
        written: &Arc<AtomicU64>,
    ) -> anyhow::Result<()> {
        let mut handfuls = spawn_blocking(move || self.handfuls()).await??;
        write::categories(db, &handfuls.categories).await?;
        let users = handfuls.authors.clone();
        let (ready, mut next) = mpsc::channel(1);
        // A thread of its own makes the documents while others are written.
        let maker = spawn_blocking(move || {
            // If nobody takes them any more, writing has failed.
            handfuls.try_for_each(|handful| ready.blocking_send(handful).map_err(drop)).ok();
        });
        let mut writers = JoinSet::new();
        while let Some(handful) = next.recv().await {
            if writers.len() >= IN_FLIGHT
                && let Some(done) = writers.join_next().await
            {
                done??;
            }
            writers.spawn(write_handful(db.clone(), handful?, written.clone()));
        }
        while let Some(done) = writers.join_next().await {
            done??;
        }
        maker.await?;
        let totals = settle(db, zone).await?;
        write::users(db, users, &totals).await?;
        written.store(self.documents(), Ordering::Relaxed);
        Ok(())
    }
}

async fn write_handful(
    db: Db,
    documents: Documents,
    written: Arc<AtomicU64>,
) -> Result<(), DbError> {
    write::documents(&db, &documents).await?;
    let count = documents.posts.len() * 4 + documents.comments.len();
    written.fetch_add(u64::try_from(count).unwrap_or_default(), Ordering::Relaxed);
    Ok(())
}
