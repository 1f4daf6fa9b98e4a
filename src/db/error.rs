//! What can go wrong with the database, as far as callers tell it apart.

use mongodb::error::{
    Error, ErrorKind, TRANSIENT_TRANSACTION_ERROR, UNKNOWN_TRANSACTION_COMMIT_RESULT, WriteFailure,
};

/// MongoDB's code for a violated unique index.
const DUPLICATE_KEY: i32 = 11000;

/// A failed database call. The driver's error stays inside, for the log.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A unique index already holds this value.
    #[error("a document with the same key exists")]
    Duplicate(#[source] Error),
    /// The server cannot be reached or cannot answer now; trying later helps.
    #[error("the database does not answer")]
    Unavailable(#[source] Error),
    #[error("the database refused a command")]
    Failed(#[source] Error),
    /// No answer in the time a visitor is made to wait.
    #[error("the database takes too long")]
    TooSlow,
}

impl DbError {
    /// The error with its causes on one line, for the log.
    #[must_use]
    pub fn chain(&self) -> String {
        match self.driver() {
            Some(cause) => format!("{self}: {cause}"),
            None => self.to_string(),
        }
    }

    /// The same trouble, as one that passes.
    #[must_use]
    pub fn as_unavailable(self) -> Self {
        match self {
            Self::Duplicate(error) | Self::Unavailable(error) | Self::Failed(error) => {
                Self::Unavailable(error)
            }
            Self::TooSlow => Self::TooSlow,
        }
    }

    fn driver(&self) -> Option<&Error> {
        match self {
            Self::Duplicate(error) | Self::Unavailable(error) | Self::Failed(error) => Some(error),
            Self::TooSlow => None,
        }
    }

    /// The whole transaction may be tried again.
    #[must_use]
    pub fn is_transient(&self) -> bool {
        self.driver().is_some_and(|error| error.contains_label(TRANSIENT_TRANSACTION_ERROR))
    }

    /// The commit may or may not have happened; committing again finds out.
    #[must_use]
    pub fn is_commit_unknown(&self) -> bool {
        self.driver().is_some_and(|error| error.contains_label(UNKNOWN_TRANSACTION_COMMIT_RESULT))
    }
}

impl From<Error> for DbError {
    fn from(error: Error) -> Self {
        let is_duplicate = match error.kind.as_ref() {
            ErrorKind::Write(WriteFailure::WriteError(write)) => write.code == DUPLICATE_KEY,
            ErrorKind::Command(command) => command.code == DUPLICATE_KEY,
            ErrorKind::InsertMany(many) => many
                .write_errors
                .as_ref()
                .is_some_and(|errors| errors.iter().all(|e| e.code == DUPLICATE_KEY)),
            _ => false,
        };
        if is_duplicate {
            return Self::Duplicate(error);
        }
        match error.kind.as_ref() {
            ErrorKind::Io(_)
            | ErrorKind::ServerSelection { .. }
            | ErrorKind::ConnectionPoolCleared { .. }
            | ErrorKind::DnsResolve { .. } => Self::Unavailable(error),
            ErrorKind::Command(command) if is_outage(command.code) => Self::Unavailable(error),
            ErrorKind::Write(WriteFailure::WriteConcernError(_)) => Self::Unavailable(error),
            _ => Self::Failed(error),
        }
    }
}

/// Codes by which a server says that it is stopping, stepping down, or has run
/// out of the time it was given (driver specification, "Server Discovery and
/// Monitoring": node is recovering, not writable primary; 50 `MaxTimeMSExpired`).
fn is_outage(code: i32) -> bool {
    matches!(code, 50 | 91 | 189 | 10058 | 10107 | 11600 | 11602 | 13435 | 13436)
}
