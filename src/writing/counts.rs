//! What a published post adds to counts: its author's, its category's, its tags'
//! and its month's.

use mongodb::bson::oid::ObjectId;

use super::actions::Refusal;
use crate::{
    archive, categories,
    db::transaction::{Tx, TxError},
    domain::month::Month,
    tags::{self, model::TagName},
    users,
};

/// What a published post is counted under. Posts that are not published count
/// nowhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    pub author: ObjectId,
    pub category: Option<ObjectId>,
    pub tags: Vec<TagName>,
    pub month: Month,
}

/// Moves every count from what a post was counted under to what it is.
///
/// # Errors
/// [`Refusal::NoCategory`]; otherwise the database did not answer.
pub async fn move_counts(
    tx: &mut Tx,
    before: Option<&Counted>,
    after: Option<&Counted>,
) -> Result<(), TxError<Refusal>> {
    let tag_ids = |counted: Option<&Counted>| -> Vec<String> {
        counted.iter().flat_map(|counted| &counted.tags).map(|tag| tag.id.clone()).collect()
    };
    let (had, has) = (tag_ids(before), tag_ids(after));
    let gone: Vec<String> = had.iter().filter(|id| !has.contains(id)).cloned().collect();
    let new: Vec<TagName> = after
        .iter()
        .flat_map(|counted| &counted.tags)
        .filter(|tag| !had.contains(&tag.id))
        .cloned()
        .collect();
    tags::commands::remove_post(tx, &gone).await?;
    tags::commands::add_post(tx, &new).await?;
    let differs = |of: fn(&Counted) -> Option<ObjectId>| before.and_then(of) != after.and_then(of);
    if differs(|counted| counted.category) {
        if let Some(id) = before.and_then(|counted| counted.category) {
            categories::commands::remove_post(tx, id).await?;
        }
        if let Some(id) = after.and_then(|counted| counted.category)
            && !categories::commands::add_post(tx, id).await?
        {
            return Err(TxError::Refused(Refusal::NoCategory));
        }
    }
    if differs(|counted| Some(counted.author)) {
        if let Some(counted) = before {
            users::commands::remove_post(tx, counted.author).await?;
        }
        if let Some(counted) = after {
            users::commands::add_post(tx, counted.author).await?;
        }
    }
    let months = [before, after].map(|counted| counted.map(|counted| counted.month));
    if let [had, has] = months
        && had != has
    {
        if let Some(month) = had {
            archive::commands::remove_post(tx, month).await?;
        }
        if let Some(month) = has {
            archive::commands::add_post(tx, month).await?;
        }
    }
    Ok(())
}
