//! Tag pages.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, ServiceConfig},
};
use futures_util::future::join;

use super::{
    pages::{TagPage, TagsPage},
    queries,
};
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
    cfg.service(page(urls::pattern::TAGS, all)).service(page(urls::pattern::TAG, show));
}

async fn all(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let position = ListQuery::of(&request)?.largest_first()?;
    // The top of the cloud is what the tags of every page are measured by.
    let (page, top) = join(queries::all(&state.db, &position), queries::cloud(&state.db)).await;
    let page = match settled(page?, &position, urls::tags()) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    let most = top?.first().map(|tag| tag.post_count).unwrap_or_default();
    let page = TagsPage::new(Layout::of(&request, &state), page, most);
    render(&page, CachePolicy::Shared, DependsOn::on(["list:tags".to_owned()]))
}

async fn show(
    request: HttpRequest,
    state: Data<AppState>,
    name: Path<String>,
) -> AppResult<HttpResponse> {
    let position = ListQuery::of(&request)?.newest_first()?;
    let posts = PostList::Tag(name.clone());
    let (tag, page) =
        join(queries::find(&state.db, &name), list(&state.db, &posts, &position)).await;
    // A tag that no published post carries any more is no page.
    let tag = tag?.filter(|tag| tag.post_count > 0).ok_or(AppError::NotFound)?;
    let path = urls::tag(&tag.id);
    let page = match settled(page?, &position, &path) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    let depends_on = DependsOn::on([format!("tag:{}", tag.id)]);
    let list = CardList::new(page, &path, ListKind::Everybody);
    let page = TagPage { layout: Layout::of(&request, &state), tag, list };
    render(&page, CachePolicy::Shared, depends_on)
}
