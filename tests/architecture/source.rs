//! The source text as words, without comments and tests.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
};

/// One file below `src/`.
pub struct Source {
    /// `src/posts/queries.rs`
    pub path: String,
    /// `["posts", "queries"]`; `mod.rs` is its folder.
    pub module: Vec<String>,
    /// Words and signs; `::` is one, strings keep their quotes.
    pub words: Vec<String>,
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Paths of the files below a folder, from the project's root.
pub fn files_below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                found.push(path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned());
            }
        }
    }
    found.sort();
    found
}

pub fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// All of `src/` but the files of tests.
pub fn sources() -> &'static [Source] {
    static SOURCES: OnceLock<Vec<Source>> = OnceLock::new();
    SOURCES.get_or_init(read_sources)
}

fn read_sources() -> Vec<Source> {
    let mut paths = files_below("src");
    paths.retain(|path| is_rust(path) && !path.contains("/tests/"));
    assert!(paths.len() > 50, "{paths:?}");
    paths.into_iter().map(|path| Source::of(&path, &read(&path))).collect()
}

impl Source {
    pub fn of(path: &str, text: &str) -> Self {
        let words = without_tests(&words(text));
        let below = Path::new(path).strip_prefix("src").unwrap().with_extension("");
        let mut module: Vec<String> =
            below.iter().map(|part| part.to_str().unwrap().to_owned()).collect();
        if module.last().unwrap() == "mod" {
            module.pop();
        }
        Self { path: path.to_owned(), module, words }
    }

    pub fn file_name(&self) -> &str {
        self.path.rsplit('/').next().unwrap()
    }

    /// Whether these words follow each other somewhere.
    pub fn has(&self, wanted: &str) -> bool {
        let wanted: Vec<_> = wanted.split(' ').collect();
        self.words.windows(wanted.len()).any(|words| words == wanted)
    }

    /// The words that come right after each place where these stand.
    pub fn after(&self, wanted: &str) -> Vec<&str> {
        let wanted: Vec<_> = wanted.split(' ').collect();
        let places = self.words.windows(wanted.len() + 1);
        places
            .filter(|words| words[..wanted.len()] == wanted)
            .map(|words| words.last().unwrap().as_str())
            .collect()
    }

    /// Every path that is named, in `use` or elsewhere, as `crate::posts::model`
    /// or `mongodb::bson`.
    pub fn names(&self) -> Vec<String> {
        let mut found = Vec::new();
        // What stands before each open brace: `use crate::{db::{…}}`.
        let mut before: Vec<Vec<&str>> = vec![Vec::new()];
        let mut path: Vec<&str> = Vec::new();
        let mut last = "";
        for word in self.words.iter().map(String::as_str) {
            let goes_on = last == "::";
            match word {
                "::" => {}
                "{" if goes_on => before.push(std::mem::take(&mut path)),
                "{" | "(" | "[" => {
                    found.extend(self.absolute(&std::mem::take(&mut path)));
                    before.push(Vec::new());
                }
                "}" | ")" | "]" => {
                    found.extend(self.absolute(&std::mem::take(&mut path)));
                    before.pop();
                }
                _ if goes_on => path.push(word),
                _ => {
                    found.extend(self.absolute(&std::mem::take(&mut path)));
                    if word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
                        path.clone_from(before.last().unwrap());
                        path.push(word);
                    }
                }
            }
            last = word;
        }
        found
    }

    fn absolute(&self, path: &[&str]) -> Option<String> {
        let first = *path.first()?;
        let ups = path.iter().take_while(|part| **part == "super").count();
        let (base, rest) = match first {
            "crate" | "inkstone" => (&[][..], &path[1..]),
            "self" => (&self.module[..], &path[1..]),
            "super" => (&self.module[..self.module.len() - ups], &path[ups..]),
            _ => return Some(path.join("::")),
        };
        let parts = base.iter().map(String::as_str).chain(rest.iter().copied());
        Some(std::iter::once("crate").chain(parts).collect::<Vec<_>>().join("::"))
    }
}

