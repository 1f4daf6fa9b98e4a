//! `categories.{slug, name}` in `posts.category`.

use std::collections::{BTreeMap, HashMap};

use mongodb::bson::oid::ObjectId;

use crate::{
    categories::{self, collection::CATEGORIES},
    db::{
        Db, DbError,
        change_stream::{Became, Change},
    },
    domain::{category_card::CategoryCard, paging::Position},
    posts::{
        self,
        cards::{CardOf, PostCards},
        model::PostStatus,
    },
};

/// Right cards by their ids.
type Cards = HashMap<ObjectId, CategoryCard>;

pub(super) fn concerns(change: &Change) -> bool {
    change.collection == CATEGORIES
        && change.became == Became::Changed
        && change.touches(&["slug", "name"])
}

pub(super) async fn apply(db: &Db, change: &Change) -> Result<u64, DbError> {
    let Some(id) = change.id.as_object_id().filter(|_| concerns(change)) else { return Ok(0) };
    // A list of one category, to its end: windows are for beginnings.
    let db = &db.without_windows();
    let found = categories::queries::find_by_id(db, id).await?;
    let cards: Cards = found.map(|category| (id, category.card())).into_iter().collect();
    let mut changed = 0;
    for status in PostStatus::ALL {
        let mut next = Some(Position::First);
        while let Some(position) = next.take() {
            let of = CardOf::Category(id);
            let page = posts::cards::dated_cards(db, of, status, &position).await?;
            next = page.following.map(Position::Following);
            changed += repair(db, &page.items, &cards).await?;
        }
        let mut next = Some(Position::First);
        while let Some(position) = next.take() {
            let of = CardOf::Category(id);
            let page = posts::cards::undated_cards(db, of, status, &position).await?;
            next = page.following.map(Position::Following);
            changed += repair(db, &page.items, &cards).await?;
        }
    }
    Ok(changed)
}

pub(super) async fn check(db: &Db) -> Result<u64, DbError> {
    let all = categories::queries::all(db).await?;
    let cards: Cards = all.iter().map(|category| (category.id, category.card())).collect();
    let mut differed = 0;
    let mut next = Some(Position::First);
    while let Some(position) = next.take() {
        let page = posts::cards::all_cards(db, &position).await?;
        next = page.following.map(Position::Following);
        differed += repair(db, &page.items, &cards).await?;
    }
    Ok(differed)
}

async fn repair(db: &Db, posts: &[PostCards], cards: &Cards) -> Result<u64, DbError> {
    let mut stale: BTreeMap<ObjectId, Vec<ObjectId>> = BTreeMap::new();
    for post in posts {
        let Some(card) = &post.category else { continue };
        if cards.get(&card.id).is_some_and(|right| right != card) {
            stale.entry(card.id).or_default().push(post.id);
        }
    }
    let mut changed = 0;
    for (category, ids) in stale {
        let Some(card) = cards.get(&category) else { continue };
        changed += posts::cards::set_category_card(db, &ids, card).await?;
    }
    Ok(changed)
}
