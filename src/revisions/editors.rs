//! The names of those who wrote revisions, as they are today.

use std::collections::HashMap;

use mongodb::bson::oid::ObjectId;

use crate::{
    db::{Db, DbError},
    users,
};

/// Names by id.
#[derive(Debug, Default)]
pub struct Names(HashMap<ObjectId, String>);

impl Names {
    /// # Errors
    /// [`DbError`] when the database does not answer.
    pub async fn find(db: &Db, ids: impl Iterator<Item = ObjectId>) -> Result<Self, DbError> {
        let mut ids: Vec<_> = ids.collect();
        ids.sort_unstable();
        ids.dedup();
        if ids.is_empty() {
            return Ok(Self::default());
        }
        let found = users::queries::find_card_sources(db, &ids).await?;
        Ok(Self(found.into_iter().map(|user| (user.card().id, user.card().name)).collect()))
    }

    /// Empty for somebody who is not there.
    #[must_use]
    pub fn of(&self, id: &ObjectId) -> &str {
        self.0.get(id).map_or("", String::as_str)
    }
}
