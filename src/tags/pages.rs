//! The page of a tag, the page of all tags, and the cloud.

use askama::Template;

use super::model::Tag;
use crate::{
    domain::paging::{CountCursor, Page},
    posts::pages::CardList,
    urls,
    web::layout::Layout,
};

/// A tag in a cloud.
pub struct CloudTag {
    pub tag: Tag,
    /// `w1` to `w4`, by how it compares with the most used one.
    pub weight: &'static str,
}

/// A cloud in the order given; `most` is the count of the most used tag.
fn cloud(tags: Vec<Tag>, most: i64) -> Vec<CloudTag> {
    let weight = |count: i64| match count.saturating_mul(4) / most.max(1) {
        4.. => "w4",
        3 => "w3",
        2 => "w2",
        _ => "w1",
    };
    tags.into_iter().map(|tag| CloudTag { weight: weight(tag.post_count), tag }).collect()
}

/// The cloud of the most used tags, the most used one first.
#[must_use]
pub fn top_cloud(tags: Vec<Tag>) -> Vec<CloudTag> {
    let most = tags.first().map(|tag| tag.post_count).unwrap_or_default();
    cloud(tags, most)
}

#[derive(Template)]
#[template(path = "tags/show.html")]
pub struct TagPage {
    pub layout: Layout,
    pub tag: Tag,
    pub list: CardList,
}

#[derive(Template)]
#[template(path = "tags/all.html")]
pub struct TagsPage {
    layout: Layout,
    cloud: Vec<CloudTag>,
    preceding: Option<String>,
    following: Option<String>,
}

impl TagsPage {
    /// `most` is the count of the most used tag of all pages.
    #[must_use]
    pub fn new(layout: Layout, page: Page<Tag, CountCursor>, most: i64) -> Self {
        let link =
            |to: fn(&str, &str) -> String, cursor: CountCursor| to(urls::tags(), &cursor.encode());
        Self {
            preceding: page.preceding.map(|cursor| link(urls::before, cursor)),
            following: page.following.map(|cursor| link(urls::after, cursor)),
            cloud: cloud(page.items, most),
            layout,
        }
    }
}
