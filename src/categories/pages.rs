//! The page of a category.

use askama::Template;

use super::model::Category;
use crate::{posts::pages::CardList, web::layout::Layout};

#[derive(Template)]
#[template(path = "categories/show.html")]
pub struct CategoryPage {
    pub layout: Layout,
    pub category: Category,
    pub list: CardList,
}
