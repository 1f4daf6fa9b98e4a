//! `media` and `media_files`: names, handles, indexes.

use mongodb::Collection;

use super::model::{Media, MediaFile};
use crate::db::{
    schema::{CollectionSpec, Compression, IndexKind, IndexSpec},
    transaction::Tx,
};

pub const MEDIA: &str = "media";
pub const MEDIA_FILES: &str = "media_files";

#[must_use]
pub fn media_in(tx: &Tx) -> Collection<Media> {
    tx.collection(MEDIA)
}

#[must_use]
pub fn media_files_in(tx: &Tx) -> Collection<MediaFile> {
    tx.collection(MEDIA_FILES)
}

pub const COLLECTIONS: &[CollectionSpec] = &[
    CollectionSpec {
        name: MEDIA,
        indexes: &[IndexSpec {
            name: "owner",
            keys: &[("ownerId", 1), ("_id", -1)],
            kind: IndexKind::Plain,
            serves: "the pictures of a member",
        }],
        json_schema: None,
        compression: Compression::Default,
    },
    CollectionSpec {
        name: MEDIA_FILES,
        indexes: &[],
        json_schema: None,
        // Compressed pictures do not become smaller.
        compression: Compression::Default,
    },
];
