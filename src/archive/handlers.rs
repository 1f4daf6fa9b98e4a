//! The archive and the pages of its months.

use actix_web::{
    HttpRequest, HttpResponse,
    web::{Data, Path, ServiceConfig},
};
use futures_util::future::join;

use super::{
    pages::{ArchivePage, MonthPage},
    queries,
};
use crate::{
    domain::month::Month,
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
    cfg.service(page(urls::pattern::ARCHIVE, archive)).service(page(urls::pattern::MONTH, month));
}

async fn archive(request: HttpRequest, state: Data<AppState>) -> AppResult<HttpResponse> {
    let months = queries::months(&state.db).await?;
    let page = ArchivePage::new(Layout::of(&request, &state), months);
    render(&page, CachePolicy::Shared, DependsOn::on(["list:archive".to_owned()]))
}

async fn month(
    request: HttpRequest,
    state: Data<AppState>,
    path: Path<(String, String)>,
) -> AppResult<HttpResponse> {
    let (year, month) = path.into_inner();
    let month = Month::from_address(&year, &month).ok_or(AppError::NotFound)?;
    let position = ListQuery::of(&request)?.newest_first()?;
    let posts = PostList::Between(month.range(&state.site.zone));
    let (months, page) = join(queries::months(&state.db), list(&state.db, &posts, &position)).await;
    let path = urls::month(month);
    let page = match settled(page?, &position, &path) {
        Settled::Page(page) => page,
        Settled::Elsewhere(response) => return response,
    };
    // The posts decide, not the count: a month without posts is no page.
    if page.items.is_empty() {
        return Err(AppError::NotFound);
    }
    let list = CardList::new(page, &path, ListKind::Everybody);
    let page = MonthPage::new(Layout::of(&request, &state), month, &months?, list);
    let depends_on = DependsOn::on([format!("month:{}", month.id()), "list:archive".to_owned()]);
    render(&page, CachePolicy::Shared, depends_on)
}
