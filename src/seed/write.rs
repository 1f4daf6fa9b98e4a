//! Sample documents put into the database. Stopped half way, it can be run
//! again: what is there already is passed over.

use mongodb::{Collection, bson::Document};
use serde::Serialize;

use super::documents::Documents;
use crate::{
    archive, categories, comments,
    db::{Db, DbError},
    posts, tags, users,
};

/// How much was written (or was there).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    pub users: usize,
    pub posts: usize,
    pub comments: usize,
}

/// Writes everything; the users last, since their being there says that the
/// rest is.
///
/// # Errors
/// [`DbError`] when the database does not answer or refuses a document.
pub async fn write(db: &Db, documents: &Documents) -> Result<Written, DbError> {
    insert(&categories::collection::categories(db), &documents.categories).await?;
    insert(&tags::collection::tags(db), &documents.tags).await?;
    insert(&archive::collection::archive_months(db), &documents.archive_months).await?;
    insert::<Document>(&posts::collection::addresses(db), &documents.addresses).await?;
    insert(&posts::collection::sources(db), &documents.sources).await?;
    insert(&posts::collection::contents(db), &documents.bodies).await?;
    insert(&comments::collection::comments(db), &documents.comments).await?;
    insert(&posts::collection::posts(db), &documents.posts).await?;
    insert(&users::collection::users(db), &documents.users).await?;
    Ok(Written {
        users: documents.users.len(),
        posts: documents.posts.len(),
        comments: documents.comments.len(),
    })
}

async fn insert<T: Serialize + Send + Sync>(
    collection: &Collection<T>,
    documents: &[T],
) -> Result<(), DbError> {
    for chunk in documents.chunks(500) {
        match collection.insert_many(chunk).ordered(false).await.map_err(DbError::from) {
            Ok(_) | Err(DbError::Duplicate { .. }) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
