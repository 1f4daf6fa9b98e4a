//! The posts before and after a post, which its body names.
//!
//! Worked out anew from the list of all after a post came, went or moved in it,
//! for the post and those beside its old and new places. Outside the transaction:
//! two posts that come at once would only wait for each other, and each looks
//! after its own commit.

use mongodb::bson::{DateTime, oid::ObjectId};

use crate::{
    db::{Db, DbError},
    domain::paging::{Cursor, Position},
    posts::{self, editing::Neighbour, queries::find_neighbour},
};

/// Renews the neighbours around the place that a post had in the list of all and
/// the one it has now.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn relink(
    db: &Db,
    post_id: ObjectId,
    old: Option<DateTime>,
    new: Option<DateTime>,
) -> Result<(), DbError> {
    let place = |at| Cursor { at, id: post_id };
    let mut changed: Vec<Cursor> = new.map(place).into_iter().collect();
    for place in old.into_iter().chain(new).map(place) {
        for position in [Position::Preceding(place), Position::Following(place)] {
            changed.extend(find_neighbour(db, &position).await?.map(|post| post.cursor()));
        }
    }
    changed.sort_by_key(|place| (place.at, place.id));
    changed.dedup();
    for place in changed {
        let newer = find_neighbour(db, &Position::Preceding(place)).await?;
        let older = find_neighbour(db, &Position::Following(place)).await?;
        let id = |post: Option<Neighbour>| post.map(|post| post.id);
        posts::commands::set_neighbours(db, place.id, id(newer), id(older)).await?;
    }
    Ok(())
}
