//! Titles and their slugs.

use crate::domain::fuzzing::{fuzz, text};

use super::{MAX_CHARS, Slug, SlugStyle, is_reserved, slugify};

fn slug(title: &str) -> String {
    slugify(title, &SlugStyle::FullPinyin).to_string()
}

fn letters(title: &str) -> String {
    slugify(title, &SlugStyle::FirstLetters).to_string()
}

#[test]
fn polyphonic_characters() {
    // case C01
    for line in
        include_str!("../../../tests/cases/C01.tsv").lines().filter(|line| !line.starts_with('#'))
    {
        let mut fields = line.split('\t');
        let (title, wanted) = (fields.next().unwrap(), fields.next().unwrap());
        assert_eq!(slug(title), wanted, "{title}");
    }
}

#[test]
fn phrases_are_not_read_across_words() {
    assert_eq!(slug("社会计划"), "she-hui-ji-hua");
    assert_eq!(slug("学会计算机"), "xue-hui-ji-suan-ji");
    assert_eq!(slug("会计学"), "kuai-ji-xue");
}

#[test]
fn emoji_other_scripts_blank_and_long_titles() {
    // case C04
    for (title, wanted) in [
        ("🐹", "hamster"),
        ("！！！", "untitled"),
        ("……", "untitled"),
        ("  ", "untitled"),
        ("Привет, мир", "privet-mir"),
        ("한국어 제목", "hangugeo-jemog"),
        ("Straße İstanbul ŁÓDŹ", "strasse-istanbul-lodz"),
        ("ﬁ ﬂ Ⅳ ①", "fi-fl-iv-1"),
        ("école et école", "ecole-et-ecole"),
        ("c++ / c# / .net", "cpp-csharp-dotnet"),
    ] {
        assert_eq!(slug(title), wanted, "{title}");
    }
    for title in include_str!("../../../tests/cases/C04.txt").lines() {
        check(&slug(title), title);
        check(&letters(title), title);
    }
    assert_eq!(slug(&"很".repeat(100)), ["hen"; 15].join("-"));
    assert_eq!(slug(&"a".repeat(600)), "a".repeat(60));
}

#[test]
fn names_of_programming_languages_stay_apart() {
    let slugs = ["C", "C++", "C#", "F#", ".NET", "net", "G++", "ASP.NET"].map(slug);
    assert_eq!(slugs, ["c", "cpp", "csharp", "fsharp", "dotnet", "net", "gpp", "asp-net"]);
    assert_eq!(slug("C++20 新特性"), "cpp20-xin-te-xing");
    assert_eq!(slug("C++ 与 C# 之争，don't panic"), "cpp-yu-csharp-zhi-zheng-dont-panic");
}

#[test]
fn first_letters() {
    assert_eq!(letters("重庆火锅地图"), "cqhgdt");
    assert_eq!(letters("用Rust写TCP/IP协议栈"), "y-rust-x-tcp-ip-xyz");
    assert_eq!(letters("！"), "untitled");
}

#[test]
fn reserved_words_and_numbers() {
    assert_eq!(slug("Admin"), "admin-1");
    assert_eq!(slug("feed.atom"), "feed-atom-1");
    assert_eq!(slugify("时事", &SlugStyle::FullPinyin).numbered(2).as_str(), "shi-shi-2");
    let long = slugify(&"很".repeat(100), &SlugStyle::FullPinyin).numbered(10);
    assert_eq!(long.as_str(), format!("{}-10", ["hen"; 14].join("-")));
    assert_eq!(
        slugify(&"a".repeat(60), &SlugStyle::FullPinyin).numbered(2).as_str(),
        format!("{}-2", "a".repeat(58))
    );
}

#[test]
fn what_is_a_slug() {
    assert!(Slug::parse("shi-shi-2").is_some());
    for wrong in ["", "-a", "a-", "a--b", "A", "中", "admin", &"a".repeat(61), "a b", "a.b"] {
        assert!(Slug::parse(wrong).is_none(), "{wrong}");
    }
    assert!(serde_json::from_str::<Slug>("\"a-b\"").is_ok());
    assert!(serde_json::from_str::<Slug>("\"a/b\"").is_err());
}

/// Of the titles of the list, how many get the right slug. Polyphonic characters will always
/// leave a few; the score is printed and may not fall.
#[test]
fn real_looking_titles() {
    let list = include_str!("../../../tests/texts/titles.tsv");
    let titles: Vec<(&str, &str)> = list
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| line.split_once('\t').unwrap())
        .collect();
    let mut right = 0;
    for (title, reading) in &titles {
        let parts: Vec<String> = reading.split('-').map(str::to_owned).collect();
        let (wanted, made) = (super::joined(&parts), slug(title));
        if made == wanted {
            right += 1;
        } else {
            println!("{title}: {made}, should be {wanted}");
        }
    }
    println!("slugs of {} titles: {right} right", titles.len());
    assert!(titles.len() >= 300 && right * 100 >= titles.len() * 98);
}

/// What holds for every slug.
fn check(slug: &str, title: &str) {
    assert!(Slug::parse(slug).is_some(), "{title:?} gives {slug:?}");
    assert!(slug.len() <= MAX_CHARS && !is_reserved(slug));
}

#[test]
fn any_text_has_a_slug() {
    fuzz("slug", text(), |title| {
        for slug in [slug(&title), letters(&title)] {
            check(&slug, &title);
        }
    });
}

#[test]
fn chinese_titles_have_slugs_that_slugs_keep() {
    fuzz("slug of Chinese", "[一-龥a-zA-Z0-9 ，。！+#.'🐹é]{0,80}", |title| {
        let made = slug(&title);
        check(&made, &title);
        check(&letters(&title), &title);
        assert_eq!(slug(&made), made, "{title}");
    });
}
