//! The page of a tag.

use askama::Template;

use super::model::Tag;
use crate::{posts::pages::CardList, web::layout::Layout};

#[derive(Template)]
#[template(path = "tags/show.html")]
pub struct TagPage {
    pub layout: Layout,
    pub tag: Tag,
    pub list: CardList,
}
