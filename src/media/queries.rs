//! Reads of pictures, one function an access pattern.

use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    collection::{MEDIA, MEDIA_FILES},
    model::{Media, MediaFile},
};
use crate::db::{
    Db, DbError,
    find::{FindSpec, Sort},
};

/// Pictures of one text whose sizes are known; further ones are shown without.
const MOST_IN_TEXT: usize = 200;

/// Serves the file of one size.
#[must_use]
pub fn file_spec(file_id: &str) -> FindSpec {
    FindSpec {
        name: "media_files: one by address",
        collection: MEDIA_FILES,
        index: "_id_",
        equal: doc! { "_id": file_id },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: doc! { "bytes": 1 },
    }
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_file(db: &Db, file_id: &str) -> Result<Option<MediaFile>, DbError> {
    file_spec(file_id).first(db).await
}

/// Serves saving a post: the sizes of its pictures.
#[must_use]
pub fn by_hashes_spec(hashes: &[String]) -> FindSpec {
    let hashes = hashes.get(..MOST_IN_TEXT).unwrap_or(hashes);
    FindSpec {
        name: "media: by hashes",
        collection: MEDIA,
        index: "_id_",
        equal: doc! { "_id": { "$in": hashes } },
        residual: Document::new(),
        sort: Sort::None,
        limit: MOST_IN_TEXT,
        projection: Media::projection(),
    }
}

/// The pictures with these hashes (`domain::image::hashes_in`), in any order; those
/// that are not there are left out.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn find_for(db: &Db, hashes: &[String]) -> Result<Vec<Media>, DbError> {
    if hashes.is_empty() {
        return Ok(Vec::new());
    }
    by_hashes_spec(hashes).all(db).await
}

/// Pictures that one member may have.
pub const MOST_OWN: usize = 1_000;

/// All pictures of a member, so few that they are sorted and cut here. Serves the page
/// of own pictures.
#[must_use]
pub fn own_spec(owner: ObjectId) -> FindSpec {
    FindSpec {
        name: "media: own",
        collection: MEDIA,
        index: "owner",
        equal: doc! { "ownerId": owner },
        residual: Document::new(),
        sort: Sort::None,
        limit: MOST_OWN,
        projection: Media::projection(),
    }
}

/// The newest first.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn own(db: &Db, owner: ObjectId) -> Result<Vec<Media>, DbError> {
    let mut all: Vec<Media> = own_spec(owner).all(db).await?;
    all.sort_by(|a, b| (b.created_at, &b.hash).cmp(&(a.created_at, &a.hash)));
    Ok(all)
}
