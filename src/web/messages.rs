//! Every string of the interface, from the files in `locales/`.

use std::str::FromStr;

use fluent::{FluentArgs, FluentResource, concurrent::FluentBundle};
use jiff::civil;

use crate::domain::month::Month;

/// Languages of the interface.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lang {
    ZhCn,
    En,
}

impl Lang {
    /// For `lang` attributes.
    #[must_use]
    pub fn tag(self) -> &'static str {
        match self {
            Self::ZhCn => "zh-CN",
            Self::En => "en",
        }
    }

    fn source(self) -> &'static str {
        match self {
            Self::ZhCn => include_str!("../../locales/zh-CN.ftl"),
            Self::En => include_str!("../../locales/en.ftl"),
        }
    }
}

impl FromStr for Lang {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "zh-CN" => Ok(Self::ZhCn),
            "en" => Ok(Self::En),
            _ => Err(()),
        }
    }
}

/// The strings of one language.
pub struct Messages {
    lang: Lang,
    bundle: FluentBundle<FluentResource>,
}

impl Messages {
    /// Reads the language's file, which is part of the program. A test reads
    /// both, so that a mistake in one cannot be shipped.
    #[must_use]
    pub fn load(lang: Lang) -> Self {
        let mut bundle = FluentBundle::new_concurrent(lang.tag().parse().into_iter().collect());
        // Isolation marks around every value are for mixed directions; names
        // stand in <bdi> instead.
        bundle.set_use_isolating(false);
        let resource = match FluentResource::try_new(lang.source().to_owned()) {
            Ok(resource) => resource,
            Err((resource, mistakes)) => {
                tracing::error!(?mistakes, lang = lang.tag(), "a message file has mistakes");
                resource
            }
        };
        bundle.add_resource_overriding(resource);
        Self { lang, bundle }
    }

    #[must_use]
    pub fn lang(&self) -> Lang {
        self.lang
    }

    /// A string without values.
    #[must_use]
    pub fn text(&self, key: &str) -> String {
        self.format(key, &FluentArgs::new())
    }

    /// A string about a number: `$n` chooses the plural, `$shown` is the number
    /// with its thousands marked.
    #[must_use]
    pub fn count(&self, key: &str, n: i64) -> String {
        let mut args = FluentArgs::new();
        args.set("n", n);
        args.set("shown", grouped(n));
        self.format(key, &args)
    }

    /// A string with one value, `$name`.
    #[must_use]
    pub fn name(&self, key: &str, name: &str) -> String {
        let mut args = FluentArgs::new();
        args.set("name", name.to_owned());
        self.format(key, &args)
    }

    /// A day in words.
    #[must_use]
    pub fn date(&self, at: civil::DateTime) -> String {
        let mut args = FluentArgs::new();
        args.set("year", at.year());
        // As a number: English chooses the month's name by it.
        args.set("month", at.month());
        args.set("day", at.day());
        self.format("date", &args)
    }

    /// A day in words, with the time.
    #[must_use]
    pub fn moment(&self, at: civil::DateTime) -> String {
        format!("{} {:02}:{:02}", self.date(at), at.hour(), at.minute())
    }

    /// A month of a year in words.
    #[must_use]
    pub fn month(&self, month: Month) -> String {
        self.format("month", &month_args(month))
    }

    /// A month in words, without its year.
    #[must_use]
    pub fn month_name(&self, month: Month) -> String {
        self.format("month-name", &month_args(month))
    }

    #[must_use]
    pub fn year(&self, year: i16) -> String {
        let mut args = FluentArgs::new();
        args.set("year", year);
        self.format("year", &args)
    }

    fn format(&self, key: &str, args: &FluentArgs) -> String {
        let Some(pattern) = self.bundle.get_message(key).and_then(|message| message.value()) else {
            tracing::error!(key, lang = self.lang.tag(), "there is no such message");
            return key.to_owned();
        };
        let mut mistakes = Vec::new();
        let text = self.bundle.format_pattern(pattern, Some(args), &mut mistakes).into_owned();
        if !mistakes.is_empty() {
            tracing::error!(key, ?mistakes, "a message lacks a value");
        }
        text
    }

