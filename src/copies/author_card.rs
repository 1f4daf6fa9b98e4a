//! `users.{username, name, avatar}` in `posts.author`, in `comments.author` and in
//! the comments that posts embed; `users.bio` in `post_contents.authorBio`.
//!
//! Cards carry the user's `cardVersion` as `v`. None is ever replaced by an older
//! one, whoever comes late. A guest's name is nobody's card and stays as typed.

use std::collections::{BTreeMap, HashMap};

use futures_util::future::try_join;
use mongodb::bson::oid::ObjectId;

use crate::{
    comments::{
        self,
        model::{CommentAuthor, CommentStatus},
    },
    db::{
        Db, DbError,
        change_stream::{Became, Change},
    },
    domain::{author_card::AuthorCard, paging::Position},
    posts::{
        self,
        cards::{CardOf, PostCards},
        model::PostStatus,
    },
    users::{self, collection::USERS, model::CardSource},
};

const FIELDS: &[&str] = &["username", "name", "avatar", "cardVersion", "bio"];

/// Users by their ids.
type People = HashMap<ObjectId, CardSource>;

/// Ids of documents to be changed, by the author they are of.
type Stale = BTreeMap<ObjectId, Vec<ObjectId>>;

pub(super) fn concerns(change: &Change) -> bool {
    change.collection == USERS && change.became == Became::Changed && change.touches(FIELDS)
}

pub(super) async fn apply(db: &Db, change: &Change) -> Result<u64, DbError> {
    let Some(id) = change.id.as_object_id().filter(|_| concerns(change)) else { return Ok(0) };
    // A list of one author, to its end: windows are for beginnings.
    let db = &db.without_windows();
    let people = people(db, vec![id]).await?;
    let (posts, comments) =
        try_join(in_posts(db, id, &people, change), in_comments(db, id, &people)).await?;
    Ok(posts + comments)
}

async fn in_posts(
    db: &Db,
    author: ObjectId,
    people: &People,
    change: &Change,
) -> Result<u64, DbError> {
    let of = CardOf::Author(author);
    let mut changed = 0;
    for status in PostStatus::ALL {
        let mut next = Some(Position::First);
        while let Some(position) = next.take() {
            let page = posts::cards::dated_cards(db, of, status, &position).await?;
            next = page.following.map(Position::Following);
            changed += repair_posts(db, &page.items, people, change).await?;
        }
        let mut next = Some(Position::First);
        while let Some(position) = next.take() {
            let page = posts::cards::undated_cards(db, of, status, &position).await?;
            next = page.following.map(Position::Following);
            changed += repair_posts(db, &page.items, people, change).await?;
        }
    }
    Ok(changed)
}

async fn in_comments(db: &Db, author: ObjectId, people: &People) -> Result<u64, DbError> {
    let mut changed = 0;
    for status in CommentStatus::ALL {
        let mut next = Some(Position::First);
        while let Some(position) = next.take() {
            let page = comments::queries::by_author(db, author, status, &position).await?;
            next = page.following.map(Position::Following);
            changed += repair_comments(db, &page.items, people).await?;
        }
    }
    Ok(changed)
}

/// Through all posts and all comments once: what authors wrote is found by what is
/// there, not by who there is.
pub(super) async fn check(db: &Db) -> Result<u64, DbError> {
    let mut differed = 0;
    let mut next = Some(Position::First);
    while let Some(position) = next.take() {
        let page = posts::cards::all_cards(db, &position).await?;
        next = page.following.map(Position::Following);
        let posts = page.items;
        let of_cards = posts.iter().flat_map(|post| post.commenters().chain([&post.author]));
        let people = people(db, of_cards.map(|card| card.id).collect()).await?;
        differed += repair_cards(db, &posts, &people).await?;
        differed += repair_embedded(db, &posts, &people).await?;
        differed += repair_bios(db, &posts, &people).await?;
    }
    let mut next = Some(Position::First);
    while let Some(position) = next.take() {
        let page = comments::queries::all_authors(db, &position).await?;
        next = page.following.map(Position::Following);
        let members = page.items.iter().filter_map(|comment| comment.author.member());
        let people = people(db, members.map(|card| card.id).collect()).await?;
        differed += repair_comments(db, &page.items, &people).await?;
    }
    Ok(differed)
}

