//! Random texts for tests, and how many of them are tried.
//!
//! Every day a few hundred; `INKSTONE_FUZZ_CASES=100000` tries so many, and
//! `INKSTONE_FUZZ_SECONDS=600` as many as there is time for. Each test prints its count.

use std::fmt::Debug;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Cases of an everyday run.
const EVERYDAY: u32 = 256;
/// Cases between two looks at the clock.
const BATCH: u32 = 500;
/// No text that people could send may take longer, on the slowest machine and unoptimised.
const LONGEST: Duration = Duration::from_secs(10);

fn number(name: &str) -> Option<u32> {
    std::env::var(name).ok()?.parse().ok()
}

/// Tries values of a strategy; panics with the smallest that fails the check.
pub(in crate::domain) fn fuzz<S>(name: &str, strategy: S, check: impl Fn(S::Value))
where
    S: Strategy,
    S::Value: Debug,
{
    let seconds =
        number("INKSTONE_FUZZ_SECONDS").map(|seconds| Duration::from_secs(seconds.into()));
    let cases = number("INKSTONE_FUZZ_CASES").unwrap_or(EVERYDAY);
    let batch = if seconds.is_some() { BATCH } else { cases };
    let started = Instant::now();
    let count = std::cell::Cell::new(0_u64);
    let slowest = std::cell::Cell::new(Duration::ZERO);
    loop {
        // A runner counts its successes over all its runs, so each batch needs a new one.
        let mut runner = TestRunner::new(Config {
            cases: batch,
            failure_persistence: None,
            ..Config::default()
        });
        let outcome = runner.run(&strategy, |value| {
            let begun = Instant::now();
            check(value);
            slowest.set(slowest.get().max(begun.elapsed()));
            count.set(count.get() + 1);
            prop_assert!(begun.elapsed() < LONGEST, "took {:?}", begun.elapsed());
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{name}, case {}: {failure}", count.get());
        }
        if seconds.is_none_or(|seconds| started.elapsed() >= seconds) {
            break;
        }
    }
    println!(
        "{name}: {} cases in {:?}, the slowest {:?}",
        count.get(),
        started.elapsed(),
        slowest.get()
    );
}

/// Pieces of Markdown and HTML that mean something to a parser.
const PIECES: &[&str] = &[
    "*",
    "**",
    "***",
    "_",
    "__",
    "~~",
    "`",
    "``",
    "```",
    "```rust\n",
    "~~~",
    "$",
    "$$",
    "\\",
    "\n",
    "\n\n",
    "  \n",
    "    ",
    "\t",
    "# ",
    "## ",
    "---\n",
    "===\n",
    "> ",
    "- ",
    "* ",
    "1. ",
    "- [ ] ",
    "- [x] ",
    "|",
    "|a|b|\n|-|:-:|\n",
    "[",
    "]",
    "(",
    ")",
    "![",
    "](",
    "](/a)",
    "[^1]",
    "[^1]: ",
    "[a]: /b \"c\"\n",
    "[a]",
    "<",
    ">",
    "</",
    "/>",
    "<!--",
    "-->",
    "<!--more-->",
    "<![CDATA[",
    "]]>",
    "<?",
    "?>",
    "<b>",
    "</b>",
    "<i title=\"",
    "<a href=\"javascript:alert(1)\">",
    "<a href='",
    "</a>",
    "<img src=x onerror=alert(1)>",
    "<script>",
    "</script>",
    "<style>",
    "</style>",
    "<svg>",
    "</svg>",
    "<math>",
    "<mtext>",
    "<table>",
    "</table>",
    "<tr>",
    "<td>",
    "<select>",
    "<option>",
    "<p>",
    "</p>",
    "<div>",
    "</div>",
    "<details>",
    "<summary>",
    "<ruby>漢<rt>",
    "<textarea>",
    "<title>",
    "<noscript>",
    "<iframe>",
    "<template>",
    "<form>",
    "<input>",
    "<button>",
    "<ul>",
    "<li>",
    "<pre>",
    "</pre>",
    "<code>",
    "<h1>",
    "<h2 id=x class=y style=z>",
    "<br>",
    "<hr>",
    "\"",
    "'",
    "=",
    "&",
    "&lt;",
    "&#106;",
    "&#xFDD1;0&#xFDD2;",
    "\u{fdd1}0\u{fdd2}",
    "&#xfdd5;",
    "\u{0}",
    "\u{8}",
    "\u{fffe}",
    "javascript:",
    "data:text/html,",
    "vbscript:",
    "https://a.org/",
    "www.a.org",
    "mailto:",
    "//a.org",
    "字",
    "汉字",
    "，",
    "。",
    "“",
    "”",
    "（",
    "）",
    "《",
    "》",
    "「",
    "」",
    "、",
    "a",
    "word",
    "5",
    "é",
    "e\u{301}",
    "🐹",
    "👨\u{200d}👩\u{200d}👧",
    "🇨🇳",
    "\u{202e}",
    "\u{200b}",
    "한국어",
    "かな",
    "שלום",
    "\\frac{a}{b}",
    "x^2",
    "{",
    "}",
    "\\text{",
];

/// Text of such pieces, of any characters, or of both.
pub(in crate::domain) fn text() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        12 => proptest::sample::select(PIECES).prop_map(str::to_owned),
        2 => any::<char>().prop_map(String::from),
        1 => ".{0,12}",
    ];
    prop_oneof![
        8 => proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
        1 => (proptest::sample::select(PIECES), 1_usize..400).prop_map(|(piece, count)| piece.repeat(count)),
    ]
}
