//! What this process knows of slugs, so that it need not ask.
//!
//! Invariants:
//! - **A slug that was public leads to its post for good**, so what is known of it is
//!   never wrong. A draft may give its slug back; nothing is kept of it.
//! - **A slug that nothing has is unknown for ten seconds**, or until this process
//!   saves a post under it. Other processes may answer 404 for so long to those who
//!   asked too early.
//! - Both are bounded: what was not asked for in a long time is forgotten.

use std::time::Duration;

use moka::sync::Cache;
use mongodb::bson::oid::ObjectId;

use super::model::{PostMeta, SLUG_CHARS};

const MOST: u64 = 50_000;

/// How long a dead address costs nothing.
const UNKNOWN_FOR: Duration = Duration::from_secs(10);

/// Shared by all workers; cloning is cheap.
#[derive(Clone)]
pub struct Slugs {
    known: Cache<String, ObjectId>,
    unknown: Cache<String, ()>,
}

impl Default for Slugs {
    fn default() -> Self {
        Self {
            known: Cache::new(MOST),
            unknown: Cache::builder().max_capacity(MOST).time_to_live(UNKNOWN_FOR).build(),
        }
    }
}

impl Slugs {
    /// The post that a slug leads to, now or from long ago.
    #[must_use]
    pub fn post(&self, slug: &str) -> Option<ObjectId> {
        self.known.get(slug)
    }

    /// Whether nothing had the slug a moment ago.
    #[must_use]
    pub fn is_unknown(&self, slug: &str) -> bool {
        self.unknown.contains_key(slug)
    }

    /// A slug has led to this post.
    pub fn learn(&self, slug: &str, post: &PostMeta) {
        if post.published_at.is_some() {
            self.known.insert(slug.to_owned(), post.id);
        }
    }

    /// Nothing has the slug. What is too long for one is not kept: strangers choose it.
    pub fn miss(&self, slug: &str) {
        if slug.chars().count() <= SLUG_CHARS {
            self.unknown.insert(slug.to_owned(), ());
        }
    }

    /// A post was saved under the slug.
    pub fn given(&self, slug: &str) {
        self.unknown.invalidate(slug);
    }
}
