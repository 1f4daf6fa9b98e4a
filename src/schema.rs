//! Every collection there is, and `init`, which brings a database to it.

use crate::{
    categories, comments,
    db::{
        Db,
        schema::{self, CollectionSpec, Report, SchemaError, Validation},
    },
    posts, seed, tags, users,
};

/// All collections of all features.
#[must_use]
pub fn collections() -> Vec<CollectionSpec> {
    [
        posts::collection::COLLECTIONS,
        comments::collection::COLLECTIONS,
        users::collection::COLLECTIONS,
        categories::collection::COLLECTIONS,
        tags::collection::COLLECTIONS,
        seed::collection::COLLECTIONS,
    ]
    .concat()
}

/// Makes missing collections, validators, indexes and the public view of users.
///
/// # Errors
/// [`SchemaError`]: an index is there with other keys, or the database did not
/// answer.
pub async fn init(db: &Db, validation: Validation) -> Result<Report, SchemaError> {
    let mut report = schema::apply(db, &collections(), validation).await?;
    let view = schema::apply_view(
        db,
        users::collection::USERS_PUBLIC,
        users::collection::USERS,
        users::collection::public_view(),
    )
    .await?;
    report.made.extend(view.made);
    for index in &report.unknown {
        tracing::warn!(index, "an index that no query of Inkstone names");
    }
    Ok(report)
}
