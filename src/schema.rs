//! Every collection and migration there is, and `init`, which brings a database
//! to them.

use crate::{
    addresses, archive, categories, comments,
    db::{
        Db, DbError, change_stream, lease,
        migrations::{self, Migration},
        schema::{self, CollectionSpec, Difference, Report, SchemaError, Validation},
        secrets,
    },
    media, posts, rate_limits, revisions, seed, tags, users,
};

/// Changes to documents that older releases wrote, in order. There is none yet.
pub const MIGRATIONS: &[Migration] = &[];

const _: () = assert!(migrations::are_numbered(MIGRATIONS), "migrations are numbered 1, 2, 3 …");

/// All collections of all features.
#[must_use]
pub fn collections() -> Vec<CollectionSpec> {
    [
        migrations::COLLECTIONS,
        secrets::COLLECTIONS,
        lease::COLLECTIONS,
        change_stream::COLLECTIONS,
        posts::collection::COLLECTIONS,
        comments::collection::COLLECTIONS,
        users::collection::COLLECTIONS,
        rate_limits::collection::COLLECTIONS,
        categories::collection::COLLECTIONS,
        revisions::collection::COLLECTIONS,
        tags::collection::COLLECTIONS,
        archive::collection::COLLECTIONS,
        addresses::collection::COLLECTIONS,
        media::collection::COLLECTIONS,
        seed::bulk::collection::COLLECTIONS,
    ]
    .concat()
}

/// Makes missing collections, validators, indexes and the public view of users,
/// then runs the migrations that this database has not had.
///
/// # Errors
/// [`SchemaError`]: a newer program was here, an index is there with other keys,
/// a migration failed, or the database did not answer.
pub async fn init(db: &Db, validation: Validation) -> Result<Report, SchemaError> {
    // Asked first: nothing of a newer program's database may be changed.
    migrations::pending(db, MIGRATIONS).await?;
    let mut report = schema::apply(db, &collections(), validation).await?;
    let view = schema::apply_view(
        db,
        users::collection::USERS_PUBLIC,
        users::collection::USERS,
        users::collection::public_view(),
    )
    .await?;
    report.made.extend(view.made);
    let ran = migrations::run(db, MIGRATIONS).await?;
    report.ran.extend(ran.iter().map(|migration| (migration.number, migration.name)));
    Ok(report)
}

/// What [`init`] would make or refuse. Changes nothing.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn inspect(db: &Db, validation: Validation) -> Result<Vec<Difference>, DbError> {
    schema::inspect(db, &collections(), validation).await
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn has_public_view(db: &Db) -> Result<bool, DbError> {
    schema::has_view(db, users::collection::USERS_PUBLIC).await
}
