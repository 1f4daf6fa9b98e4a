//! The list of categories and the page of one.

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

#[derive(Template)]
#[template(path = "categories/all.html")]
pub struct CategoriesPage {
    pub layout: Layout,
    pub categories: Vec<Category>,
}
