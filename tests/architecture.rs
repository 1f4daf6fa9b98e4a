//! The rules of `docs/architecture.md`, checked in the source text. No database.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    reason = "a test that cannot go on should panic"
)]

#[path = "architecture/plans.rs"]
mod plans;
#[path = "architecture/source.rs"]
mod source;

use std::collections::BTreeSet;

use source::{Source, files_below, is_rust, read, root, sources};

/// What each module at the top may name besides itself. A new one needs a row;
/// a folder with a `collection.rs` or `handlers.rs` is a feature.
const MAY_NAME: &[(&str, &[&str])] = &[
    ("domain", &[]),
    ("db", &["domain"]),
    ("urls", &["domain"]),
    ("config", &["db", "domain", "web"]),
    ("mail", &["config"]),
    ("state", &["config", "db", "features", "mail", "web"]),
    ("web", &["config", "db", "domain", "state", "urls"]),
    ("features", &["config", "db", "domain", "features", "mail", "state", "urls", "web"]),
    ("access_patterns", &["db", "domain", "features", "seed"]),
    ("schema", &["db", "features", "seed"]),
    ("seed", &["db", "domain", "features"]),
    ("copies", &["db", "domain", "features", "state"]),
    ("jobs", &["copies", "db", "features", "state"]),
    ("routes", &["features", "state", "urls", "web"]),
    (
        "startup",
        &["config", "copies", "db", "features", "jobs", "mail", "routes", "schema", "state", "web"],
    ),
    ("doctor", &["config", "db", "domain", "features", "schema", "startup", "state"]),
    (
        "cli",
        &[
            "config", "db", "doctor", "domain", "features", "jobs", "schema", "seed", "startup",
            "state", "urls",
        ],
    ),
    ("main", &["cli"]),
    ("lib", &[]),
];

/// Words that stand in the named files only, and why.
const ONLY_IN: &[(&str, &[&str], &str)] = &[
    ("DateTime :: now", &["src/db/window.rs", "src/state.rs"], "time comes from Clock"),
    ("Timestamp :: now", &[], "time comes from Clock"),
    ("ZonedDateTime :: now", &[], "time comes from Clock"),
    ("SystemTime", &[], "time comes from Clock"),
    (
        "ObjectId :: new",
        &["src/config/tests.rs", "src/db/lease.rs", "src/db/migrations.rs", "src/state.rs"],
        "an id holds the time: Clock::new_id",
    ),
    ("strftime", &["src/domain/site_time.rs"], "dates are formatted in one place"),
    ("is_transient", &["src/db/error.rs", "src/db/transaction.rs"], "one place tries again"),
    ("is_commit_unknown", &["src/db/error.rs", "src/db/transaction.rs"], "one place tries again"),
    (
        "sleep",
        &[
            "src/cli/serve.rs",
            "src/db/client.rs",
            "src/copies/worker.rs",
            "src/db/embedded_engine.rs",
            "src/db/lease.rs",
            "src/db/migrations.rs",
            "src/db/transaction.rs",
            "src/jobs/runner.rs",
        ],
        "who waits tries again",
    ),
    (
        "update_one",
        &["src/db/change_stream.rs", "src/db/lease.rs", "src/db/migrations.rs", "src/db/update.rs"],
        "an UpdateFilter names its index",
    ),
    ("update_many", &["src/db/update.rs"], "an UpdateFilter names its index"),
    ("replace_one", &[], "an UpdateFilter names its index"),
    ("delete_one", &["src/db/update.rs"], "an UpdateFilter names its index"),
    ("delete_many", &["src/db/update.rs"], "an UpdateFilter names its index"),
    (
        "find_one_and_update",
        &["src/db/lease.rs", "src/db/migrations.rs", "src/db/update.rs"],
        "an UpdateFilter names its index",
    ),
    ("find_one", &[], "a FindSpec names its index"),
    ("aggregate", &["src/db/linked.rs"], "a FindSpec names its index"),
    ("count_documents", &[], "a count grows with what it counts"),
    ("distinct", &[], "it reads the whole index"),
    ("\"$ne\"", &[], "no index serves it"),
    ("\"$nin\"", &[], "no index serves it"),
    ("\"$regex\"", &[], "no index serves it"),
    ("\"$where\"", &[], "no index serves it"),
    ("unsafe", &[], "none is needed"),
];

/// Types that stand in a page as they are: sanitised, or escaped already.
const HTML_SAFE: &[(&str, &str)] = &[
    ("src/comments/pages.rs", "SafeHtml"),
    ("src/comments/pages.rs", "CommentItem"),
    ("src/comments/pages.rs", "ThreadItem"),
    ("src/comments/pages.rs", "CommentFormPart"),
];

const MAX_LINES: usize = 400;

