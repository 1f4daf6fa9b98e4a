//! Category pages.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, ServiceConfig},
};

use super::{
    pages::{CategoriesPage, CategoryPage},
    queries,
};
use crate::{
    addresses::{self, model::Kind},
    posts::{
        pages::{CardList, ListKind},
        queries::{PostList, list},
    },
    state::AppState,
    urls,
    web::{
        error::{AppError, AppResult},
        extractors::ListQuery,
        layout::Layout,
        list_pages::{Settled, settled},
        moved::moved_permanently,
        render::{CachePolicy, DependsOn, render},
        routing::page,
    },
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::CATEGORIES, all)).service(page(urls::pattern::CATEGORY, show));
}

async fn all(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let categories = queries::all(&state.db).await?;
    let page = CategoriesPage { layout: Layout::of(&request, &state), categories };
    render(&page, CachePolicy::Shared, DependsOn::on(["list:categories".to_owned()]))
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    slug: Path<String>,
) -> AppResult<HttpResponse> {
    let position = ListQuery::of(&request)?.newest_first()?;
    // The list needs the category's id, so it is a second wave.
    let Some(category) = queries::find_by_slug(&state.db, &slug).await? else {
        let moved = addresses::queries::moved_to(&state.db, Kind::Category, &slug).await?;
        let address = moved.ok_or(AppError::NotFound)?;
        return Ok(moved_permanently(&request, &urls::category(address.key())));
    };
    let path = urls::category(&category.slug);
    let page = list(&state.db, &PostList::Category(category.id), &position).await?;
    let page = match settled(page, &position, &path) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    let depends_on = DependsOn::on([format!("category:{}", category.id.to_hex())]);
    let list = CardList::new(page, &path, ListKind::Everybody);
    let page = CategoryPage { layout: Layout::of(&request, &state), category, list };
    render(&page, CachePolicy::Shared, depends_on)
}
