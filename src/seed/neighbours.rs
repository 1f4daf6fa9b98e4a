//! Which sample posts stand beside each other, and which are like each other.

use std::collections::HashMap;

use mongodb::bson::oid::ObjectId;

use crate::posts::model::{Post, PostBody};

const RELATED_POSTS: usize = 4;

/// Neighbours in the order of the list, and posts that share most tags.
pub(super) fn link_neighbours(posts: &mut [Post], bodies: &mut [PostBody]) {
    posts.sort_by_key(|post| std::cmp::Reverse((post.published_at, post.id)));
    let by_id: HashMap<ObjectId, usize> =
        posts.iter().enumerate().map(|(index, post)| (post.id, index)).collect();
    for body in bodies {
        let Some((index, post)) =
            by_id.get(&body.id).and_then(|index| Some((*index, posts.get(*index)?)))
        else {
            continue;
        };
        let id_at = |index: usize| posts.get(index).map(|post| post.id);
        body.prev = index.checked_sub(1).and_then(id_at);
        body.next = id_at(index + 1);
        let mut shared: Vec<(usize, ObjectId)> = posts
            .iter()
            .filter(|other| other.id != post.id)
            .map(|other| {
                (other.tags.iter().filter(|tag| post.tags.contains(tag)).count(), other.id)
            })
            .filter(|(count, _)| *count > 0)
            .collect();
        shared.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        body.related = shared.into_iter().take(RELATED_POSTS).map(|(_, id)| id).collect();
    }
}
