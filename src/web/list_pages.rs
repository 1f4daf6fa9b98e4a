//! What a request for a page of a list ends in.

use actix_web::{HttpResponse, http::header};

use super::error::{AppError, AppResult};
use crate::domain::paging::{Page, Position};

/// What to do with a page of a list.
pub enum Settled<T, C> {
    Page(Page<T, C>),
    /// Another answer than this page.
    Elsewhere(AppResult<HttpResponse>),
}

/// Going back to the start of a list ends on its first page, which has one
/// address; going on beyond its end leads nowhere.
#[must_use]
pub fn settled<T, C>(page: Page<T, C>, position: &Position<C>, first_page: &str) -> Settled<T, C> {
    match position {
        Position::Preceding(_) if page.preceding.is_none() => {
            Settled::Elsewhere(Ok(HttpResponse::Found()
                .insert_header((header::LOCATION, first_page))
                .finish()))
        }
        Position::Following(_) if page.items.is_empty() => {
            Settled::Elsewhere(Err(AppError::NotFound))
        }
        _ => Settled::Page(page),
    }
}
