//! Plan lint: what the embedded engine's `explain` cannot prove. Every read and
//! update declares equality, sort and range; its index must hold them in that
//! order, and its filter nothing that no index serves.

use std::collections::BTreeSet;

use inkstone::{
    access_patterns::{reads, updates},
    db::{
        find::{FindSpec, NATURAL, Sort},
        schema::IndexKind,
        update::UpdateFilter,
    },
    schema::collections,
};
use mongodb::bson::{Bson, Document, doc};

use super::{
    assert_none, is_feature,
    source::{read, sources},
};

/// Anything else in a filter is a question to ask first.
const OPERATORS: &[&str] = &["$and", "$eq", "$gt", "$gte", "$in", "$lt", "$lte", "$or"];

/// MongoDB merges sorted streams of so many values at most.
const MAX_IN: usize = 200;

/// What the lint looks at.
struct Pattern {
    name: &'static str,
    collection: &'static str,
    index: &'static str,
    equal: Document,
    residual: Document,
    sort: Option<Document>,
    limit: usize,
    filter: Document,
}

impl From<FindSpec> for Pattern {
    fn from(spec: FindSpec) -> Self {
        Self {
            name: spec.name,
            collection: spec.collection,
            index: spec.index,
            sort: spec.sort_keys(),
            limit: spec.limit,
            filter: spec.filter(),
            equal: spec.equal,
            residual: spec.residual,
        }
    }
}

impl From<UpdateFilter> for Pattern {
    fn from(update: UpdateFilter) -> Self {
        Self {
            name: update.name,
            collection: update.collection,
            index: update.index,
            sort: None,
            limit: 1,
            filter: update.filter(),
            equal: update.equal,
            residual: update.residual,
        }
    }
}

fn patterns() -> Vec<Pattern> {
    reads().into_iter().map(Into::into).chain(updates().into_iter().map(Into::into)).collect()
}

/// Keys of the named index, and the condition of a partial one.
fn index_of(pattern: &Pattern) -> Option<(Vec<(&'static str, i32)>, Document)> {
    let all = collections();
    let collection = all.iter().find(|collection| collection.name == pattern.collection)?;
    if pattern.index == "_id_" {
        return Some((vec![("_id", 1)], Document::new()));
    }
    let index = collection.indexes.iter().find(|index| index.name == pattern.index)?;
    let condition = match index.kind {
        IndexKind::Plain
        | IndexKind::Unique
        | IndexKind::UniqueByAddress
        | IndexKind::Expiring(_) => Document::new(),
        IndexKind::UniqueByAddressWhere(condition)
        | IndexKind::ExpiringWhere(_, condition)
        | IndexKind::Where(condition) => condition(),
    };
    Some((index.keys.to_vec(), condition))
}

/// Everything that is wrong with a pattern.
fn lint(pattern: &Pattern) -> Vec<String> {
    let mut found = operators(&pattern.filter, 0);
    if pattern.index == NATURAL {
        if !pattern.filter.is_empty() || pattern.sort.is_some() || pattern.limit != 1 {
            found.push("it reads the collection".to_owned());
        }
        return found;
    }
    let Some((keys, condition)) = index_of(pattern) else {
        found.push(format!("there is no index {}.{}", pattern.collection, pattern.index));
        return found;
    };
    // Equality: the first keys, in any order. Then the sort, one way or the other.
    let (leading, rest) = keys.split_at(pattern.equal.len().min(keys.len()));
    let equal: BTreeSet<_> = pattern.equal.keys().map(String::as_str).collect();
    if equal != leading.iter().map(|(field, _)| *field).collect() {
        found.push(format!("{equal:?} are not the first keys of {keys:?}"));
    }
    let sort: Vec<(&str, i32)> = pattern
        .sort
        .iter()
        .flatten()
        .map(|(field, way)| (field.as_str(), way.as_i32().unwrap()))
        .collect();
    let backwards: Vec<_> = sort.iter().map(|(field, way)| (*field, -way)).collect();
    if !rest.starts_with(&sort) && !rest.starts_with(&backwards) {
        found.push(format!("the sort {sort:?} does not go on with {rest:?}"));
    }
    // Range: on the keys of the sort, or on the one that follows.
    // Once the id has found the one document, a further condition costs nothing.
    let is_one = pattern.equal.keys().eq(["_id"]) && pattern.index == "_id_";
    for field in ranges(&pattern.filter) {
        if is_one && pattern.residual.contains_key(&field) {
            continue;
        }
        if !rest.iter().take(sort.len().max(1)).any(|(key, _)| *key == field) {
            found.push(format!("the range on {field} is not served"));
        }
    }
    if keys.iter().any(|(field, _)| pattern.residual.contains_key(field)) {
        found.push("a key of the index is among the residual conditions".to_owned());
    }
    if !is_implied(&condition, &pattern.equal) {
        found.push(format!("the index holds only {condition}"));
    }
    found
}

/// Operators that no index serves, where they stand wrong, or with too much.
fn operators(value: &Document, depth: usize) -> Vec<String> {
    let mut found = Vec::new();
    for (key, value) in value {
        if key.starts_with('$') && !OPERATORS.contains(&key.as_str()) {
            found.push(format!("{key} is not served by an index"));
        }
        if key == "$or" && depth == 0 {
            found.push("a $or at the top makes the embedded engine scan".to_owned());
        }
        match value {
            Bson::Document(inner) => found.extend(operators(inner, depth + 1)),
            Bson::Array(inner) => {
                if key == "$in" && inner.len() > MAX_IN {
                    found.push(format!("$in with {} values", inner.len()));
                }
                let documents = inner.iter().filter_map(Bson::as_document);
                found.extend(documents.flat_map(|inner| operators(inner, depth + 1)));
            }
            _ => {}
        }
    }
    found
}

/// Fields with a range, wherever it stands.
fn ranges(filter: &Document) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (field, value) in filter {
        match value {
            Bson::Document(inner)
                if ["$lt", "$lte", "$gt", "$gte"].iter().any(|way| inner.contains_key(way)) =>
            {
                found.insert(field.clone());
            }
            Bson::Document(inner) => found.extend(ranges(inner)),
            Bson::Array(inner) => {
                found.extend(inner.iter().filter_map(Bson::as_document).flat_map(ranges));
            }
            _ => {}
        }
    }
    found
}

