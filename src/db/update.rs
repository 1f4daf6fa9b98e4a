//! Updates of one document, each of which says by which index it finds it.

use mongodb::{
    bson::{Document, doc},
    options::ReturnDocument,
};

use super::{Db, DbError, transaction::Tx};

/// Which document a write changes, with the values filled in.
#[derive(Debug, Clone)]
pub struct UpdateFilter {
    /// As in `docs/access-patterns.md`.
    pub name: &'static str,
    pub collection: &'static str,
    /// The index that serves it.
    pub index: &'static str,
    /// Conditions of equality on the leading keys of the index.
    pub equal: Document,
    /// Conditions that the index does not hold and that drop few documents.
    pub residual: Document,
}

impl UpdateFilter {
    #[must_use]
    pub fn filter(&self) -> Document {
        let mut filter = self.equal.clone();
        filter.extend(self.residual.clone());
        filter
    }

    /// Changes the document. `false` if no document fits.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer or refuses the change.
    pub async fn apply(&self, tx: &mut Tx, change: Document) -> Result<bool, DbError> {
        let collection = tx.collection::<Document>(self.collection);
        let result = collection.update_one(self.filter(), change).session(&mut tx.session).await?;
        Ok(result.matched_count == 1)
    }

    /// Changes the document, or makes it with the values of the filter.
    ///
    /// # Errors
    /// [`DbError::Duplicate`] if another transaction made it meanwhile, which ends
    /// this one: run it again.
    pub async fn apply_or_insert(&self, tx: &mut Tx, change: Document) -> Result<(), DbError> {
        let collection = tx.collection::<Document>(self.collection);
        collection.update_one(self.filter(), change).upsert(true).session(&mut tx.session).await?;
        Ok(())
    }

    /// Changes the document outside any transaction. `false` if no document fits.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn apply_alone(&self, db: &Db, change: Document) -> Result<bool, DbError> {
        let collection = db.collection::<Document>(self.collection);
        let update = collection.update_one(self.filter(), change);
        db.breaker().guard(async { Ok(update.await?.matched_count == 1) }).await
    }

    /// The same, but makes the document if there is none.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn apply_or_insert_alone(&self, db: &Db, change: Document) -> Result<(), DbError> {
        let collection = db.collection::<Document>(self.collection);
        let update = collection.update_one(self.filter(), change).upsert(true);
        db.breaker().guard(async { Ok(update.await.map(|_| ())?) }).await
    }

    /// The same, and gives the document as it is then.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn apply_and_read(&self, db: &Db, change: Document) -> Result<Document, DbError> {
        let collection = db.collection::<Document>(self.collection);
        let updated = || {
            collection
                .find_one_and_update(self.filter(), change.clone())
                .upsert(true)
                .return_document(ReturnDocument::After)
        };
        let found = match updated().await.map_err(DbError::from) {
            // Two made it at once; the other's is there now.
            Err(DbError::Duplicate { .. }) => updated().await?,
            outcome => outcome?,
        };
        Ok(found.unwrap_or_default())
    }

    /// Removes the document. `false` if no document fits.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn remove(&self, tx: &mut Tx) -> Result<bool, DbError> {
        let collection = tx.collection::<Document>(self.collection);
        let result = collection.delete_one(self.filter()).session(&mut tx.session).await?;
        Ok(result.deleted_count == 1)
    }

    /// Removes the document outside any transaction. `false` if no document fits.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn remove_alone(&self, db: &Db) -> Result<bool, DbError> {
        let result = db.collection::<Document>(self.collection).delete_one(self.filter()).await?;
        Ok(result.deleted_count == 1)
    }

    /// Removes every document that fits.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn remove_all(&self, tx: &mut Tx) -> Result<(), DbError> {
        let collection = tx.collection::<Document>(self.collection);
        collection.delete_many(self.filter()).session(&mut tx.session).await?;
        Ok(())
    }

    /// Removes every document that fits, outside any transaction.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn remove_all_alone(&self, db: &Db) -> Result<(), DbError> {
        db.collection::<Document>(self.collection).delete_many(self.filter()).await?;
        Ok(())
    }

    /// Changes all documents that fit, in array items too where `change` names a
    /// filter for them (`$[name]`). Gives how many were changed.
    ///
    /// # Errors
    /// As [`UpdateFilter::apply`].
    pub async fn apply_to_all(
        &self,
        db: &Db,
        change: Document,
        items: Option<Document>,
    ) -> Result<u64, DbError> {
        let collection = db.collection::<Document>(self.collection);
        let mut update = collection.update_many(self.filter(), change);
        if let Some(items) = items {
            update = update.array_filters([items]);
        }
        Ok(update.await?.modified_count)
    }

    /// The same document, if it counts a post.
    #[must_use]
    pub fn with_posts(self) -> Self {
        Self { residual: doc! { "postCount": { "$gt": 0 } }, ..self }
    }
}
