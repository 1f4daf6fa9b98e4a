//! Author pages.

use actix_web::{
    HttpRequest, HttpResponse,
    http::header,
    web::{Data, Path, ServiceConfig},
};

use super::{pages::AuthorPage, queries};
use crate::{
    addresses::{self, model::Kind},
    domain::names::UserName,
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
    let Some(author) = queries::find_profile(&state.db, &username).await? else {
        return renamed(&request, &state, &username).await;
    };
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

/// An old name leads to the new one for good (row K4), in one step, with the query.
async fn renamed(
    request: &HttpRequest,
    state: &AppState,
    username: &str,
) -> AppResult<HttpResponse> {
    let key = UserName::normal(username);
    let address = addresses::queries::resolve(&state.db, Kind::User, &key).await?;
    let target = address.ok_or(AppError::NotFound)?.target;
    let author = queries::find_profile_by_id(&state.db, target).await?;
    let mut location = urls::author(&author.ok_or(AppError::NotFound)?.username);
    if !request.query_string().is_empty() {
        location.push('?');
        location.push_str(request.query_string());
    }
    Ok(HttpResponse::MovedPermanently().insert_header((header::LOCATION, location)).finish())
}
