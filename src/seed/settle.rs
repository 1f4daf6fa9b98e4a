//! What depends on all posts together, worked out from the posts themselves:
//! counts of tags, categories, months and authors, and neighbours where two sets of
//! content meet. So it is right whatever else the database holds.

use std::collections::{BTreeMap, HashMap};

use futures_util::{TryStreamExt, stream};
use mongodb::bson::oid::ObjectId;

use super::ids::are_of_one_set;
use crate::{
    archive, categories,
    db::{Db, DbError},
    domain::{month::Month, paging::Position, site_time::SiteZone},
    posts::{self, model::CountedPost},
    tags,
    users::model::UserStats,
};

/// Writes under way together.
const IN_FLIGHT: usize = 16;

/// What the published posts add up to.
#[derive(Debug, Default)]
pub struct Totals {
    tags: HashMap<String, i64>,
    categories: HashMap<ObjectId, i64>,
    months: BTreeMap<Month, i64>,
    authors: HashMap<ObjectId, UserStats>,
}

impl Totals {
    pub fn of_author(&self, id: ObjectId) -> UserStats {
        self.authors.get(&id).copied().unwrap_or_default()
    }

    fn add(&mut self, post: CountedPost, zone: &SiteZone) {
        *self.months.entry(Month::of(post.published_at, zone)).or_default() += 1;
        for tag in post.tags {
            *self.tags.entry(tag).or_default() += 1;
        }
        if let Some(category) = post.category {
            *self.categories.entry(category.id).or_default() += 1;
        }
        let author = self.authors.entry(post.author.id).or_default();
        author.posts += 1;
        author.likes_received += post.stats.likes;
    }
}

/// A post and its neighbours in the list.
struct Place {
    prev: Option<ObjectId>,
    id: ObjectId,
    next: Option<ObjectId>,
}

impl Place {
    /// Neighbours of one set were linked when the set was made.
    fn is_at_a_seam(&self) -> bool {
        [self.prev, self.next].iter().flatten().any(|other| !are_of_one_set(*other, self.id))
    }
}

/// Counts (months in `zone`), links and writes both. The users' totals are given back, since users
/// come last.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn settle(db: &Db, zone: &SiteZone) -> Result<Totals, DbError> {
    let (totals, seams) = walk(db, zone).await?;
    each(seams, async |Place { prev, id, next }| {
        posts::commands::set_neighbours(db, id, prev, next).await
    })
    .await?;
    each(&totals.tags, async |(tag, count)| tags::commands::set_post_count(db, tag, *count).await)
        .await?;
    each(&totals.categories, async |(id, count)| {
        categories::commands::set_post_count(db, *id, *count).await
    })
    .await?;
    each(&totals.months, async |(month, count)| {
        archive::commands::set_post_count(db, *month, *count).await
    })
    .await?;
    Ok(totals)
}

/// Through all published posts in the order of the list.
async fn walk(db: &Db, zone: &SiteZone) -> Result<(Totals, Vec<Place>), DbError> {
    let mut totals = Totals::default();
    let mut seams = Vec::new();
    let mut before = None;
    let mut here: Option<ObjectId> = None;
    let mut position = Position::First;
    loop {
        let page = posts::queries::count(db, &position).await?;
        for post in page.items {
            if let Some(id) = here {
                seams.push(Place { prev: before, id, next: Some(post.id) });
            }
            before = here;
            here = Some(post.id);
            totals.add(post, zone);
        }
        seams.retain(Place::is_at_a_seam);
        match page.following {
            Some(cursor) => position = Position::Following(cursor),
            None => break,
        }
    }
    seams.extend(here.map(|id| Place { prev: before, id, next: None }));
    seams.retain(Place::is_at_a_seam);
    Ok((totals, seams))
}

async fn each<T>(
    items: impl IntoIterator<Item = T>,
    write: impl AsyncFn(T) -> Result<(), DbError>,
) -> Result<(), DbError> {
    let all = stream::iter(items.into_iter().map(Ok));
    all.try_for_each_concurrent(IN_FLIGHT, |item| write(item)).await
}
