//! An upload as it arrives: a form in parts, read one file at a time within limits.

use std::time::Duration;

use actix_multipart::{Field, Multipart};
use futures_util::StreamExt as _;
use tokio::time::timeout;

use crate::{
    domain::image::MAX_FILE_BYTES,
    web::{
        error::{AppError, AppResult},
        member_form::TOKEN_FIELD,
    },
};

/// All parts of one form together.
const MAX_BYTES: usize = 64 * 1024 * 1024;

/// Parts of one form: what a person chooses at once, and the token.
const MAX_PARTS: usize = 33;

/// Who sends nothing for so long has gone.
const PATIENCE: Duration = Duration::from_secs(10);

/// Longer than any token.
const MAX_TOKEN_BYTES: usize = 1024;

/// A file of the form.
pub struct SentFile {
    /// As the browser calls it. Never part of an address or a path.
    pub name: String,
    /// `None`: there are more than a picture may have, and they were passed over.
    pub bytes: Option<Vec<u8>>,
}

/// The parts still to come.
pub struct Upload {
    parts: Multipart,
    bytes: usize,
    count: usize,
}

impl Upload {
    #[must_use]
    pub fn new(parts: Multipart) -> Self {
        Self { parts, bytes: 0, count: 0 }
    }

    /// The form's token, which stands before its files so that nothing of a form
    /// without a right one is kept. Empty if another part comes first.
    ///
    /// # Errors
    /// 400, 408 or 413 for a form that breaks off, stops or is too large.
    pub async fn token(&mut self) -> AppResult<String> {
        match self.next_part().await? {
            Some(field) if field.name() == Some(TOKEN_FIELD) => {
                let bytes = self.read(field, MAX_TOKEN_BYTES).await?.unwrap_or_default();
                Ok(String::from_utf8_lossy(&bytes).into_owned())
            }
            _ => Ok(String::new()),
        }
    }

    /// The next file that was chosen.
    ///
    /// # Errors
    /// As [`Upload::token`].
    pub async fn next_file(&mut self) -> AppResult<Option<SentFile>> {
        while let Some(field) = self.next_part().await? {
            let name = field
                .content_disposition()
                .and_then(|disposition| disposition.get_filename())
                .map(str::to_owned);
            let bytes = self.read(field, MAX_FILE_BYTES).await?;
            // A field for files in which none was chosen comes without a name.
            if let Some(name) = name.filter(|name| !name.is_empty()) {
                return Ok(Some(SentFile { name, bytes }));
            }
        }
        Ok(None)
    }

    async fn next_part(&mut self) -> AppResult<Option<Field>> {
        self.count += 1;
        match timeout(PATIENCE, self.parts.next()).await {
            Err(_) => Err(AppError::Timeout),
            Ok(None) => Ok(None),
            Ok(Some(_)) if self.count > MAX_PARTS => Err(AppError::TooLarge),
            Ok(Some(Ok(field))) => Ok(Some(field)),
            Ok(Some(Err(_))) => Err(AppError::BadRequest("the form broke off")),
        }
    }

    /// What a part holds; `None` if that is more than `limit`.
    async fn read(&mut self, mut field: Field, limit: usize) -> AppResult<Option<Vec<u8>>> {
        let mut read = Some(Vec::new());
        loop {
            let chunk = match timeout(PATIENCE, field.next()).await {
                Err(_) => return Err(AppError::Timeout),
                Ok(None) => return Ok(read),
                Ok(Some(Ok(chunk))) => chunk,
                Ok(Some(Err(_))) => return Err(AppError::BadRequest("the form broke off")),
            };
            self.bytes += chunk.len();
            if self.bytes > MAX_BYTES {
                return Err(AppError::TooLarge);
            }
            match &mut read {
                Some(bytes) if bytes.len() + chunk.len() <= limit => {
                    bytes.extend_from_slice(&chunk);
                }
                _ => read = None,
            }
        }
    }
}
