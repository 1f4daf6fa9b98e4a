//! What is in the database: collections, validators, indexes, migrations.

use super::Check;
use crate::{
    db::{
        Db,
        migrations::{self, MigrationError},
        schema::{DifferenceKind, Validation},
    },
    schema,
};

const INIT: &str = "run inkstone init";

pub async fn checks(db: &Db, validation: Validation) -> Vec<Check> {
    let mut checks = match schema::inspect(db, validation).await {
        Err(error) => vec![Check::no_answer("schema", error)],
        Ok(differences) => {
            let mut found = Found::default();
            for difference in &differences {
                found.note(difference.collection.name, &difference.kind);
            }
            match schema::has_public_view(db).await {
                Ok(true) => {}
                Ok(false) => found.collections.push("the view users_public is missing".to_owned()),
                Err(error) => return vec![Check::no_answer("schema", error)],
            }
            found.checks()
        }
    };
    checks.push(ledger(db).await);
    checks
}

/// What is not as it should be, by check.
#[derive(Default)]
struct Found {
    collections: Vec<String>,
    validators: Vec<String>,
    missing_indexes: Vec<String>,
    other_indexes: Vec<String>,
    unknown_indexes: Vec<String>,
}

impl Found {
    fn note(&mut self, collection: &str, kind: &DifferenceKind) {
        match kind {
            DifferenceKind::NoCollection => {
                self.collections.push(format!("{collection} is missing"));
            }
            DifferenceKind::OtherValidator { is_missing: true } => {
                self.validators.push(format!("{collection} has none"));
            }
            DifferenceKind::OtherValidator { is_missing: false } => {
                self.validators.push(format!("{collection} has another one"));
            }
            DifferenceKind::OtherAction { found, wanted } => {
                self.validators.push(format!("{collection} says {found}, not {wanted}"));
            }
            DifferenceKind::NotYetPlain(index) => {
                self.missing_indexes
                    .push(format!("{collection}.{} is to be made anew", index.name));
            }
            DifferenceKind::NoIndex(index) => {
                self.missing_indexes.push(format!("{collection}.{} is missing", index.name));
            }
            DifferenceKind::OtherIndex { index, found, wanted } => {
                self.other_indexes.push(format!("{collection}.{index} is {found}, not {wanted}"));
            }
            DifferenceKind::UnknownIndex(index) => {
                self.unknown_indexes.push(format!("{collection}.{index}"));
            }
        }
    }

    fn checks(self) -> Vec<Check> {
        let simple = |name, found: &[String], right| {
            if found.is_empty() {
                Check::pass(name, right)
            } else {
                Check::fail(name, found.join("; "), INIT)
            }
        };
        vec![
            simple("collections", &self.collections, "all there"),
            simple("validators", &self.validators, "all in force"),
            self.indexes(),
        ]
    }

    fn indexes(self) -> Check {
        const NAME: &str = "indexes";
        let unknown = |names: &[String]| format!("no query of Inkstone names {}", names.join(", "));
        let mut wrong = [self.missing_indexes, self.other_indexes.clone()].concat();
        if wrong.is_empty() && self.unknown_indexes.is_empty() {
            return Check::pass(NAME, "all there");
        }
        if wrong.is_empty() {
            let mend = "each costs time at every write: drop those that nobody else needs";
            return Check::cannot_tell(NAME, unknown(&self.unknown_indexes), mend);
        }
        if !self.unknown_indexes.is_empty() {
            wrong.push(unknown(&self.unknown_indexes));
        }
        let mend = if self.other_indexes.is_empty() {
            INIT.to_owned()
        } else {
            // `init` refuses an index of the same name with other keys.
            format!("drop what is different, then {INIT}")
        };
        Check::fail(NAME, wrong.join("; "), mend)
    }
}

async fn ledger(db: &Db) -> Check {
    const NAME: &str = "migrations";
    match migrations::pending(db, schema::MIGRATIONS).await {
        Ok(pending) if pending.is_empty() => {
            Check::pass(NAME, format!("{} of {0} done", schema::MIGRATIONS.len()))
        }
        Ok(pending) => {
            let names: Vec<String> =
                pending.iter().map(|one| format!("{} ({})", one.number, one.name)).collect();
            Check::fail(NAME, format!("not done: {}", names.join(", ")), INIT)
        }
        Err(error @ MigrationError::Newer { .. }) => {
            Check::fail(NAME, error.to_string(), "start the newer program")
        }
        Err(error) => Check::cannot_tell(
            NAME,
            format!("{:#}", anyhow::Error::from(error)),
            "see the server's log",
        ),
    }
}
