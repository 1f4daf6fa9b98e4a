//! Indexes: what each is like, for the driver and in words.

use std::time::Duration;

use mongodb::{
    IndexModel,
    bson::{Bson, Document},
    options::IndexOptions,
};

use super::client::ServerKind;

/// An index and why it is there.
#[derive(Debug, Clone, Copy)]
pub struct IndexSpec {
    pub name: &'static str,
    pub keys: &'static [(&'static str, i32)],
    pub kind: IndexKind,
    /// The queries that need it.
    pub serves: &'static str,
}

#[derive(Debug, Clone, Copy)]
pub enum IndexKind {
    Plain,
    /// Its keys never change in a document that is there.
    Unique,
    /// The same value stands in `addresses`, written in the same transaction, whose
    /// `_id` keeps it unique; this index only guards it once more.
    ///
    /// Not unique on the embedded engine, which keeps the old key of a changed
    /// document as taken: a slug that a draft gave back would be lost for good.
    UniqueByAddress,
    /// The same, among the documents that match. On the embedded engine it holds
    /// them all: a partial index that is not unique serves no read there.
    UniqueByAddressWhere(fn() -> Document),
    /// Documents go when the time in the field is this long past.
    Expiring(Duration),
    /// The same, only for documents that match.
    ExpiringWhere(Duration, fn() -> Document),
    /// Only documents that match.
    Where(fn() -> Document),
}

impl IndexSpec {
    fn key_document(&self) -> Document {
        self.keys.iter().map(|(field, way)| ((*field).to_owned(), Bson::Int32(*way))).collect()
    }

    /// For the driver.
    pub(super) fn model(&self, server: ServerKind) -> IndexModel {
        // See `IndexKind::UniqueByAddress`.
        let by_address = Some(server == ServerKind::MongoDb).filter(|is_unique| *is_unique);
        let (unique, expires, condition) = match self.kind {
            IndexKind::Plain => (None, None, None),
            IndexKind::Unique => (Some(true), None, None),
            IndexKind::UniqueByAddress => (by_address, None, None),
            IndexKind::UniqueByAddressWhere(matching) => {
                (by_address, None, by_address.map(|_| matching()))
            }
            IndexKind::Expiring(after) => (None, Some(after), None),
            IndexKind::ExpiringWhere(after, matching) => (None, Some(after), Some(matching())),
            IndexKind::Where(matching) => (None, None, Some(matching())),
        };
        let mut options = IndexOptions::default();
        options.name = Some(self.name.to_owned());
        options.unique = unique;
        options.expire_after = expires;
        options.partial_filter_expression = condition;
        let mut model = IndexModel::default();
        model.keys = self.key_document();
        model.options = Some(options);
        model
    }
}

pub(super) fn name_of(model: &IndexModel) -> &str {
    model.options.as_ref().and_then(|options| options.name.as_deref()).unwrap_or_default()
}

/// Keys and the options that matter, in one form whatever number types the
/// server chose.
pub(super) fn describe(model: &IndexModel) -> String {
    let keys: Vec<String> =
        model.keys.iter().map(|(field, way)| format!("{field}:{}", as_number(way))).collect();
    let mut text = format!("{{{}}}", keys.join(", "));
    if let Some(options) = &model.options {
        if options.unique == Some(true) {
            text.push_str(" unique");
        }
        if let Some(after) = options.expire_after {
            text = format!("{text} expiring after {} s", after.as_secs());
        }
        if let Some(condition) = &options.partial_filter_expression {
            text = format!("{text} where {condition}");
        }
    }
    text
}

fn as_number(way: &Bson) -> i64 {
    match way {
        Bson::Int32(n) => i64::from(*n),
        Bson::Int64(n) => *n,
        Bson::Double(n) if *n > 0.0 => 1,
        Bson::Double(_) => -1,
        _ => 0,
    }
}