/// All breaches at once.
fn assert_none(breaches: &[String]) {
    assert!(breaches.is_empty(), "\n{}\n", breaches.join("\n"));
}

fn is_feature(module: &str) -> bool {
    ["collection.rs", "handlers.rs"]
        .iter()
        .any(|file| root().join("src").join(module).join(file).exists())
}

/// `features` for a feature, otherwise the module itself.
fn layer(module: &str) -> &str {
    if is_feature(module) { "features" } else { module }
}

/// The module at the top that a name of ours leads to.
fn top(name: &str) -> Option<&str> {
    name.strip_prefix("crate::")?.split("::").next()
}

#[test]
fn imports_go_one_way() {
    let mut breaches = Vec::new();
    for source in sources() {
        let own = layer(&source.module[0]);
        let Some((_, allowed)) = MAY_NAME.iter().find(|(module, _)| *module == own) else {
            panic!("{}: what {own} may name is not in MAY_NAME", source.path);
        };
        for name in source.names() {
            let Some(other) = top(&name).map(layer) else { continue };
            if other != own && !allowed.contains(&other) {
                breaches.push(format!("{}: {own} names {name}", source.path));
            }
        }
    }
    assert_none(&breaches);
}

/// The table "Inside a feature" decides.
#[test]
fn files_of_a_feature_keep_to_their_roles() {
    let document = read("docs/architecture.md");
    let roles: Vec<(&str, &str)> = document
        .lines()
        .filter_map(|line| {
            let cells: Vec<_> = line.split('|').map(str::trim).collect();
            let file = cells.get(1)?.strip_prefix('`')?.strip_suffix(".rs`")?;
            Some((file, *cells.get(3)?)).filter(|_| cells.len() == 5)
        })
        .collect();
    assert_eq!(roles.len(), 9, "{roles:?}");
    let mut breaches = Vec::new();
    for source in sources().iter().filter(|source| is_feature(&source.module[0])) {
        let role = source.file_name().trim_end_matches(".rs");
        let Some((_, never)) = roles.iter().find(|(file, _)| *file == role) else { continue };
        for rule in never.split(", ") {
            let touched = touches(source, rule);
            breaches
                .extend(touched.into_iter().map(|name| format!("{}: {rule}: {name}", source.path)));
        }
    }
    assert_none(&breaches);
}

/// What a file names of something that it should never touch.
fn touches(source: &Source, rule: &str) -> Vec<String> {
    let is_driver =
        |name: &str| name.starts_with("mongodb::") && !name.starts_with("mongodb::bson");
    let is_actix = |name: &str| name.starts_with("actix_web::");
    let mut names = source.names();
    match rule {
        "HTTP" => names.retain(|name| {
            is_actix(name) || name.starts_with("askama::") || name.starts_with("crate::web")
        }),
        "actix" => names.retain(|name| is_actix(name)),
        "driver" => names.retain(|name| is_driver(name)),
        "database" => names.retain(|name| is_driver(name) || name.starts_with("crate::db")),
        "other features" => names.retain(|name| {
            top(name).is_some_and(|other| is_feature(other) && other != source.module[0])
        }),
        "code" => {
            // `pub mod name;` is all there may be.
            let is_list = |pair: &[String]| {
                pair[0] == "mod" || ["pub", "mod", ";"].contains(&pair[1].as_str())
            };
            let pairs = source.words.windows(2).filter(|pair| !is_list(pair));
            names = pairs.map(|pair| pair[1].clone()).collect();
        }
        unknown => panic!("docs/architecture.md: what {unknown:?} means is not known here"),
    }
    names
}

#[test]
fn some_things_are_done_in_one_place() {
    let mut breaches = Vec::new();
    for source in sources() {
        for (words, places, reason) in ONLY_IN {
            if source.has(words) && !places.contains(&source.path.as_str()) {
                breaches.push(format!("{}: {words}: {reason}", source.path));
            }
        }
    }
    assert_none(&breaches);
}

/// Reads go through a spec, which says what serves them.
#[test]
fn queries_do_not_call_the_driver_themselves() {
    let mut breaches = Vec::new();
    for source in sources() {
        let file = source.file_name();
        let asks = ["queries.rs", "commands.rs", "actions.rs", "handlers.rs"].contains(&file);
        if asks && (source.has(". find (") || source.has(". skip (")) {
            breaches.push(source.path.clone());
        }
    }
    assert_none(&breaches);
}

#[test]
fn files_are_short() {
    let mut breaches = Vec::new();
    for path in ["src", "tests"].into_iter().flat_map(files_below) {
        let line_count = if is_rust(&path) { read(&path).lines().count() } else { 0 };
        if line_count >= MAX_LINES {
            breaches.push(format!("{path}: {line_count} lines"));
        }
    }
    assert_none(&breaches);
}

