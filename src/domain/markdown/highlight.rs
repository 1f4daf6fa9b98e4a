//! Colours of code: which bytes are keyword, string, number, name or comment.

use std::cmp::Reverse;
use std::ops::ControlFlow;
use std::sync::{LazyLock, OnceLock};

use arborium::tree_sitter::{
    Language, ParseOptions, Parser, Query, QueryCursor, QueryCursorOptions, StreamingIterator as _,
};

/// Bytes of one block of code; longer ones are shown without colours.
const BLOCK_BYTES: usize = 64 * 1024;
/// Work of the parser and of the query for each block, in the library's own steps (hundreds of
/// operations). Ordinary code takes 15 to 50 for each KB.
const STEPS: usize = 6_000;
/// Brackets inside each other, or open and never closed. The parser's time grows with the square
/// of that: 16 KB of `(` take 300 ms, and of `<a ` 550 ms.
const DEPTH: usize = 100;
/// Matches of one pattern that may be under way at a time.
const MATCH_LIMIT: u32 = 256;

/// A stretch of code and its class: `k` keyword or type, `s` string, `n` number or constant,
/// `f` name of a function or property, `c` comment.
pub(super) type Stretch<'c> = (Option<&'static str>, &'c str);

/// The languages by the name that the library knows them by.
struct Grammar {
    name: &'static str,
    query: &'static str,
    /// Compiling a query takes milliseconds, so only languages that are used are compiled.
    compiled: OnceLock<Option<Compiled>>,
}

struct Compiled {
    language: Language,
    query: Query,
    /// The class of each capture of the query, by its index.
    classes: Vec<Option<&'static str>>,
}

static GRAMMARS: LazyLock<Vec<Grammar>> = LazyLock::new(|| {
    [
        ("rust", arborium::lang_rust::HIGHLIGHTS_QUERY),
        ("python", arborium::lang_python::HIGHLIGHTS_QUERY),
        ("javascript", arborium::lang_javascript::HIGHLIGHTS_QUERY),
        ("bash", arborium::lang_bash::HIGHLIGHTS_QUERY),
        ("json", arborium::lang_json::HIGHLIGHTS_QUERY),
        ("toml", arborium::lang_toml::HIGHLIGHTS_QUERY),
        ("html", arborium::lang_html::HIGHLIGHTS_QUERY),
        ("css", arborium::lang_css::HIGHLIGHTS_QUERY),
    ]
    .map(|(name, query)| Grammar { name, query, compiled: OnceLock::new() })
    .into()
});

/// The library's name for what authors write after the fence.
fn grammar_name(language: &str) -> &str {
    match language {
        "rs" => "rust",
        "py" | "python3" => "python",
        "js" | "jsx" | "mjs" | "cjs" | "node" => "javascript",
        "sh" | "shell" | "zsh" | "console" => "bash",
        "jsonc" | "json5" => "json",
        "htm" | "xhtml" | "vue" | "svelte" => "html",
        other => other,
    }
}

fn class_of(capture: &str) -> Option<&'static str> {
    match capture.split('.').next().unwrap_or_default() {
        "keyword" | "type" | "tag" | "import" | "media" | "charset" | "supports" | "keyframes"
        | "boolean" => Some("k"),
        "string" | "escape" | "character" => Some("s"),
        "number" | "constant" | "float" => Some("n"),
        "function" | "method" | "property" | "attribute" | "constructor" | "label" => Some("f"),
        "comment" => Some("c"),
        _ => None,
    }
}

fn compiled(language: &str) -> Option<&'static Compiled> {
    let name = grammar_name(language);
    let grammar = GRAMMARS.iter().find(|grammar| grammar.name == name)?;
    grammar
        .compiled
        .get_or_init(|| {
            let language = arborium::get_language(name)?;
            let query = Query::new(&language, grammar.query).ok()?;
            let classes = query.capture_names().iter().map(|name| class_of(name)).collect();
            Some(Compiled { language, query, classes })
        })
        .as_ref()
}

/// Whether code in this language (in lower case) gets colours.
#[cfg(test)]
pub(super) fn is_known(language: &str) -> bool {
    compiled(language).is_some()
}

/// The code in stretches; one without class if the language is unknown or the work too much.
pub(super) fn stretches<'c>(code: &'c str, language: &str) -> Vec<Stretch<'c>> {
    coloured(code, language).unwrap_or_else(|| vec![(None, code)])
}