/// Rust's words, as far as these checks need to tell them apart.
fn words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").unwrap() + 2,
            '"' => string_length(rest),
            '\'' => char_length(rest),
            ':' if rest.starts_with("::") => 2,
            c if c.is_alphanumeric() || c == '_' => {
                let length =
                    rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
                raw_string_length(&rest[..length], &rest[length..])
                    .map_or(length, |raw| length + raw)
            }
            c => c.len_utf8(),
        };
        let (word, after) = rest.split_at(length);
        if !word.starts_with("//") && !word.starts_with("/*") && !word.trim().is_empty() {
            words.push(word.to_owned());
        }
        rest = after;
    }
    words
}

/// Up to the closing quote.
fn string_length(text: &str) -> usize {
    let mut is_escaped = false;
    let end = text[1..].find(|c| {
        let ends = c == '"' && !is_escaped;
        is_escaped = c == '\\' && !is_escaped;
        ends
    });
    end.unwrap() + 2
}

/// `r"…"` and `r#"…"#`, if `prefix` begins one.
fn raw_string_length(prefix: &str, after: &str) -> Option<usize> {
    let hashes = after.len() - after.trim_start_matches('#').len();
    if !["r", "br"].contains(&prefix) || !after[hashes..].starts_with('"') {
        return None;
    }
    let end = format!("\"{}", "#".repeat(hashes));
    Some(hashes + 1 + after[hashes + 1..].find(&end).unwrap() + end.len())
}

/// A character in quotes; for a lifetime its quote alone.
fn char_length(text: &str) -> usize {
    let inner = &text[1..];
    if inner.starts_with('\\') {
        // The quote of '\'' is not the last.
        return 3 + inner[2..].find('\'').unwrap() + 1;
    }
    let length = inner.chars().next().unwrap().len_utf8();
    if inner[length..].starts_with('\'') { length + 2 } else { 1 }
}

/// Leaves out each item after `#[cfg(test)]`.
fn without_tests(words: &[String]) -> Vec<String> {
    let mark = ["#", "[", "cfg", "(", "test", ")", "]"];
    let mut kept = Vec::new();
    let mut rest = words;
    while let Some(word) = rest.first() {
        if rest.len() < mark.len() || rest[..mark.len()] != mark {
            kept.push(word.clone());
            rest = &rest[1..];
            continue;
        }
        let mut depth = 0_i32;
        let end = rest.iter().position(|word| {
            depth += match word.as_str() {
                "{" => 1,
                "}" => -1,
                _ => 0,
            };
            depth == 0 && (word == "}" || word == ";")
        });
        rest = &rest[end.unwrap() + 1..];
    }
    kept
}

#[test]
fn names_are_found_wherever_they_stand() {
    let text = r#"
        //! use crate::comment;
        use crate::{db::{self, Db}, posts::model as m};
        use super::pages::A;
        fn f() { let x = "crate::string"; super::super::tags::queries::find(mongodb::bson::doc! {}); }
        #[cfg(test)]
        mod tests { use crate::testing; }
        fn g<'a>(_: &'a str) -> [char; 3] { ['"', '\\', '\''] } const A: B = crate::last::B;
    "#;
    let names = Source::of("src/web/theme.rs", text).names();
    for wanted in [
        "crate::db::self",
        "crate::db::Db",
        "crate::posts::model",
        "crate::web::pages::A",
        "crate::tags::queries::find",
        "mongodb::bson::doc",
        "crate::last::B",
    ] {
        assert!(names.iter().any(|name| name == wanted), "{wanted} is not in {names:?}");
    }
    for unwanted in ["comment", "string", "testing"] {
        assert!(!names.iter().any(|name| name.contains(unwanted)), "{unwanted}: {names:?}");
    }
}
