//! What a request can fail with. Each has a status; `middleware::error_pages`
//! draws the page, since an error cannot see the request that the page needs.

use actix_web::{
    HttpResponse, ResponseError,
    http::{
        StatusCode,
        header::{self, HeaderValue},
    },
};

use crate::db::DbError;

/// What a 503 tells machines: come back in five seconds.
pub const RETRY_AFTER_SECS: HeaderValue = HeaderValue::from_static("5");

#[derive(Debug, thiserror::Error)]
pub enum AppError {
    #[error("there is no such page")]
    NotFound,
    /// It was public once.
    #[error("the page is gone for good")]
    Gone,
    #[error("the request is not understood: {0}")]
    BadRequest(&'static str),
    #[error("the form came from another site")]
    CrossSite,
    /// The way to the sign-in page, and from there back.
    #[error("only members may see this")]
    SignedOut { signin: String },
    #[error("this member may not do this")]
    Forbidden,
    #[error("tried too often")]
    TooMany { wait_secs: i64 },
    #[error("the form is too large")]
    TooLarge,
    #[error("the form did not arrive in time")]
    Timeout,
    #[error("the database does not answer")]
    Unavailable(#[source] DbError),
    /// The cause is for the log, never for the visitor.
    #[error("an internal error")]
    Internal(#[source] anyhow::Error),
}

pub type AppResult<T> = Result<T, AppError>;

impl From<DbError> for AppError {
    fn from(error: DbError) -> Self {
        match error {
            DbError::Unavailable(_) | DbError::Away | DbError::TooSlow => Self::Unavailable(error),
            DbError::Duplicate { .. } | DbError::Failed(_) => Self::Internal(error.into()),
        }
    }
}

impl ResponseError for AppError {
    fn status_code(&self) -> StatusCode {
        match self {
            Self::NotFound => StatusCode::NOT_FOUND,
            Self::Gone => StatusCode::GONE,
            Self::BadRequest(_) => StatusCode::BAD_REQUEST,
            Self::SignedOut { .. } => StatusCode::SEE_OTHER,
            Self::CrossSite | Self::Forbidden => StatusCode::FORBIDDEN,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Timeout => StatusCode::REQUEST_TIMEOUT,
            Self::Unavailable(_) => StatusCode::SERVICE_UNAVAILABLE,
            Self::Internal(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    fn error_response(&self) -> HttpResponse {
        let mut response = HttpResponse::build(self.status_code());
        if let Self::SignedOut { signin } = self {
            response.insert_header((header::LOCATION, signin.as_str()));
        }
        if let Self::TooMany { wait_secs } = self {
            response.insert_header((header::RETRY_AFTER, *wait_secs));
        }
        response.finish()
    }
}
