//! Texts that make parsers slow or pages huge, of the kind of case C13. Also read by the
//! benchmark, which prints how long each takes.

/// A piece that is repeated until the text is long enough.
const REPEATED: &[&str] = &[
    ">",
    "> ",
    "- ",
    "* ",
    "+ a\n",
    "1. ",
    "> - ",
    "[",
    "]",
    "[a](",
    "[a](b",
    "![",
    "![a](b)",
    "[a](<b",
    "[a][",
    "[^",
    "[^a]",
    "[^a]:\n",
    "[^a]: b\n",
    "[a]: ",
    "[a]: b\n",
    "[a]: b '",
    "<",
    "<a",
    "<a ",
    "<a b='",
    "<a b=\"",
    "<!--",
    "<!-- a --",
    "<!A ",
    "<?",
    "<![CDATA[",
    "</",
    "<a href=x>",
    "<http://a.b>",
    "&",
    "&#",
    "&#8;",
    "&amp;",
    "*",
    "**",
    "*a ",
    "**a ",
    "*a **b ",
    "_a ",
    "_a __b ",
    "*a_ ",
    "~~a ",
    "a**b",
    "a*",
    "~",
    "`",
    "`a``b```c",
    "\\",
    "\\*",
    "$",
    "$$",
    "$a ",
    "$a$ ",
    "$1$",
    "$5，",
    "{$",
    "$}$",
    "|",
    "|a",
    "|a\n|-\n|b\n\n",
    "a\n",
    "汉\n",
    "汉**（",
    "）**",
    "\n",
    " ",
    "\t",
    "a  \n",
    "# a\n",
    "# \n",
    "a\n=\n",
    "---\n",
    "```\n",
    "```rust\nx\n```\n\n",
    "```css\n",
    "    a\n",
    "<div>",
    "<div>\n\n",
    "<b>",
    "<b>\n\n",
    "<b title=",
    "<p>",
    "</p>",
    "<p>\n\n",
    "<table>",
    "<td>",
    "<li>",
    "<details>\n\n",
    "<svg>",
    "<math>",
    "<script>",
    "<style>a</style>",
    "<textarea>",
    "<br>",
    "https://",
    "http://a.b(",
    "http://a.b)",
    "www.",
    "www.a_b.",
    "www.a.b ",
    "- [ ] a\n",
    "- [x] ",
    "\u{200b}",
    "🐹",
    "a\u{301}",
    "\u{fdd0}",
    "\u{0}",
    "<!--more-->",
    "<!--more-->\n\n",
    "![](",
    "![a](b)\n\n",
    "\"",
    "'",
    "<ruby>漢<rt>a",
    "[](#a)\n# a\n",
    "(",
    "{",
    "<a\n",
    "<div\n<a b='",
    "<div>\n<!--",
    "<div>\n<!A",
    "<div>\n</a b='",
    "<div title='",
];

