//! How Chinese is read: words first, then phrases made of whole words, then characters.
//!
//! Longest match alone misreads across the borders of words (社会|计划 has no 会计), and single
//! characters misread everything else (银行 as yin-xing). So the text is cut into words, phrases
//! may join whole words or stand inside one, and only what is left is read by the character.

use std::collections::HashMap;
use std::sync::LazyLock;

use pinyin::ToPinyin as _;

use crate::domain::segment::jieba;

/// Phrases and the syllables of each, separated by spaces.
static PHRASES: LazyLock<HashMap<&'static str, &'static str>> = LazyLock::new(|| {
    // Our own come last: they correct the dictionaries.
    [include_str!("pinyin-phrases.tsv"), include_str!("own-phrases.tsv")]
        .iter()
        .flat_map(|list| list.lines())
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split_once('\t'))
        .collect()
});

/// Characters of the longest phrase that is looked up.
const PHRASE_CHARS: usize = 8;

/// The syllables of a run of Han characters, in ASCII without tones, ü as v.
pub(super) fn syllables(han: &str) -> Vec<String> {
    let words = jieba().cut(han, false);
    let words: Vec<&str> = words.iter().map(|token| token.word).collect();
    let mut out = Vec::new();
    let mut rest = words.as_slice();
    let mut before: Option<&str> = None;
    while let Some((word, after)) = rest.split_first() {
        if let Some((count, reading)) = joined_phrase(rest) {
            out.extend(reading.split(' ').map(str::to_owned));
            before = rest.get(count - 1).copied();
            rest = rest.get(count..).unwrap_or_default();
            continue;
        }
        match lone_reading(word, before, after.first().copied()) {
            Some(reading) => out.push(reading.to_owned()),
            None => push_word(&mut out, word),
        }
        before = Some(word);
        rest = after;
    }
    out
}

/// The longest phrase that begins here and ends with a word: how many words, and its reading.
fn joined_phrase(words: &[&str]) -> Option<(usize, &'static str)> {
    let mut joined = String::new();
    let mut found = None;
    for (at, word) in words.iter().enumerate() {
        joined.push_str(word);
        if joined.chars().count() > PHRASE_CHARS {
            break;
        }
        if let Some(reading) = PHRASES.get(joined.as_str()) {
            found = Some((at + 1, *reading));
        }
    }
    found
}

/// Characters that are read by what stands around them when they are words by themselves.
fn lone_reading(word: &str, before: Option<&str>, after: Option<&str>) -> Option<&'static str> {
    let follows_any = |words: &[&str]| before.is_some_and(|before| words.contains(&before));
    Some(match word {
        // 三行代码, 每行: a line after a number; otherwise to go.
        "行" if before.is_some_and(ends_in_number) => "hang",
        // 矩阵的行压缩: before a noun; 可行的 and 的行程 are words.
        "行" if after.is_some() && before == Some("的") => "hang",
        // 快速地写; but 天 地.
        "地" if before.is_some() && after.is_some() => "de",
        // 重学 Rust: again, before something to do; 很重, 重 5 公斤: heavy.
        "重" if after.is_some()
            && !follows_any(&["很", "太", "更", "最", "不", "超", "较", "体"]) =>
        {
            "chong"
        }
        // 调接口: to call; 调参数 is a phrase.
        "调" if after
            .is_some_and(|after| ["接口", "方法", "函数", "服务", "库"].contains(&after)) =>
        {
            "diao"
        }
        // 弹吉他: to play; a lone bullet has no use for a verb's object.
        "弹" if after.is_some() => "tan",
        "得" => "de",
        "着" => "zhe",
        "了" => "le",
        "都" => "dou",
        "还" => "hai",
        "长" => "chang",
        "只" => "zhi",
        "和" => "he",
        "觉" => "jue",
        "率" => "lv",
        "差" => "cha",
        "朝" => "chao",
        "曾" => "ceng",
        "会" => "hui",
        "传" => "chuan",
        _ => return None,
    })
}

fn ends_in_number(word: &str) -> bool {
    word.ends_with(|c: char| {
        c.is_ascii_digit() || "零一二两三四五六七八九十百千万几数半每各".contains(c)
    })
}

/// Reads a word by the phrases inside it, longest first, and its characters.
fn push_word(out: &mut Vec<String>, word: &str) {
    let mut rest = word;
    while let Some(first) = rest.chars().next() {
        let phrase = rest
            .char_indices()
            .map(|(at, c)| at + c.len_utf8())
            .take(PHRASE_CHARS)
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .find_map(|end| {
                let head = rest.get(..end)?;
                PHRASES.get(head).map(|reading| (end, *reading))
            });
        if let Some((end, reading)) = phrase {
            out.extend(reading.split(' ').map(str::to_owned));
            rest = rest.get(end..).unwrap_or_default();
        } else {
            let is_first = rest.len() == word.len();
            out.extend(character(first, is_first && word.len() > first.len_utf8()));
            rest = rest.get(first.len_utf8()..).unwrap_or_default();
        }
    }
}

/// The reading of a single character; none for one that no table knows. `begins` says whether it
/// begins a longer word.
fn character(c: char, begins: bool) -> Option<String> {
    match c {
        // The table has the rare reading, as in 仿佛.
        '佛' => return Some("fo".to_owned()),
        // 长裙, 长椅: long, where a word begins; 店长, 疯长 where it ends.
        '长' if begins => return Some("chang".to_owned()),
        _ => {}
    }
    let reading = match c.to_pinyin() {
        Some(pinyin) => pinyin.plain().replace('ü', "v"),
        None => slug::slugify(c.to_string()).replace('-', ""),
    };
    let reading =
        if reading.is_ascii() { reading } else { slug::slugify(&reading).replace('-', "") };
    (!reading.is_empty()).then_some(reading)
}
