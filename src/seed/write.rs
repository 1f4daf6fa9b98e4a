//! Seeded documents put into the database. What is there already is passed over,
//! so a run that was stopped can be made again.

use futures_util::future::try_join4;
use mongodb::{Collection, bson::DateTime};
use serde::Serialize;

use super::{documents::Documents, settle::Totals};
use crate::{
    addresses::{
        collection::addresses,
        model::{Address, Kind},
    },
    categories::{self, model::Category},
    comments,
    db::{Db, DbError},
    posts,
    users::{self, model::User},
};

/// Documents of one command.
const BATCH: usize = 1000;

pub async fn categories(db: &Db, categories: &[Category]) -> Result<(), DbError> {
    let epoch = DateTime::from_millis(0);
    let reserved: Vec<_> = categories
        .iter()
        .map(|category| Address::first(Kind::Category, &category.slug, category.id, epoch))
        .collect();
    insert(&addresses(db), &reserved).await?;
    insert(&categories::collection::categories(db), categories).await
}

/// The posts after what their pages need, so that no link leads to half a page.
pub async fn documents(db: &Db, documents: &Documents) -> Result<(), DbError> {
    try_join4(
        insert(&addresses(db), &documents.addresses),
        insert(&posts::collection::sources(db), &documents.sources),
        insert(&posts::collection::contents(db), &documents.bodies),
        insert(&comments::collection::comments(db), &documents.comments),
    )
    .await?;
    insert(&posts::collection::posts(db), &documents.posts).await
}

/// The users, with what the totals say of them.
pub async fn users(db: &Db, mut users: Vec<User>, totals: &Totals) -> Result<(), DbError> {
    for user in &mut users {
        user.stats = totals.of_author(user.id);
    }
    let reserved: Vec<_> = users
        .iter()
        .map(|user| Address::first(Kind::User, &user.username_key, user.id, user.created_at))
        .collect();
    insert(&addresses(db), &reserved).await?;
    insert(&users::collection::users(db), &users).await
}

async fn insert<T: Serialize + Send + Sync>(
    collection: &Collection<T>,
    documents: &[T],
) -> Result<(), DbError> {
    for batch in documents.chunks(BATCH) {
        match collection.insert_many(batch).ordered(false).await.map_err(DbError::from) {
            Ok(_) | Err(DbError::Duplicate { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