/// Whether brackets are nowhere deeper than [`DEPTH`], those in strings and comments included.
fn is_shallow(code: &str, language: &str) -> bool {
    let is_html = grammar_name(language) == "html";
    let mut depth = 0_usize;
    for byte in code.bytes() {
        match byte {
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth = depth.saturating_sub(1),
            b'<' if is_html => depth += 1,
            b'>' if is_html => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth > DEPTH {
            return false;
        }
    }
    true
}

/// A node of the code with a colour.
struct Span {
    start: usize,
    end: usize,
    pattern: usize,
    class: &'static str,
}

fn coloured<'c>(code: &'c str, language: &str) -> Option<Vec<Stretch<'c>>> {
    if code.len() > BLOCK_BYTES || !is_shallow(code, language) {
        return None;
    }
    let compiled = compiled(language)?;
    let spans = spans(code, compiled)?;
    let mut out: Vec<Stretch<'c>> = Vec::new();
    let mut position = 0;
    // Ends and classes of the nodes around the position, outermost first.
    let mut around: Vec<(usize, &'static str)> = Vec::new();
    for span in spans {
        close_until(code, span.start, &mut position, &mut around, &mut out);
        push(code, position, span.start, around.last(), &mut out);
        position = position.max(span.start);
        around.push((span.end, span.class));
    }
    close_until(code, code.len(), &mut position, &mut around, &mut out);
    push(code, position, code.len(), None, &mut out);
    Some(out)
}

/// Writes out the nodes that end before `until`.
fn close_until<'c>(
    code: &'c str,
    until: usize,
    position: &mut usize,
    around: &mut Vec<(usize, &'static str)>,
    out: &mut Vec<Stretch<'c>>,
) {
    while let Some(&(end, _)) = around.last().filter(|(end, _)| *end <= until) {
        push(code, *position, end, around.last(), out);
        *position = (*position).max(end);
        around.pop();
    }
}

fn push<'c>(
    code: &'c str,
    start: usize,
    end: usize,
    around: Option<&(usize, &'static str)>,
    out: &mut Vec<Stretch<'c>>,
) {
    if let Some(text) = code.get(start..end).filter(|text| !text.is_empty()) {
        out.push((around.map(|&(_, class)| class), text));
    }
}

/// The coloured nodes by their start, outer before inner; `None` if that is too much work.
fn spans(code: &str, compiled: &Compiled) -> Option<Vec<Span>> {
    let mut parser = Parser::new();
    parser.set_language(&compiled.language).ok()?;
    let mut steps = 0;
    let mut count_step = || {
        steps += 1;
        if steps > STEPS { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let tree = {
        let mut progress = |_: &_| count_step();
        let options = ParseOptions::new().progress_callback(&mut progress);
        let mut read = |offset: usize, _| code.as_bytes().get(offset..).unwrap_or_default();
        parser.parse_with_options(&mut read, None, Some(options))?
    };
    let mut was_stopped = false;
    let mut spans = Vec::new();
    {
        let mut progress = |_: &_| {
            let flow = count_step();
            was_stopped |= flow.is_break();
            flow
        };
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MATCH_LIMIT);
        let mut matches = cursor.matches_with_options(
            &compiled.query,
            tree.root_node(),
            code.as_bytes(),
            options,
        );
        while let Some(found) = matches.next() {
            for capture in found.captures {
                let class = usize::try_from(capture.index)
                    .ok()
                    .and_then(|index| compiled.classes.get(index));
                let Some(Some(class)) = class else { continue };
                let range = capture.node.byte_range();
                spans.push(Span {
                    start: range.start,
                    end: range.end,
                    pattern: found.pattern_index,
                    class,
                });
            }
        }
    }
    if was_stopped {
        return None;
    }
    // Of two patterns for one node the later counts, by the library's convention: being the
    // inner one here, it is seen.
    spans.sort_by_key(|span| (span.start, Reverse(span.end), span.pattern));
    Some(spans)
}

#[cfg(test)]
mod tests {
    use super::{is_known, stretches};

    #[test]
    fn code_is_coloured_and_complete() {
        let code = "fn main() { let x = \"a\"; } // 注释\n";
        let found = stretches(code, "rust");
        assert_eq!(found.iter().map(|(_, text)| *text).collect::<String>(), code);
        assert!(found.contains(&(Some("k"), "fn")), "{found:?}");
        assert!(found.contains(&(Some("f"), "main")), "{found:?}");
        assert!(found.contains(&(Some("s"), "\"a\"")), "{found:?}");
        assert!(found.contains(&(Some("c"), "// 注释")), "{found:?}");
    }

    #[test]
    fn every_language_is_there() {
        for language in ["rs", "python", "js", "sh", "json", "toml", "html", "css"] {
            assert!(is_known(language), "{language}");
        }
    }

    #[test]
    fn unknown_languages_and_endless_work_are_plain() {
        assert_eq!(stretches("x", "cobol"), [(None, "x")]);
        let brackets = "(".repeat(20_000);
        assert_eq!(
            stretches(&brackets, "rust").iter().map(|(_, text)| text.len()).sum::<usize>(),
            20_000
        );
    }
}
