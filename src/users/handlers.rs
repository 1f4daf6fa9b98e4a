//! Author pages.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, ServiceConfig},
};

use super::{pages::AuthorPage, queries};
use crate::{
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
        render::{CachePolicy, DependsOn, render},
        routing::page,
    },
};

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::AUTHOR, show));
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    username: Path<String>,
) -> AppResult<HttpResponse> {
    let position = ListQuery::of(&request)?.newest_first()?;
    // The list needs the author's id, so it is a second wave.
    let author = queries::find_profile(&state.db, &username).await?.ok_or(AppError::NotFound)?;
    let path = urls::author(&author.username);
    let page = list(&state.db, &PostList::Author(author.id), &position).await?;
    let page = match settled(page, &position, &path) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    let depends_on = DependsOn::on([format!("author:{}", author.id.to_hex())]);
    let list = CardList::new(page, &path, ListKind::OneAuthor);
    let page = AuthorPage { layout: Layout::of(&request, &state), author, list };
    render(&page, CachePolicy::Shared, depends_on)
}
