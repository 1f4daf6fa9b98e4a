//! Every access pattern with sample values, so that each can be checked against
//! its index, explained and timed. `docs/access-patterns.md` is the same list
//! for people; a test compares them, and finds patterns that are missing here.

use mongodb::bson::{DateTime, oid::ObjectId};

use crate::{
    addresses,
    addresses::model::Kind,
    archive, categories, comments,
    comments::{model::CommentStatus, queries::ThreadOrder},
    db::{find::FindSpec, secrets, update::UpdateFilter},
    domain::{
        author_card::AuthorCard,
        month::Month,
        paging::{CountCursor, Cursor, Position, TimeRange},
    },
    media, posts,
    posts::{cards::CardOf, editing::Reach, model::PostStatus, queries::PostList},
    rate_limits, revisions, seed, tags, users,
    users::model::Purpose,
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
        posts::queries::meta_by_id_spec(id),
        posts::queries::edited_spec(id),
        posts::queries::source_spec(id),
        posts::queries::due_spec(DateTime::MAX),
        revisions::queries::page_spec(id, 1_000),
        revisions::queries::one_spec(id, 1),
        comments::queries::first_replies_spec(id, id),
        comments::queries::shown_spec(id, id),
        comments::queries::submission_spec("id"),
        users::queries::profile_spec("name"),
        users::queries::any_spec(),
        users::queries::session_spec("id", DateTime::MIN),
        users::queries::sessions_spec(id),
        users::queries::account_spec(id),
        users::queries::account_by_email_spec("a@example.org"),
        users::queries::profile_by_id_spec(id),
        users::queries::admins_spec(),
        users::queries::link_spec("id", Purpose::Reset, DateTime::MIN),
        users::queries::credentials_by_name_spec("name"),
        users::queries::credentials_by_email_spec("a@example.org"),
        secrets::secret_spec(secrets::SITE_KEY),
        categories::queries::by_slug_spec("slug"),
        tags::queries::cloud_spec(),
        tags::queries::by_id_spec("tag"),
        categories::queries::all_spec(),
        archive::queries::months_spec(),
        seed::bulk::begun_spec(1),
        categories::queries::by_id_spec(id),
        posts::cards::bios_spec(&many),
        users::queries::card_sources_spec(&many),
        addresses::queries::resolve_spec(Kind::Category, "slug"),
        addresses::queries::current_spec(id, Kind::Category),
        media::queries::own_spec(id),
        posts::queries::titles_spec(id, &many),
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
        specs.push(posts::queries::neighbour_spec(&position));
        specs.push(posts::queries::own_spec(id, PostStatus::Draft, &position));
    }
    for position in positions(CountCursor { count: 1, id: "tag".to_owned() }) {
        specs.push(tags::queries::all_spec(&position));
    }
    for of in [CardOf::Author(id), CardOf::Category(id)] {
        for position in positions(Cursor { at: DateTime::from_millis(0), id }) {
            specs.push(posts::cards::dated_cards_spec(of, PostStatus::Draft, &position));
        }
        for position in positions(id) {
            specs.push(posts::cards::undated_cards_spec(of, PostStatus::Draft, &position));
        }
    }
    for position in positions(id) {
        specs.push(posts::cards::all_cards_spec(&position));
        specs.push(comments::queries::all_authors_spec(&position));
        specs.push(comments::queries::by_author_spec(id, CommentStatus::Approved, &position));
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
    let some = [id; 200];
    let card =
        AuthorCard { id, username: "name".to_owned(), name: "Name".to_owned(), avatar: None, v: 1 };
    let mut updates = vec![
        posts::commands::open_filter(id),
        posts::commands::body_filter(id),
        posts::commands::source_filter(id),
        posts::commands::version_filter(id, 1, Reach::Own(id)),
        posts::commands::version_filter(id, 1, Reach::Everybodys),
        posts::cards::some_filter(&some),
        posts::cards::author_cards_filter(&some, &card),
        posts::cards::category_cards_filter(&some, id),
        posts::cards::bodies_filter(&some),
        comments::commands::author_cards_filter(&some, &card),
        comments::commands::parent_filter(id, id),
        users::commands::user_filter(id),
        users::commands::session_filter("id"),
        users::commands::sessions_filter(id),
        users::commands::link_filter("id", Purpose::Reset, DateTime::MIN),
        users::commands::own_session_filter(id, "id"),
        rate_limits::commands::counter_filter("id"),
        secrets::secret_filter(secrets::SITE_KEY),
        addresses::commands::address_filter(Kind::Category, "slug", id),
        addresses::commands::current_filter(id, Kind::Category),
        media::commands::uses_filter("hash"),
        media::commands::unused_filter("hash"),
        media::commands::file_filter("id"),
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
