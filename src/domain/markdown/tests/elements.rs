//! One element at a time, as `visual.md` wants it.

use super::super::{ImageSize, Profile, TocEntry, render_with_images};
use super::{comment, comment_html, html, post};

#[test]
fn headings_begin_at_h2_without_gaps_and_have_ids() {
    assert_eq!(
        html("# 一、先定字数\n## a `b`\n#### c\n### d\n# 一、先定字数\n# !"),
        "<h2 id=\"h-一-先定字数\">一、先定字数</h2>\n<h3 id=\"h-a-b\">a <code>b</code></h3>\n\
         <h4 id=\"h-c\">c</h4>\n<h4 id=\"h-d\">d</h4>\n\
         <h2 id=\"h-一-先定字数-2\">一、先定字数</h2>\n<h2 id=\"h-section\">!</h2>"
    );
    let toc = post("### 深\n## 浅 *斜*").toc;
    assert_eq!(
        toc,
        [
            TocEntry { level: 2, id: "h-深".to_owned(), text: "深".to_owned() },
            TocEntry { level: 2, id: "h-浅-斜".to_owned(), text: "浅 斜".to_owned() },
        ]
    );
}

#[test]
fn ids_of_headings_are_unique_and_never_the_layouts() {
    let toc = post("# a\n# a\n# a-2\n# main\n# comments\n# q\n# 1").toc;
    let ids: Vec<_> = toc.iter().map(|entry| entry.id.as_str()).collect();
    assert_eq!(ids, ["h-a", "h-a-2", "h-a-2-2", "h-main", "h-comments", "h-q", "h-1"]);
}

#[test]
fn links_to_headings_need_not_know_the_prefix() {
    assert_eq!(
        html("[见](#小处) [无](#别处)\n\n## 小处"),
        "<p><a href=\"#h-%E5%B0%8F%E5%A4%84\" rel=\"noopener\">见</a> \
         <a href=\"#%E5%88%AB%E5%A4%84\" rel=\"noopener\">无</a></p>\n<h2 id=\"h-小处\">小处</h2>"
    );
}

#[test]
fn comments_have_no_headings_pictures_or_credit() {
    assert_eq!(
        comment_html("# 题\n![图](http://a.b/c.png) <b>x</b> http://a.b"),
        "<p><strong>题</strong></p>\n<p>\
         <a href=\"http://a.b/c.png\" rel=\"nofollow ugc noopener\">图</a> &lt;b&gt;x&lt;/b&gt; \
         <a href=\"http://a.b\" rel=\"nofollow ugc noopener\">http://a.b</a></p>"
    );
    assert!(comment("# 题").toc.is_empty());
    assert_eq!(
        comment_html("[![图](/a)](/b)"),
        "<p><a href=\"/b\" rel=\"nofollow ugc noopener\">图</a></p>"
    );
}

#[test]
fn a_line_end_between_chinese_is_no_space() {
    assert_eq!(
        html("汉字\n汉字。\nRust\n写，\n**粗**\n细"),
        "<p>汉字汉字。Rust\n写，<strong>粗</strong>细</p>"
    );
    assert_eq!(html("한국어\n제목\nlatin\nword"), "<p>한국어\n제목\nlatin\nword</p>");
    assert_eq!(html("かな\nカナ"), "<p>かなカナ</p>");
    assert_eq!(html("汉字  \n汉字"), "<p>汉字<br>\n汉字</p>");
}

#[test]
fn a_lone_picture_is_a_figure_and_its_title_the_caption() {
    assert_eq!(
        html("![山](a.webp \"图 1\")"),
        "<figure><img src=\"a.webp\" alt=\"山\" loading=\"lazy\"><figcaption>图 1</figcaption></figure>"
    );
    assert_eq!(
        html("[![山](a.webp)](/b)"),
        "<figure><a href=\"/b\" rel=\"noopener\"><img src=\"a.webp\" alt=\"山\" loading=\"lazy\"></a></figure>"
    );
    assert_eq!(
        html("看 ![*山*`水`](a.webp \"t\")"),
        "<p>看 <img src=\"a.webp\" alt=\"山水\" title=\"t\" loading=\"lazy\"></p>"
    );
}