async fn people(db: &Db, mut ids: Vec<ObjectId>) -> Result<People, DbError> {
    ids.sort_unstable();
    ids.dedup();
    let found = users::queries::find_card_sources(db, &ids).await?;
    Ok(found.into_iter().map(|person| (person.card().id, person)).collect())
}

/// Whether a card is not what its source makes it. A newer one than the source, as
/// it was read, is right.
fn is_stale(card: &AuthorCard, right: Option<AuthorCard>) -> bool {
    right.is_some_and(|right| card.v <= right.v && *card != right)
}

fn is_stale_card(card: &AuthorCard, people: &People) -> bool {
    is_stale(card, people.get(&card.id).map(CardSource::card))
}

fn is_stale_small_card(card: &AuthorCard, people: &People) -> bool {
    is_stale(card, people.get(&card.id).map(|person| person.card().small()))
}

async fn repair_posts(
    db: &Db,
    posts: &[PostCards],
    people: &People,
    change: &Change,
) -> Result<u64, DbError> {
    let mut changed = repair_cards(db, posts, people).await?;
    if change.touches(&["bio"]) {
        changed += repair_bios(db, posts, people).await?;
    }
    Ok(changed)
}

async fn repair_cards(db: &Db, posts: &[PostCards], people: &People) -> Result<u64, DbError> {
    let mut stale = Stale::new();
    for post in posts.iter().filter(|post| is_stale_card(&post.author, people)) {
        stale.entry(post.author.id).or_default().push(post.id);
    }
    let mut changed = 0;
    for (author, ids) in stale {
        let Some(person) = people.get(&author) else { continue };
        changed += posts::cards::set_author_card(db, &ids, &person.card()).await?;
    }
    Ok(changed)
}

async fn repair_embedded(db: &Db, posts: &[PostCards], people: &People) -> Result<u64, DbError> {
    let mut stale = Stale::new();
    for post in posts {
        for card in post.commenters().filter(|card| is_stale_small_card(card, people)) {
            stale.entry(card.id).or_default().push(post.id);
        }
    }
    set_embedded(db, stale, people).await
}

async fn set_embedded(db: &Db, stale: Stale, people: &People) -> Result<u64, DbError> {
    let mut changed = 0;
    for (author, mut ids) in stale {
        let Some(person) = people.get(&author) else { continue };
        ids.sort_unstable();
        ids.dedup();
        changed += posts::cards::set_commenter_card(db, &ids, &person.card().small()).await?;
    }
    Ok(changed)
}

async fn repair_bios(db: &Db, posts: &[PostCards], people: &People) -> Result<u64, DbError> {
    let ids: Vec<ObjectId> = posts.iter().map(|post| post.id).collect();
    if ids.is_empty() {
        return Ok(0);
    }
    let author_of: HashMap<ObjectId, ObjectId> =
        posts.iter().map(|post| (post.id, post.author.id)).collect();
    let mut stale = Stale::new();
    for body in posts::cards::find_bios(db, &ids).await? {
        let Some(person) = author_of.get(&body.id).and_then(|id| people.get(id)) else { continue };
        if body.author_bio != person.bio {
            stale.entry(person.card().id).or_default().push(body.id);
        }
    }
    let mut changed = 0;
    for (author, ids) in stale {
        let Some(person) = people.get(&author) else { continue };
        changed += posts::cards::set_author_bio(db, &ids, &person.bio).await?;
    }
    Ok(changed)
}

/// The comments that posts embed first: were they last, a worker that dies between
/// the two would find the comments right and never look at the posts again.
async fn repair_comments(
    db: &Db,
    comments: &[CommentAuthor],
    people: &People,
) -> Result<u64, DbError> {
    let mut stale = Stale::new();
    let mut embedding = Stale::new();
    for comment in comments {
        let Some(card) = comment.author.member() else { continue };
        if is_stale_card(card, people) {
            stale.entry(card.id).or_default().push(comment.id);
            embedding.entry(card.id).or_default().push(comment.post_id);
        }
    }
    let mut changed = set_embedded(db, embedding, people).await?;
    for (author, ids) in stale {
        let Some(person) = people.get(&author) else { continue };
        changed += comments::commands::set_author_card(db, &ids, &person.card()).await?;
    }
    Ok(changed)
}
