//! Pages asked by CSS selectors.

use scraper::{Html as Document, Selector};

pub struct Html(Document);

impl Html {
    pub fn parse(text: &str) -> Self {
        Self(Document::parse_document(text))
    }

    fn select<'a>(&'a self, selector: &str) -> Vec<scraper::ElementRef<'a>> {
        self.0.select(&Selector::parse(selector).unwrap()).collect()
    }

    pub fn count(&self, selector: &str) -> usize {
        self.select(selector).len()
    }

    /// The text of every match, white space folded.
    pub fn texts(&self, selector: &str) -> Vec<String> {
        self.select(selector)
            .iter()
            .map(|found| {
                found.text().collect::<String>().split_whitespace().collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    /// The text of the one match.
    pub fn text(&self, selector: &str) -> String {
        let texts = self.texts(selector);
        assert_eq!(texts.len(), 1, "{selector}: {texts:?}");
        texts.into_iter().next().unwrap()
    }

    pub fn attributes(&self, selector: &str, name: &str) -> Vec<String> {
        self.select(selector)
            .iter()
            .filter_map(|found| found.value().attr(name))
            .map(str::to_owned)
            .collect()
    }

    pub fn attribute(&self, selector: &str, name: &str) -> String {
        let values = self.attributes(selector, name);
        assert_eq!(values.len(), 1, "{selector}[{name}]: {values:?}");
        values.into_iter().next().unwrap()
    }
}
