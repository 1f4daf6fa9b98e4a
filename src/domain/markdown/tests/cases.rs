//! The cases from the field, with the right value of each.

use super::super::{Profile, render};
use super::{comment, comment_html, html, post};

#[test]
fn emphasis_against_cjk_punctuation() {
    // case C08
    let page = html(include_str!("../../../../tests/cases/C08.md"));
    for right in [
        "这里<strong>“引号”</strong>要加粗",
        "<strong>注意：</strong>先备份再升级",
        "他读了<strong>《三体》</strong>三遍",
        "これは<strong>「大事」</strong>です",
        "문서는 <strong>마크다운(Markdown)</strong>을 씁니다",
        "正常的<strong>加粗</strong>不受影响",
        "<em>斜体（附注）</em>之后",
        "<del>作废（旧版）</del>新版",
        "2<strong>10</strong>3 和 <code>**码**</code>",
    ] {
        assert!(page.contains(right), "{right}\n{page}");
    }
}

#[test]
fn bare_links_in_chinese_prose() {
    // case C09
    let page = html(include_str!("../../../../tests/cases/C09.md"));
    for right in [
        "href=\"https://example.com/docs\"",
        "href=\"https://example.com/a\"",
        "href=\"https://example.com/b\"",
        "href=\"https://example.com/c\"",
        "href=\"http://www.example.com/d\"",
        ">https://example.com/wiki/道_(消歧义)</a> 保留",
        ">https://example.com/文档/安装</a> 应",
        "<code>https://example.com/e，</code>",
        "href=\"https://example.com/f%EF%BC%88x%EF%BC%89\"",
    ] {
        assert!(page.contains(right), "{right}\n{page}");
    }
    assert_eq!(page.matches("<a ").count(), 8);
}

#[test]
fn gfm_output_survives_the_sanitiser() {
    // case C10
    let page = html(include_str!("../../../../tests/cases/C10.md"));
    for right in [
        "<tr><td><code>a | b</code></td><td class=\"mid\">管道</td><td class=\"num\">1</td></tr>",
        "<tr><td>`x</td><td class=\"mid\"></td><td class=\"num\">y`</td></tr>",
        "<li class=\"task\"><input type=\"checkbox\" disabled aria-label=\"未完成\"> 未办</li>",
        "<li class=\"task\"><input type=\"checkbox\" disabled checked aria-label=\"已完成\"> 再深一层</li>",
        "<pre tabindex=\"0\"><code class=\"language-rust\"><span class=\"k\">fn</span>",
        "<code class=\"language-c++\"><span class=\"hl\">int x = 1 &lt; 2;\n</span></code>",
        "<code class=\"language-md\">```js\n套娃\n```\n</code>",
        "<sup class=\"fnref\"><a href=\"#fn-p1-2\" id=\"fnref-p1-2\" aria-label=\"脚注 2\">2</a></sup>",
        "<section class=\"notes\" aria-label=\"脚注\"><ol>\n<li id=\"fn-p1-1\">第一条 <a href=\"#fnref-p1-1\" aria-label=\"回到正文第 1 处\">↩</a></li>",
    ] {
        assert!(page.contains(right), "{right}\n{page}");
    }
}

#[test]
fn footnotes_of_two_posts_on_one_page() {
    // case C12
    let body = |source: &str| source.splitn(3, "---\n").nth(2).unwrap().to_owned();
    let first = body(include_str!("../../../../tests/cases/C12a.md"));
    let second = body(include_str!("../../../../tests/cases/C12b.md"));
    let mut page = String::new();
    for (source, id) in [(&first, "a"), (&second, "b")] {
        page += render(source, &Profile::Post { id: id.to_owned() }).unwrap().html.as_str();
    }
    page += comment("评[^1]\n\n[^1]: 注").html.as_str();
    let mut ids: Vec<_> =
        page.split(" id=\"").skip(1).map(|rest| rest.split('"').next().unwrap()).collect();
    let count = ids.len();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), count, "{page}");
    assert_eq!(
        ids,
        [
            "fn-a-1",
            "fn-b-1",
            "fn-c1-1",
            "fnref-a-1",
            "fnref-a-1-2",
            "fnref-b-1",
            "fnref-c1-1",
            "h-1"
        ]
    );
    for id in ["fnref-a-1", "fnref-a-1-2"] {
        assert!(page.contains(&format!("href=\"#{id}\"")), "{id}");
    }
}