/// Hostile texts of about this many bytes, each with its name.
pub fn texts(bytes: usize) -> Vec<(String, String)> {
    let mut texts: Vec<(String, String)> = REPEATED
        .iter()
        .map(|piece| (format!("{piece:?} repeated"), piece.repeat(bytes.div_ceil(piece.len()))))
        .collect();
    texts.extend(grown(bytes).into_iter().map(|(name, text)| (name.to_owned(), text)));
    for (_, text) in &mut texts {
        let mut end = bytes.min(text.len());
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
    texts
}

/// Joins numbered pieces until the text is long enough.
fn numbered(bytes: usize, piece: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for number in 0.. {
        if text.len() >= bytes {
            break;
        }
        text += &piece(number);
    }
    text
}

/// Texts that are no mere repetition.
fn grown(bytes: usize) -> Vec<(&'static str, String)> {
    let half = bytes / 2;
    let long_reference = format!("[a]: {}\n\n", "b".repeat(half));
    let wide_table = |row: &str| {
        let columns = "|a".repeat(half / 6);
        let line = "|-".repeat(half / 6);
        format!("{columns}|\n{line}|\n{}", row.repeat(half / row.len()))
    };
    vec![
        ("one long reference used often", format!("{long_reference}{}", "[a]\n".repeat(half / 4))),
        ("nested lists", numbered(bytes, |n| format!("{}- a\n", "  ".repeat(n)))),
        ("nested quotes, growing", numbered(bytes, |n| format!("{}a\n", ">".repeat(n)))),
        ("growing runs of backticks", numbered(bytes, |n| format!("{} ", "`".repeat(n + 1)))),
        ("growing runs of stars", numbered(bytes, |n| format!("{}a ", "*".repeat(n + 1)))),
        ("wide table, short rows", wide_table("|\n")),
        ("wide table, text rows", wide_table("a\n")),
        ("different references", numbered(bytes, |n| format!("[{n}]: a\n"))),
        ("different footnotes", numbered(bytes, |n| format!("[^{n}] [^{n}]: a\n\n[^{n}]: b\n\n"))),
        (
            "a chain of footnotes",
            numbered(bytes, |n| format!("[^{n}]\n\n[^{n}]: [^{}]\n\n", n + 1)),
        ),
        ("one footnote referred to often", format!("[^a]: b\n\n{}", "[^a] ".repeat(bytes / 5))),
        ("different headings", numbered(bytes, |n| format!("# {n}\n"))),
        ("different raw elements", numbered(bytes, |n| format!("<b title={n}>"))),
        ("different raw elements, then paragraphs", {
            format!(
                "<div>{}\n\n{}",
                numbered(half, |n| format!("<i title={n}>")),
                "a\n\n".repeat(half / 3)
            )
        }),
        ("raw elements crossed", "<b><i></b></i>".repeat(bytes / 14)),
        ("deep formula", format!("${}$", "{".repeat(2000))),
        ("formulas of roots", "$\\sqrt{\\sqrt{\\sqrt{\\sqrt x}}}$ ".repeat(bytes / 32)),
        ("long formulas", format!("${}$\n\n", "x^2+".repeat(500)).repeat(bytes / 2004)),
        (
            "arrays",
            format!("$$\\begin{{matrix}}{}\\end{{matrix}}$$\n\n", "a&b\\\\".repeat(300))
                .repeat(bytes / 1840),
        ),
        ("brackets as Rust", format!("```rust\n{}", "(".repeat(bytes))),
        ("tags as HTML", format!("```html\n{}", "<a ".repeat(bytes / 3))),
        ("quotes as Python", format!("```python\n{}", "\"\"\"".repeat(bytes / 3))),
        ("braces as CSS", format!("```css\n{}", "a{".repeat(bytes / 2))),
        ("braces as JavaScript", format!("```js\n{}", "{[(`${".repeat(bytes / 6))),
        ("regular expressions as JavaScript", format!("```js\n{}", "a=/[/".repeat(bytes / 5))),
        ("here documents as shell", format!("```sh\n{}", "$(<<a ".repeat(bytes / 6))),
        ("brackets as JSON", format!("```json\n{}", "[{\"a\":".repeat(bytes / 6))),
        ("tables as TOML", format!("```toml\n{}", "[[a]]\n".repeat(bytes / 6))),
        (
            "brackets as JSON, in small blocks",
            format!("```json\n{}\n```\n\n", "[".repeat(1000)).repeat(bytes / 1014),
        ),
        (
            "brackets as Rust, in small blocks",
            format!("```rust\n{}\n```\n\n", "(".repeat(4000)).repeat(bytes / 4014),
        ),
        ("marked lines", format!("```x {{{}}}\n{}", "1-9999999,".repeat(100), "a\n".repeat(half))),
        (
            "signs of every kind",
            (0..bytes).map(|n| char::from(b' ' + u8::try_from(n * n % 95).unwrap_or(0))).collect(),
        ),
        (
            "Chinese prose",
            "这是一段**普通**的文字，没有什么特别，见 https://example.org/a。\n\n"
                .repeat(bytes / 90),
        ),
    ]
}