/// A name of a collection elsewhere would be a second one to change. As the key
/// of a document (`"tags": …`) it is the name of a field; among reserved slugs it
/// is the beginning of an address, in the menu a message, in the doctor a check, in
/// a form a field, in highlighted code a kind of word.
const OTHER_WORDS: &[&str] = &[
    "src/db/change_stream.rs",
    "src/db/lease.rs",
    "src/db/migrations.rs",
    "src/db/secrets.rs",
    "src/doctor/database.rs",
    "src/domain/markdown/highlight.rs",
    "src/domain/slug/reserved.rs",
    "src/web/layout.rs",
    "src/writing/forms.rs",
];

#[test]
fn names_of_collections_stand_in_collection_files() {
    let mut names: Vec<String> =
        inkstone::schema::collections().iter().map(|spec| format!("{:?}", spec.name)).collect();
    names.push(format!("{:?}", inkstone::users::collection::USERS_PUBLIC));
    let mut breaches = Vec::new();
    let is_elsewhere = |source: &&Source| {
        source.file_name() != "collection.rs" && !OTHER_WORDS.contains(&source.path.as_str())
    };
    for source in sources().iter().filter(is_elsewhere) {
        for pair in source.words.windows(2) {
            if names.contains(&pair[0]) && pair[1] != ":" {
                breaches.push(format!("{}: {}", source.path, pair[0]));
            }
        }
    }
    assert_none(&breaches);
}

#[test]
fn no_template_switches_escaping_off() {
    let mut breaches = Vec::new();
    for path in files_below("templates") {
        let text: String = read(&path).split_whitespace().collect();
        if text.contains("|safe") || text.contains("|escape(\"none\"") {
            breaches.push(path);
        }
    }
    let mut marked = BTreeSet::new();
    for source in sources() {
        for html_safe in source.after("HtmlSafe for") {
            marked.insert((source.path.clone(), html_safe.to_owned()));
        }
        if source.has("escape = \"none\"") {
            breaches.push(source.path.clone());
        }
    }
    assert_none(&breaches);
    let listed = HTML_SAFE.iter().map(|(path, name)| ((*path).to_owned(), (*name).to_owned()));
    assert_eq!(marked, listed.collect());
}

#[test]
fn every_template_has_a_struct_in_its_own_feature() {
    let mut used = BTreeSet::new();
    let mut breaches = Vec::new();
    for source in sources() {
        for path in source.after("template ( path =").iter().map(|path| path.trim_matches('"')) {
            let folder = path.split('/').next().unwrap();
            let home = match folder {
                "errors" => "src/web/middleware/error_pages.rs".to_owned(),
                feature => format!("src/{feature}/pages.rs"),
            };
            if source.path != home {
                breaches.push(format!("{}: {path} belongs to {home}", source.path));
            }
            used.insert(format!("templates/{path}"));
        }
    }
    let templates: BTreeSet<_> = files_below("templates").into_iter().collect();
    for path in &templates {
        for named in ["{% extends \"", "{% include \"", "{% import \""] {
            let text = read(path);
            let parts = text.split(named).skip(1).map(|rest| rest.split('"').next().unwrap());
            used.extend(parts.map(|part| format!("templates/{part}")));
        }
    }
    assert_none(&breaches);
    assert_eq!(templates, used);
}

/// An error that nobody makes is a page that nobody sees.
#[test]
fn every_error_is_made_somewhere() {
    let all = sources();
    let (home, page) = ("src/web/error.rs", "src/web/middleware/error_pages.rs");
    let error = all.iter().find(|source| source.path == home).unwrap();
    let variants = variants(error, "AppError");
    assert!(variants.len() > 3, "{variants:?}");
    let mut breaches = Vec::new();
    for variant in variants {
        let elsewhere = all
            .iter()
            .filter(|source| source.path != home && source.path != page)
            .any(|source| source.has(&format!("AppError :: {variant}")));
        // Once for its status; a second time where it is made from a cause.
        let at_home = error.after("Self ::").iter().filter(|name| **name == variant).count();
        if !elsewhere && at_home < 2 {
            breaches.push(variant);
        }
    }
    assert_none(&breaches);
}

fn variants(source: &Source, name: &str) -> Vec<String> {
    let wanted = ["enum", name, "{"];
    let start = source.words.windows(3).position(|words| words == wanted).unwrap() + 3;
    let mut depth = 0_i32;
    let mut found = Vec::new();
    for (at, word) in source.words.iter().enumerate().skip(start) {
        match word.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" if depth == 0 => break,
            "}" | ")" | "]" => depth -= 1,
            "," | "#" => {}
            _ if depth == 0 && source.words[at - 1] != "!" => found.push(word.clone()),
            _ => {}
        }
    }
    found
}