#[test]
fn the_first_picture_and_known_sizes() {
    let size = |source: &str| {
        (source == "/media/a.webp").then_some(ImageSize {
            width: 12,
            height: 8,
            srcset: String::new(),
        })
    };
    let profile = Profile::Post { id: String::new() };
    let post =
        render_with_images("文\n\n![](/media/a.webp)\n\n<img src=b.png>", &profile, &size).unwrap();
    assert_eq!(post.first_image.as_deref(), Some("/media/a.webp"));
    assert!(
        post.html.as_str().contains("alt=\"\" width=\"12\" height=\"8\" loading=\"lazy\""),
        "{}",
        post.html
    );
    assert_eq!(
        super::post("<img src='b.png?a=1&amp;b=2'>").first_image.as_deref(),
        Some("b.png?a=1&b=2")
    );
    assert_eq!(super::post("`![](a)`").first_image, None);
}

#[test]
fn formulas_are_mathml_and_prices_are_prices() {
    assert_eq!(html("宽 $L$ 由"), "<p>宽 <math><mi>L</mi></math> 由</p>");
    assert_eq!(
        html("$$\nn=1\n$$"),
        "<math display=\"block\"><mi>n</mi><mo>=</mo><mn>1</mn></math>"
    );
    for prices in ["从$5涨到$8元", "US$5，HK$10", "$5 and $10", "只要$5，原价 10$。", "`$5`和`$6`"]
    {
        assert!(!html(prices).contains("<math"), "{prices}");
        assert!(!html(prices).contains('\\'), "{prices}");
    }
    assert_eq!(html("$5和$6，设 $x$"), "<p>$5和$6，设 <math><mi>x</mi></math></p>");
    assert_eq!(
        html("价格 $5~$10，$x$元，$y$"),
        "<p>价格 $5~$10，<math><mi>x</mi></math>元，<math><mi>y</mi></math></p>"
    );
    assert_eq!(html("$\\nocommand$"), "<p><code>$\\nocommand$</code></p>");
    assert_eq!(html("`$x$`"), "<p><code>$x$</code></p>");
}

#[test]
fn bare_links_end_before_chinese_punctuation() {
    assert_eq!(
        html("见 https://a.org/x_y_z（中）。"),
        "<p>见 <a href=\"https://a.org/x_y_z\" rel=\"noopener\">https://a.org/x_y_z</a>（中）。</p>"
    );
    assert_eq!(
        html("www.a.org"),
        "<p><a href=\"http://www.a.org\" rel=\"noopener\">www.a.org</a></p>"
    );
    assert_eq!(
        html("[https://a.org](/b)"),
        "<p><a href=\"/b\" rel=\"noopener\">https://a.org</a></p>"
    );
}

#[test]
fn labels_speak_the_language_of_the_text() {
    assert!(html("- [ ] write the test").contains("aria-label=\"To do\""));
    assert!(html("- [ ] 写测试 for Rust").contains("aria-label=\"未完成\""));
}

#[test]
fn a_blank_text_shows_nothing() {
    for source in ["** **", "<!-- -->", "[x]: /y", "&#x200b;", "\u{2800}", ""] {
        assert!(post(source).is_blank(), "{source}");
    }
    for source in ["- [ ] ", "![](a)", "$x$", "    x", "。"] {
        assert!(!post(source).is_blank(), "{source}");
    }
    // case C21: raw HTML is text in a comment, so an HTML comment shows.
    assert!(comment("** **").is_blank() && comment("\u{3164}").is_blank());
}

#[test]
fn plain_text_is_what_can_be_read() {
    let post = post(
        "# 题\n正 **文** &amp; <b>粗</b>[^1] $x$\n\n| a | b |\n|-|-|\n| c | d |\n\n```\ncode\n```\n\n<ruby>漢<rt>hàn</rt></ruby>\n\n[^1]: 注",
    );
    assert_eq!(post.text, "题\n正 文 & 粗 $x$\na b\nc d\ncode\n漢\n注");
    assert_eq!(post.summary, "题\n正 文 & 粗 x\na b\nc d\n漢");
}
