//! Every access pattern with sample values, so that each can be checked against
//! its index, explained and timed. `docs/access-patterns.md` is the same list
//! for people; a test compares them, and finds patterns that are missing here.

use mongodb::bson::{DateTime, oid::ObjectId};

use crate::{
    archive, categories, comments,
    comments::queries::ThreadOrder,
    db::{find::FindSpec, update::UpdateFilter},
    domain::{
        month::Month,
        paging::{Cursor, Position},
    },
    posts,
    posts::queries::PostList,
    seed, tags, users,
};

/// Every read; lists once for each direction they are read in.
#[must_use]
pub fn reads() -> Vec<FindSpec> {
    let id = ObjectId::from_bytes([7; 12]);
    // More than any page asks for: a read bounds its own ids.
    let many = vec![id; 1_000];
    let mut specs = vec![
        posts::queries::meta_by_slug_spec("slug"),
        posts::queries::body_by_slug_spec("slug"),
        posts::queries::body_by_id_spec(id),
        posts::queries::links_spec(&many),
        comments::queries::first_replies_spec(id, id),
        comments::queries::shown_spec(id, id),
        comments::queries::submission_spec("id"),
        users::queries::profile_spec("name"),
        users::queries::any_spec(),
        categories::queries::by_slug_spec("slug"),
        tags::queries::cloud_spec(),
        tags::queries::by_id_spec("tag"),
        seed::bulk::begun_spec(1),
    ];
    for position in positions(Cursor { at: DateTime::from_millis(0), id }) {
        for list in [
            PostList::All,
            PostList::Tag("tag".to_owned()),
            PostList::Category(id),
            PostList::Author(id),
        ] {
            specs.push(posts::queries::list_spec(&list, &position));
        }
        specs.push(posts::queries::count_spec(&position));
    }
    for position in positions(id) {
        for order in [ThreadOrder::NewestFirst, ThreadOrder::OldestFirst] {
            specs.push(comments::queries::threads_spec(id, order, &position));
        }
        specs.push(comments::queries::below_spec(id, id, &position));
    }
    specs
}

/// Every update.
#[must_use]
pub fn updates() -> Vec<UpdateFilter> {
    let id = ObjectId::from_bytes([7; 12]);
    let mut updates = vec![
        posts::commands::open_filter(id),
        posts::commands::neighbours_filter(id),
        comments::commands::parent_filter(id, id),
        tags::commands::tag_filter("tag"),
        categories::commands::category_filter(id),
    ];
    updates.extend(Month::from_id("2026-05").map(archive::commands::month_filter));
    updates
}

fn positions<C: Copy>(cursor: C) -> [Position<C>; 3] {
    [Position::First, Position::Following(cursor), Position::Preceding(cursor)]
}
