//! Keys that all processes of a site share and no person chooses. Each is made by
//! whoever needs it first.

use mongodb::bson::{Binary, Document, doc, spec::BinarySubtype};

use super::{
    Db, DbError,
    find::{FindSpec, Sort},
    schema::{CollectionSpec, Compression},
    update::UpdateFilter,
};

const SECRETS: &str = "secrets";

pub const COLLECTIONS: &[CollectionSpec] = &[CollectionSpec {
    name: SECRETS,
    indexes: &[],
    json_schema: None,
    compression: Compression::Default,
}];

/// What signs forms and cookies.
pub const SITE_KEY: &str = "site_key";

/// One key. Serves the start of a process.
#[must_use]
pub fn secret_spec(name: &str) -> FindSpec {
    FindSpec {
        name: "secrets: one by name",
        collection: SECRETS,
        index: "_id_",
        equal: doc! { "_id": name },
        residual: Document::new(),
        sort: Sort::None,
        limit: 1,
        projection: doc! { "key": 1 },
    }
}

/// One key, there or not.
#[must_use]
pub fn secret_filter(name: &str) -> UpdateFilter {
    UpdateFilter {
        name: "secrets: one by name",
        collection: SECRETS,
        index: "_id_",
        equal: doc! { "_id": name },
        residual: Document::new(),
    }
}

/// The key of that name. `fresh` becomes the key if there is none yet; whoever
/// comes first decides.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn get_or_make(db: &Db, name: &str, fresh: [u8; 64]) -> Result<[u8; 64], DbError> {
    let key = Binary { subtype: BinarySubtype::Generic, bytes: fresh.to_vec() };
    let change = doc! { "$setOnInsert": { "key": key } };
    match secret_filter(name).apply_or_insert_alone(db, change).await {
        // Two made it at once: the other's is there now.
        Ok(()) | Err(DbError::Duplicate { .. }) => {}
        Err(error) => return Err(error),
    }
    let found: Option<Document> = secret_spec(name).first(db).await?;
    let bytes = found.and_then(|found| found.get_binary_generic("key").ok().cloned());
    Ok(bytes.and_then(|bytes| bytes.try_into().ok()).unwrap_or(fresh))
}
