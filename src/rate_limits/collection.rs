//! `rate_limits`: name, index.

use std::time::Duration;

use crate::db::schema::{CollectionSpec, Compression, IndexKind, IndexSpec};

pub const RATE_LIMITS: &str = "rate_limits";

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: RATE_LIMITS,
    indexes: &[IndexSpec {
        name: "ttl",
        keys: &[("expiresAt", 1)],
        kind: IndexKind::Expiring(Duration::ZERO),
        serves: "forgetting counters of past windows",
    }],
    json_schema: None,
    compression: Compression::Default,
}];
