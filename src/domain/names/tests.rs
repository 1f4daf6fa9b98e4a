//! Names as people type them.

use super::{NameError, Tag, UserName, display_name, look, tidy};

fn tag(typed: &str) -> String {
    Tag::parse(typed).unwrap().name
}

#[test]
fn tags_are_lower_case_without_spaces() {
    for (typed, name) in [
        ("Rust", "rust"),
        (" #Rust ", "rust"),
        ("Ｃ＋＋", "c++"),
        ("C#", "c#"),
        (".NET", ".net"),
        ("Web  Assembly", "web-assembly"),
        ("前端/后端", "前端-后端"),
        ("İstanbul", "i̇stanbul"),
        ("e\u{301}cole", "école"),
        ("Ad\u{200b}min\u{202e}", "admin"),
    ] {
        assert_eq!(tag(typed), name, "{typed:?}");
    }
    assert_eq!(Tag::parse(" C++ ").unwrap().display, "C++");
    for blank in ["", "#", "\u{200b}", "..", " / "] {
        assert_eq!(Tag::parse(blank), Err(NameError::Empty), "{blank:?}");
    }
    assert_eq!(Tag::parse(&"字".repeat(31)), Err(NameError::TooLong(30)));
    assert_eq!(tag("👨‍👩‍👧‍👦"), "👨👩👧👦");
}

#[test]
fn lists_of_tags() {
    let tags = Tag::parse_list("Rust，后端、rust, ,数据库").unwrap();
    assert_eq!(
        tags.iter().map(|tag| tag.name.as_str()).collect::<Vec<_>>(),
        ["rust", "后端", "数据库"]
    );
    let many = (0..11).map(|n| n.to_string()).collect::<Vec<_>>().join(",");
    assert_eq!(Tag::parse_list(&many), Err(NameError::TooManyTags));
    let ten = (0..10).map(|n| n.to_string()).collect::<Vec<_>>().join(",") + ",1, 2";
    assert_eq!(Tag::parse_list(&ten).unwrap().len(), 10);
}

#[test]
fn user_names_of_one_look_are_one() {
    // case C55
    let look = |typed: &str| UserName::parse(typed).unwrap().look;
    for same in ["LinMo", "linmo", "ＬＩＮＭＯ", "linm0", "lin-mo", "1inmo", "lіnmo", "línmo"]
    {
        assert_eq!(look(same), look("linmo"), "{same}");
    }
    // Letters of many scripts, by the standard's own table: Lisu, Cyrillic, Greek, Armenian, kana.
    for (odd, plain) in [
        ("ꓡinmo", "linmo"),
        ("сhаrlіе", "charlie"),
        ("αlрhа", "alpha"),
        ("ոina", "nina"),
        ("エ场", "工场"),
    ] {
        assert_eq!(look(odd), look(plain), "{odd}");
    }
    assert_ne!(look("linmo"), look("linma"));
    assert_ne!(look("林墨"), look("林黑"));
    assert_eq!(UserName::parse("ＬinMo").unwrap().name, "linmo");
    assert_eq!(UserName::parse(" 林墨 ").unwrap().name, "林墨");
    for taken in ["Admin", "ａｄｍｉｎ", "аdmin", "adrnin", "settings", "r00t"] {
        assert_eq!(UserName::parse(taken), Err(NameError::Reserved), "{taken}");
    }
    for wrong in ["a b", "a/b", "-a", "a_", "a--b", "a.b", "@a", "🐹", "a\u{202e}b c"] {
        assert_eq!(UserName::parse(wrong), Err(NameError::WrongSign), "{wrong}");
    }
    assert_eq!(UserName::parse("\u{3164}"), Err(NameError::Empty));
    assert_eq!(UserName::parse(&"a".repeat(31)), Err(NameError::TooLong(30)));
}

#[test]
fn display_names_cannot_turn_the_page_around() {
    // case C21
    assert_eq!(display_name("\u{202e}ihsoM").unwrap(), "ihsoM");
    assert_eq!(display_name(" 何\u{0} \n 静 ").unwrap(), "何 静");
    assert_eq!(look("Admin\u{200b}"), look("admin"));
    assert_eq!(look("\u{410}dmin"), look("Admin"));
    let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
    assert_eq!(display_name(&family.repeat(10)).unwrap(), family.repeat(10));
    assert_eq!(display_name(&"字".repeat(41)), Err(NameError::TooLong(40)));
    for blank in ["", "\u{2800}", "\u{3164}", "\u{200e}\u{200f}"] {
        assert_eq!(display_name(blank), Err(NameError::Empty), "{blank:?}");
    }
    assert_eq!(
        display_name("<img src=x onerror=alert(1)>").unwrap(),
        "<img src=x onerror=alert(1)>",
        "escaped where shown"
    );
    assert_eq!(tidy("{{7*7}} ${7*7} <%= 7*7 %>"), "{{7*7}} ${7*7} <%= 7*7 %>");
}
