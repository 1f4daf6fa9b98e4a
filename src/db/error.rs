//! What can go wrong with the database, as far as callers tell it apart.

use mongodb::error::{
    Error, ErrorKind, TRANSIENT_TRANSACTION_ERROR, UNKNOWN_TRANSACTION_COMMIT_RESULT, WriteFailure,
};

/// MongoDB's code for a violated unique index.
const DUPLICATE_KEY: i32 = 11000;

/// A failed database call. The driver's error stays inside, for the log.
#[derive(Debug, thiserror::Error)]
pub enum DbError {
    /// A unique index already holds this value; `index` is its name, as in the
    /// `INDEXES` of the collection (`_id_` for the id), or empty if the server
    /// did not say.
    #[error("a document with the same key exists in the index {index:?}")]
    Duplicate { index: String, source: Error },
    /// The server cannot be reached or cannot answer now; trying later helps.
    #[error("the database does not answer")]
    Unavailable(#[source] Error),
    #[error("the database refused a command")]
    Failed(#[source] Error),
    /// Not asked, since nobody answered a moment ago.
    #[error("the database is away")]
    Away,
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
            Self::Duplicate { source, .. } => Self::Unavailable(source),
            Self::Unavailable(error) | Self::Failed(error) => Self::Unavailable(error),
            Self::Away => Self::Away,
            Self::TooSlow => Self::TooSlow,
        }
    }

    fn driver(&self) -> Option<&Error> {
        match self {
            Self::Duplicate { source, .. } => Some(source),
            Self::Unavailable(error) | Self::Failed(error) => Some(error),
            Self::Away | Self::TooSlow => None,
        }
    }

    /// No server was there to be asked, or it went while it was asked.
    pub(super) fn is_without_server(&self) -> bool {
        matches!(self, Self::Unavailable(error) if is_connection_lost(error))
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

impl From<mongodb::bson::error::Error> for DbError {
    /// A value that is no document.
    fn from(error: mongodb::bson::error::Error) -> Self {
        Self::Failed(error.into())
    }
}

impl From<Error> for DbError {
    fn from(error: Error) -> Self {
        if let Some(message) = duplicate_message(&error) {
            return Self::Duplicate { index: violated_index(message).to_owned(), source: error };
        }
        if is_connection_lost(&error) {
            return Self::Unavailable(error);
        }
        match error.kind.as_ref() {
            ErrorKind::Command(command) if is_outage(command.code) => Self::Unavailable(error),
            ErrorKind::Write(WriteFailure::WriteConcernError(_)) => Self::Unavailable(error),
            _ => Self::Failed(error),
        }
    }
}

fn is_connection_lost(error: &Error) -> bool {
    matches!(
        error.kind.as_ref(),
        ErrorKind::Io(_)
            | ErrorKind::ServerSelection { .. }
            | ErrorKind::ConnectionPoolCleared { .. }
            | ErrorKind::DnsResolve { .. }
    )
}

/// The server's words, if the error is nothing but duplicate keys.
fn duplicate_message(error: &Error) -> Option<&str> {
    match error.kind.as_ref() {
        ErrorKind::Write(WriteFailure::WriteError(write)) => {
            (write.code == DUPLICATE_KEY).then_some(&write.message)
        }
        ErrorKind::Command(command) => (command.code == DUPLICATE_KEY).then_some(&command.message),
        ErrorKind::InsertMany(many) => {
            let errors = many.write_errors.as_ref()?;
            let is_duplicate = errors.iter().all(|error| error.code == DUPLICATE_KEY);
            errors.first().filter(|_| is_duplicate).map(|error| &error.message)
        }
        _ => return None,
    }
    .map(String::as_str)
}

/// From `E11000 duplicate key error collection: inkstone.posts index: slug dup
/// key: { slug: "…" }`. The key's value comes last and may hold anything, so the
/// first match counts. Only the message tells: `keyPattern` does not reach the
/// driver's error, and two indexes may have the same keys.
fn violated_index(message: &str) -> &str {
    let name = message.split_once(" index: ").map(|(_, rest)| rest);
    name.and_then(|rest| rest.split_once(" dup key")).map_or("", |(name, _)| name)
}

/// Codes by which a server says that it is stopping, stepping down, or has run
/// out of the time it was given (driver specification, "Server Discovery and
/// Monitoring": node is recovering, not writable primary; 50 `MaxTimeMSExpired`).
fn is_outage(code: i32) -> bool {
    matches!(code, 50 | 91 | 189 | 10058 | 10107 | 11600 | 11602 | 13435 | 13436)
}

#[cfg(test)]
mod tests {
    use super::violated_index;

    #[test]
    fn the_violated_index_is_read_from_the_message() {
        for (message, index) in [
            (
                "E11000 duplicate key error collection: inkstone.posts index: slug dup key: { slug: \"a\" }",
                "slug",
            ),
            (
                "E11000 duplicate key error collection: inkstone.users index: _id_ dup key: { _id: 1 }",
                "_id_",
            ),
            // A value cannot pass for the name.
            (
                "E11000 duplicate key error collection: d.c index: slug dup key: { slug: \" index: email dup key\" }",
                "slug",
            ),
            ("E11000 duplicate key error", ""),
            ("", ""),
        ] {
            assert_eq!(violated_index(message), index, "{message}");
        }
    }
}