    #[cfg(test)]
    pub(crate) fn has(&self, key: &str) -> bool {
        self.bundle.has_message(key)
    }
}

fn month_args(month: Month) -> FluentArgs<'static> {
    let mut args = FluentArgs::new();
    args.set("year", month.year());
    args.set("month", month.number());
    args
}

/// 8214 → 8,214.
fn grouped(n: i64) -> String {
    let digits = n.unsigned_abs().to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if n < 0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn keys(lang: Lang) -> BTreeSet<String> {
        let source = lang.source();
        FluentResource::try_new(source.to_owned()).map_err(|(_, mistakes)| mistakes).unwrap();
        source
            .lines()
            .filter(|line| !line.starts_with([' ', '#', '}']))
            .filter_map(|line| line.split_once(" ="))
            .map(|(key, _)| key.to_owned())
            .collect()
    }

    #[test]
    fn both_languages_have_the_same_messages() {
        assert_eq!(keys(Lang::ZhCn), keys(Lang::En));
        assert!(keys(Lang::En).len() > 20);
    }

    /// Keys stand in quotes in templates and code; a misspelt one would only
    /// show at run time.
    #[test]
    fn every_message_that_is_asked_for_exists_and_every_message_is_asked_for() {
        let messages = Messages::load(Lang::En);
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/");
        let mut text = String::new();
        for folder in ["templates", "src"] {
            gather(std::path::Path::new(&format!("{root}{folder}")), &mut text);
        }
        let mut asked = BTreeSet::new();
        // A mistake names its field first.
        let calls = [
            (".t(\"", 0),
            (".n(\"", 0),
            (".named(\"", 0),
            ("Mistake::new(\"", 2),
            ("or_mistake(\"", 2),
        ];
        for (call, place) in calls {
            for after in text.split(call).skip(1) {
                let parts: Vec<_> = after.splitn(place + 2, '"').collect();
                // The key may be a variable.
                if place == 0 || parts.get(1) == Some(&", ") {
                    asked.insert(parts[place].to_owned());
                }
            }
        }
        for key in &asked {
            assert!(messages.has(key), "{key} is in no message file");
        }
        // Dates are asked for by this file; other keys may be chosen by a `match`.
        let of_dates = ["date", "month", "month-name", "year"];
        let is_asked =
            |key: &String| of_dates.contains(&key.as_str()) || text.contains(&format!("\"{key}\""));
        let unused: Vec<_> = keys(Lang::En).into_iter().filter(|key| !is_asked(key)).collect();
        assert_eq!(unused, Vec::<String>::new());
    }

    fn gather(folder: &std::path::Path, text: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                gather(&path, text);
            } else if !path.ends_with("messages.rs") {
                text.push_str(&std::fs::read_to_string(path).unwrap());
            }
        }
    }

    #[test]
    fn numbers_choose_the_plural_and_are_grouped() {
        let messages = Messages::load(Lang::En);
        assert_eq!(messages.count("comments-count", 1), "1 comment");
        assert_eq!(messages.count("comments-count", 8214), "8,214 comments");
        assert_eq!(Messages::load(Lang::ZhCn).count("comments-count", 46), "46 评论");
        assert_eq!([0, 999, 1000, -1_234_567].map(grouped), ["0", "999", "1,000", "-1,234,567"]);
    }

    #[test]
    fn dates_read_as_the_language_writes_them() {
        let at = civil::date(2026, 5, 12).at(8, 5, 0, 0);
        assert_eq!(Messages::load(Lang::ZhCn).moment(at), "2026 年 5 月 12 日 08:05");
        assert_eq!(Messages::load(Lang::En).date(at), "12 May 2026");
        let month = Month::from_id("2026-05").unwrap();
        assert_eq!(Messages::load(Lang::ZhCn).month(month), "2026 年 5 月");
        assert_eq!(Messages::load(Lang::En).month(month), "May 2026");
        assert_eq!(Messages::load(Lang::En).month_name(month), "May");
        assert_eq!(Messages::load(Lang::En).year(2026), "2026");
    }
}
