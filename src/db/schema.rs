//! Collections, validators and indexes as they should be, and how a database is
//! brought there: what is missing is made, what differs is refused.

use std::collections::HashMap;

use futures_util::TryStreamExt;
use mongodb::{
    IndexModel,
    bson::{Document, doc},
    error::ErrorKind,
};

pub use super::indexes::{IndexKind, IndexSpec};
use super::{
    Db, DbError,
    client::ServerKind,
    indexes::{describe, name_of},
    migrations::MigrationError,
};

/// MongoDB's code for a collection or view that is there already.
const NAMESPACE_EXISTS: i32 = 48;

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
    /// Migrations, by number and name.
    pub ran: Vec<(i32, &'static str)>,
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
    Migration(#[from] MigrationError),
    #[error(transparent)]
    Db(#[from] DbError),
}

/// A collection that is not as it should be, and how.
#[derive(Debug, Clone)]
pub struct Difference {
    pub collection: CollectionSpec,
    pub kind: DifferenceKind,
}

#[derive(Debug, Clone)]
pub enum DifferenceKind {
    NoCollection,
    /// No validator, or another than the one it should have.
    OtherValidator {
        is_missing: bool,
    },
    /// The right validator, which does something else with what it refuses.
    OtherAction {
        found: String,
        wanted: &'static str,
    },
    NoIndex(IndexSpec),
    OtherIndex {
        index: &'static str,
        found: String,
        wanted: String,
    },
    /// Unique, as on MongoDB, where the embedded engine needs it plain: so it was made
    /// before [`IndexKind::UniqueByAddress`]. Nothing is lost by making it anew.
    NotYetPlain(IndexSpec),
    /// No query of ours names it.
    UnknownIndex(String),
}

/// Compares a database with what it should be. Changes nothing.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn inspect(
    db: &Db,
    collections: &[CollectionSpec],
    validation: Validation,
) -> Result<Vec<Difference>, DbError> {
    let mut existing: HashMap<String, Document> = HashMap::new();
    let mut listed = db.database().list_collections().await?;
    while let Some(found) = listed.try_next().await? {
        let options = mongodb::bson::serialize_to_document(&found.options).unwrap_or_default();
        existing.insert(found.name, options);
    }
    let mut differences = Vec::new();
    for collection in collections {
        let mut note = |kind| differences.push(Difference { collection: *collection, kind });
        let found: Vec<IndexModel> = match existing.get(collection.name) {
            None => {
                note(DifferenceKind::NoCollection);
                Vec::new()
            }
            Some(options) => {
                inspect_validator(collection, validation, options).into_iter().for_each(&mut note);
                let handle = db.collection::<Document>(collection.name);
                handle.list_indexes().await?.try_collect().await?
            }
        };
        inspect_indexes(collection, db.kind(), &found, &mut note);
    }
    Ok(differences)
}

fn inspect_validator(
    collection: &CollectionSpec,
    validation: Validation,
    options: &Document,
) -> Option<DifferenceKind> {
    let wanted = validator(collection)?;
    let found = options.get_document("validator").ok();
    if found != Some(&wanted) {
        return Some(DifferenceKind::OtherValidator { is_missing: found.is_none() });
    }
    let wanted = validation.action();
    // The server leaves out what is its default.
    let found = options.get_str("validationAction").unwrap_or("error").to_owned();
    (found != wanted).then_some(DifferenceKind::OtherAction { found, wanted })
}

fn inspect_indexes(
    collection: &CollectionSpec,
    kind: ServerKind,
    found: &[IndexModel],
    mut note: impl FnMut(DifferenceKind),
) {
    for index in collection.indexes {
        let wanted = describe(&index.model(kind));
        match found.iter().find(|model| name_of(model) == index.name).map(describe) {
            None => note(DifferenceKind::NoIndex(*index)),
            Some(found)
                if found != wanted && found == describe(&index.model(ServerKind::MongoDb)) =>
            {
                note(DifferenceKind::NotYetPlain(*index));
            }
            Some(found) if found != wanted => {
                note(DifferenceKind::OtherIndex { index: index.name, found, wanted });
            }
            Some(_) => {}
        }
    }
    for name in found.iter().map(name_of) {
        if name != "_id_" && !collection.indexes.iter().any(|index| index.name == name) {
            note(DifferenceKind::UnknownIndex(name.to_owned()));
        }
    }
}

/// Makes what is missing. Running it again changes nothing.
///
/// # Errors
/// [`SchemaError::Different`] for an index of the same name with other keys or
/// options: whether it may be dropped is for a person to say. Nothing is made
/// then.
pub async fn apply(
    db: &Db,
    collections: &[CollectionSpec],
    validation: Validation,
) -> Result<Report, SchemaError> {
    let differences = inspect(db, collections, validation).await?;
    for Difference { collection, kind } in &differences {
        if let DifferenceKind::OtherIndex { index, found, wanted } = kind {
            return Err(SchemaError::Different {
                collection: collection.name.to_owned(),
                index: (*index).to_owned(),
                found: found.clone(),
                wanted: wanted.clone(),
            });
        }
    }
    let mut report = Report::default();
    for of_one in differences.chunk_by(|a, b| a.collection.name == b.collection.name) {
        apply_to_collection(db, of_one, validation, &mut report).await?;
    }
    Ok(report)
}

async fn apply_to_collection(
    db: &Db,
    differences: &[Difference],
    validation: Validation,
    report: &mut Report,
) -> Result<(), DbError> {
    let mut indexes = Vec::new();
    for Difference { collection, kind } in differences {
        let name = collection.name;
        match kind {
            DifferenceKind::NoCollection => {
                create(db, create_command(collection, validation)).await?;
                report.made.push(format!("collection {name}"));
            }
            DifferenceKind::OtherValidator { .. } | DifferenceKind::OtherAction { .. } => {
                db.database().run_command(collmod_command(collection, validation)).await?;
                report.made.push(format!("validator of {name}"));
            }
            DifferenceKind::NoIndex(index) => {
                indexes.push(index.model(db.kind()));
                report.made.push(format!("index {name}.{}", index.name));
            }
            DifferenceKind::NotYetPlain(index) => {
                db.collection::<Document>(name).drop_index(index.name).await?;
                indexes.push(index.model(db.kind()));
                report.made.push(format!("index {name}.{} anew", index.name));
            }
            DifferenceKind::UnknownIndex(index) => report.unknown.push(format!("{name}.{index}")),
            DifferenceKind::OtherIndex { .. } => {}
        }
    }
    if let Some(Difference { collection, .. }) = differences.first()
        && !indexes.is_empty()
    {
        // All at once: the server reads the collection once for all of them.
        db.collection::<Document>(collection.name).create_indexes(indexes).await?;
    }
    Ok(())
}

/// Makes the view `name` over `source` if it is not there.
///
/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn apply_view(
    db: &Db,
    name: &str,
    source: &str,
    pipeline: Vec<Document>,
) -> Result<Report, DbError> {
    let mut report = Report::default();
    if !has_view(db, name).await? {
        create(db, doc! { "create": name, "viewOn": source, "pipeline": pipeline }).await?;
        report.made.push(format!("view {name}"));
    }
    Ok(report)
}

/// # Errors
/// [`DbError`] when the database does not answer.
pub async fn has_view(db: &Db, name: &str) -> Result<bool, DbError> {
    let names = db.database().list_collection_names().await?;
    Ok(names.iter().any(|found| found == name))
}

/// Runs a `create`. That another process was quicker is no error.
async fn create(db: &Db, command: Document) -> Result<(), DbError> {
    match db.database().run_command(command).await {
        Err(error) if matches!(error.kind.as_ref(), ErrorKind::Command(c) if c.code == NAMESPACE_EXISTS) => {
            Ok(())
        }
        outcome => Ok(outcome.map(drop)?),
    }
}

fn validator(collection: &CollectionSpec) -> Option<Document> {
    Some(doc! { "$jsonSchema": (collection.json_schema?)() })
}

fn create_command(collection: &CollectionSpec, validation: Validation) -> Document {
    let mut command = doc! { "create": collection.name };
    if let Some(validator) = validator(collection) {
        command.insert("validator", validator);
        command.insert("validationAction", validation.action());
    }
    if collection.compression == Compression::Zstd {
        let config = doc! { "configString": "block_compressor=zstd" };
        command.insert("storageEngine", doc! { "wiredTiger": config });
    }
    command
}

fn collmod_command(collection: &CollectionSpec, validation: Validation) -> Document {
    doc! {
        "collMod": collection.name,
        "validator": validator(collection).unwrap_or_default(),
        "validationAction": validation.action(),
    }
}
