//! Collections, validators and indexes as they should be, and how a database is
//! brought there: what is missing is made, what differs is refused.

use std::{collections::HashMap, time::Duration};

use futures_util::TryStreamExt;
use mongodb::{
    IndexModel,
    bson::{Bson, Document, doc},
    options::IndexOptions,
};

use super::{Db, DbError};

/// A collection with everything the database must know of it.
#[derive(Debug, Clone, Copy)]
pub struct CollectionSpec {
    pub name: &'static str,
    pub indexes: &'static [IndexSpec],
    /// A `$jsonSchema`; `None` where documents are too simple to get wrong.
    pub json_schema: Option<fn() -> Document>,
    pub compression: Compression,
}

/// How MongoDB packs a collection on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compression {
    /// The server's default (snappy).
    Default,
    /// For long text: smaller, a little slower.
    Zstd,
}

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
    Unique,
    /// Unique among the documents that match.
    UniqueWhere(fn() -> Document),
    /// Documents go when the time in the field is this long past.
    Expiring(Duration),
    /// The same, only for documents that match.
    ExpiringWhere(Duration, fn() -> Document),
    /// Only documents that match.
    Where(fn() -> Document),
}

/// What happens to a document that a validator does not like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Validation {
    Warn,
    Error,
}

impl Validation {
    fn action(self) -> &'static str {
        match self {
            Self::Warn => "warn",
            Self::Error => "error",
        }
    }
}

/// What `init` did and saw.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Report {
    pub made: Vec<String>,
    /// Indexes that no query of ours names.
    pub unknown: Vec<String>,
}

#[derive(Debug, thiserror::Error)]
pub enum SchemaError {
    #[error(
        "index {collection}.{index} is there, but different: it is {found}, it should be {wanted}; \
         drop it (db.{collection}.dropIndex(\"{index}\")) and run init again"
    )]
    Different { collection: String, index: String, found: String, wanted: String },
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<mongodb::error::Error> for SchemaError {
    fn from(error: mongodb::error::Error) -> Self {
        Self::Db(error.into())
    }
}

impl IndexSpec {
    fn key_document(&self) -> Document {
        self.keys.iter().map(|(field, way)| ((*field).to_owned(), Bson::Int32(*way))).collect()
    }

    fn model(&self) -> IndexModel {
        let (unique, expires, condition) = match self.kind {
            IndexKind::Plain => (None, None, None),
            IndexKind::Unique => (Some(true), None, None),
            IndexKind::UniqueWhere(matching) => (Some(true), None, Some(matching())),
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

/// Makes what is missing. Running it again changes nothing.
///
/// # Errors
/// [`SchemaError::Different`] for an index of the same name with other keys or
/// options: whether it may be dropped is for a person to say.
pub async fn apply(
    db: &Db,
    collections: &[CollectionSpec],
    validation: Validation,
) -> Result<Report, SchemaError> {
    let mut report = Report::default();
    let mut existing: HashMap<String, Document> = HashMap::new();
    let mut listed = db.database().list_collections().await?;
    while let Some(found) = listed.try_next().await? {
        let options = mongodb::bson::serialize_to_document(&found.options).unwrap_or_default();
        existing.insert(found.name, options);
    }
    for collection in collections {
        match existing.get(collection.name) {
            None => {
                db.database().run_command(create_command(collection, validation)).await?;
                report.made.push(format!("collection {}", collection.name));
            }
            Some(options) => {
                if let Some(command) = collmod_command(collection, validation, options) {
                    db.database().run_command(command).await?;
                    report.made.push(format!("validator of {}", collection.name));
                }
            }
        }
        apply_indexes(db, collection, &mut report).await?;
    }
    Ok(report)
}

/// Makes the view `name` over `source` if it is not there.
///
/// # Errors
/// [`SchemaError::Db`] when the database does not answer.
pub async fn apply_view(
    db: &Db,
    name: &str,
    source: &str,
    pipeline: Vec<Document>,
) -> Result<Report, SchemaError> {
    let mut report = Report::default();
    let names = db.database().list_collection_names().await?;
    if !names.iter().any(|found| found == name) {
        db.database().create_collection(name).view_on(source.to_owned()).pipeline(pipeline).await?;
        report.made.push(format!("view {name}"));
    }
    Ok(report)
}

fn create_command(collection: &CollectionSpec, validation: Validation) -> Document {
    let mut command = doc! { "create": collection.name };
    if let Some(schema) = collection.json_schema {
        command.insert("validator", doc! { "$jsonSchema": schema() });
        command.insert("validationAction", validation.action());
    }
    if collection.compression == Compression::Zstd {
        let config = doc! { "configString": "block_compressor=zstd" };
        command.insert("storageEngine", doc! { "wiredTiger": config });
    }
    command
}

fn collmod_command(
    collection: &CollectionSpec,
    validation: Validation,
    options: &Document,
) -> Option<Document> {
    let wanted = doc! { "$jsonSchema": (collection.json_schema?)() };
    let is_right = options.get_document("validator").ok() == Some(&wanted)
        && options.get_str("validationAction").unwrap_or("error") == validation.action();
    (!is_right).then(|| {
        doc! {
            "collMod": collection.name,
            "validator": wanted,
            "validationAction": validation.action(),
        }
    })
}

async fn apply_indexes(
    db: &Db,
    collection: &CollectionSpec,
    report: &mut Report,
) -> Result<(), SchemaError> {
    let handle = db.collection::<Document>(collection.name);
    let found: Vec<IndexModel> = handle.list_indexes().await?.try_collect().await?;
    let mut missing = Vec::new();
    for index in collection.indexes {
        let wanted = index.model();
        match found.iter().find(|model| name_of(model) == index.name) {
            None => {
                missing.push(wanted);
                report.made.push(format!("index {}.{}", collection.name, index.name));
            }
            Some(there) if describe(there) != describe(&wanted) => {
                return Err(SchemaError::Different {
                    collection: collection.name.to_owned(),
                    index: index.name.to_owned(),
                    found: describe(there),
                    wanted: describe(&wanted),
                });
            }
            Some(_) => {}
        }
    }
    if !missing.is_empty() {
        handle.create_indexes(missing).await?;
    }
    for model in &found {
        let name = name_of(model);
        if name != "_id_" && !collection.indexes.iter().any(|index| index.name == name) {
            report.unknown.push(format!("{}.{name}", collection.name));
        }
    }
    Ok(())
}

fn name_of(model: &IndexModel) -> &str {
    model.options.as_ref().and_then(|options| options.name.as_deref()).unwrap_or_default()
}

/// Keys and the options that matter, in one form whatever number types the
/// server chose.
fn describe(model: &IndexModel) -> String {
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
