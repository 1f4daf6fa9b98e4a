//! The page of an author.

use askama::Template;

use super::model::Profile;
use crate::{posts::pages::CardList, web::layout::Layout};

#[derive(Template)]
#[template(path = "users/show.html")]
pub struct AuthorPage {
    pub layout: Layout,
    pub author: Profile,
    pub list: CardList,
}