#[test]
fn info_strings_and_link_schemes() {
    // case C17
    let source = include_str!("../../../../tests/cases/C17.md");
    for page in [html(source), comment_html(source)] {
        for wrong in
            ["onmouseover=", "<script", "<svg", "href=\"vbscript", "href=\"data", "src=\"data"]
        {
            assert!(!page.contains(wrong), "{wrong}\n{page}");
        }
        // `java%0Ascript:` has a sign that no scheme may have, so it is a relative address.
        assert!(!page.to_lowercase().contains("href=\"javascript"), "{page}");
        assert!(!page.contains("<img"), "no picture without an address: {page}");
        for right in [
            "<code class=\"language-c++\">4",
            "<code class=\"language-rust\">",
            "href=\"//example.org/ok\"",
            "href=\"mailto:a@example.org\"",
            "href=\"tel:+123\"",
            "href=\"/ok?a=1&amp;b=2\"",
        ] {
            assert!(page.contains(right), "{right}\n{page}");
        }
    }
}

#[test]
fn markup_that_would_run_or_break_the_page() {
    // case C18: each line by itself, as post and as comment
    for line in include_str!("../../../../tests/cases/C18.html").lines() {
        let page = html(line);
        for wrong in [
            "<script",
            "<svg",
            "<math",
            "<style",
            "<form",
            "<button",
            "<base",
            "<meta",
            "<link",
            "<iframe",
            "<object",
            "<template",
            "<input",
            "<textarea",
            "<noscript",
            "style=",
            " id=",
            " class=",
            " name=",
            "ontoggle",
            "javascript",
            "target=",
        ] {
            assert!(!tags(&page).contains(wrong), "{wrong}: {line}\n{page}");
        }
        let comment = comment_html(line);
        assert!(!tags(&comment).contains("onerror"), "{comment}");
        assert_eq!(super::comment(line).text, line.trim_end().replace(") >", ")>"), "as typed");
    }
    assert!(
        html("<ruby>漢<rt>hàn</rt></ruby> <kbd>Ctrl</kbd>")
            .contains("<ruby>漢<rt>hàn</rt></ruby> <kbd>Ctrl</kbd>")
    );
    assert_eq!(
        html("<details><summary>s</summary>d</details>"),
        "<details><summary>s</summary>d</details>"
    );
    assert!(
        html("<a href=\"https://e.example\" target=\"_blank\">rel?</a>")
            .contains("rel=\"noopener\"")
    );
}

/// The tags of a page without the values of titles, which may hold anything as text.
fn tags(page: &str) -> String {
    let mut tags = String::new();
    for tag in page.split('<').skip(1) {
        let tag = tag.split('>').next().unwrap();
        tags.push('<');
        tags += tag.split(" title=\"").next().unwrap();
    }
    tags
}

#[test]
fn a_sign_does_not_eat_the_text() {
    // case C20
    for line in include_str!("../../../../tests/cases/C20.txt").lines() {
        assert_eq!(comment(line).text, line, "not one character is lost");
    }
    assert_eq!(comment_html("age < 18"), "<p>age &lt; 18</p>");
    assert_eq!(comment_html("&lt;已转义&gt;"), "<p>&amp;lt;已转义&amp;gt;</p>");
    assert_eq!(html("a < b 如果 x<y 则 <3"), "<p>a &lt; b 如果 x&lt;y 则 &lt;3</p>");
}

#[test]
fn control_characters_go() {
    // cases C22, C26
    let page = html(include_str!("../../../../tests/cases/C26.md"));
    assert!(page.chars().all(|c| matches!(c, '\n' | ' '..='\u{fffd}' | '\u{10000}'..)), "{page:?}");
    assert!(page.contains("bell backspace vt ff us del\u{7f} esc[31m"), "{page}");
    assert_eq!(html("a&#8;b&#xfdd1;c\0"), "<p>abc\u{fffd}</p>");
}

#[test]
fn the_end_mark_of_cdata_is_only_text() {
    // case C27
    let page = html(include_str!("../../../../tests/cases/C27.md"));
    assert!(
        !page.contains("]]>") && page.contains("]]]]&gt;") && !page.contains("script"),
        "{page}"
    );
}

#[test]
fn reading_time_of_a_long_review() {
    // case C53
    let source = include_str!("../../../../tests/cases/C53.md").splitn(3, "---\n").nth(2).unwrap();
    let count = post(source).word_count;
    assert_eq!(count.words, 7675);
    assert!((13..=28).contains(&count.minutes), "{count:?}");
    assert_eq!(post("").word_count.minutes, 0);
    assert_eq!(post("```\nlet x = 1;\n```").word_count.words, 0);
}