/// Whether the equalities leave only documents that a partial index holds.
fn is_implied(condition: &Document, equal: &Document) -> bool {
    condition.iter().all(|(field, wanted)| match (equal.get(field), wanted.as_document()) {
        (Some(value), None) => value == wanted,
        (Some(Bson::Document(_) | Bson::Null) | None, _) => false,
        (Some(value), Some(wanted)) => {
            *wanted == doc! { "$exists": true }
                || *wanted == doc! { "$type": "string" } && value.as_str().is_some()
        }
    })
}

#[test]
fn every_read_and_update_fits_its_index() {
    let mut breaches = Vec::new();
    for pattern in patterns() {
        breaches
            .extend(lint(&pattern).into_iter().map(|wrong| format!("{}: {wrong}", pattern.name)));
    }
    assert_none(&breaches);
}

/// The document for people and the code say the same.
#[test]
fn every_read_and_update_is_documented() {
    let documented: BTreeSet<(String, String)> = read("docs/access-patterns.md")
        .lines()
        .filter(|line| line.starts_with("| ") && line.contains('`'))
        .map(|line| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            (cells[1].to_owned(), cells[3].to_owned())
        })
        .collect();
    let declared = patterns()
        .iter()
        .map(|pattern| {
            assert!(pattern.name.starts_with(&format!("{}: ", pattern.collection)));
            let index = match pattern.index {
                own if own.starts_with(['_', '$']) => format!("`{own}`"),
                name => format!("`{}.{name}`", pattern.collection),
            };
            (pattern.name.to_owned(), index)
        })
        .collect();
    assert_eq!(documented, declared);
}

#[test]
fn every_spec_is_registered() {
    let all = sources();
    let registry = all.iter().find(|source| source.path == "src/access_patterns.rs").unwrap();
    let mut breaches = Vec::new();
    let mut count = 0;
    for source in all.iter().filter(|source| is_feature(&source.module[0])) {
        for name in source.after("fn") {
            if name.ends_with("_spec") || name.ends_with("_filter") {
                count += 1;
                let call = format!("{} :: {name} (", source.module.join(" :: "));
                if !registry.has(&call) {
                    breaches.push(format!("{}: {name}", source.path));
                }
            }
        }
    }
    assert_none(&breaches);
    assert!(count >= reads().len().min(15), "{count}");
}

/// What is done to a right spec, and the words that should tell it.
type Mistake<'a> = (&'a dyn Fn(&mut FindSpec), &'a str);

/// The lint itself: each mistake is found.
#[test]
fn the_lint_finds_mistakes() {
    let id = mongodb::bson::oid::ObjectId::from_bytes([7; 12]);
    let right = || reads().into_iter().find(|spec| spec.name == "posts: by author").unwrap();
    let wrong = |change: &dyn Fn(&mut FindSpec)| {
        let mut spec = right();
        change(&mut spec);
        lint(&spec.into())
    };
    assert_eq!(wrong(&|_| {}), Vec::<String>::new());
    let mistakes: [Mistake; 9] = [
        (&|spec| spec.index = "mood", "no index"),
        (&|spec| spec.index = "category", "first keys"),
        (
            &|spec| {
                spec.sort = Sort::IdDescending { from: inkstone::domain::paging::Position::First }
            },
            "the sort",
        ),
        (&|spec| drop(spec.equal.insert("author._id", doc! { "$gt": id })), "range on author"),
        (&|spec| drop(spec.residual.insert("version", doc! { "$gt": 1 })), "range on version"),
        (&|spec| drop(spec.residual.insert("status", "draft")), "residual"),
        (&|spec| drop(spec.residual.insert("lang", doc! { "$ne": "en" })), "$ne"),
        (&|spec| drop(spec.residual.insert("lang", doc! { "$in": vec!["en"; 201] })), "201 values"),
        (&|spec| drop(spec.residual.insert("$or", vec![doc! { "lang": "en" }])), "at the top"),
    ];
    for (change, words) in mistakes {
        let found = wrong(change);
        assert!(found.iter().any(|found| found.contains(words)), "{words}: {found:?}");
    }
    let on_partial = wrong(&|spec| {
        (spec.collection, spec.index) = ("users", "email");
        (spec.equal, spec.sort) = (doc! { "emailKey": { "$in": ["a"] } }, Sort::None);
    });
    assert!(on_partial[0].contains("holds only"), "{on_partial:?}");
    let natural = wrong(&|spec| spec.index = NATURAL);
    assert_eq!(natural, ["it reads the collection"]);
}
