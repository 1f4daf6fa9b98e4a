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
        paging::{CountCursor, Cursor, Position, TimeRange},
    },
    media, posts,
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
        categories::queries::all_spec(),
        archive::queries::months_spec(),
        seed::bulk::begun_spec(1),
        media::queries::file_spec("id"),
        media::queries::by_hashes_spec(&vec!["hash".to_owned(); 1_000]),
    ];
    for position in positions(Cursor { at: DateTime::from_millis(0), id }) {
        for list in [
            PostList::All,
            PostList::Tag("tag".to_owned()),
            PostList::Category(id),
            PostList::Author(id),
            PostList::Between(TimeRange { first: DateTime::MIN, last: DateTime::MAX }),
        ] {
            specs.push(posts::queries::list_spec(&list, &position));
        }
        specs.push(posts::queries::count_spec(&position));
    }
    for position in positions(CountCursor { count: 1, id: "tag".to_owned() }) {
        specs.push(tags::queries::all_spec(&position));
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
        media::commands::uses_filter("hash"),
    ];
    let mut counted =
        vec![categories::commands::category_filter(id), tags::commands::tag_filter("tag")];
    if let Some(month) = Month::from_id("2026-05") {
        counted.push(archive::commands::month_filter(month));
    }
    for one in counted {
        updates.extend([one.clone(), one.with_posts()]);
    }
    updates
}

fn positions<C: Clone>(cursor: C) -> [Position<C>; 3] {
    [Position::First, Position::Following(cursor.clone()), Position::Preceding(cursor)]
}
