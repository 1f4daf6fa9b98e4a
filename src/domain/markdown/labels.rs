//! The few words that the renderer adds, in the language of the text they stand in.

use pulldown_cmark::Event;

use crate::domain::cjk::is_unspaced;

/// The language of the added words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Labels {
    /// For a text with Chinese or Japanese in it.
    Chinese,
    /// For every other text.
    English,
}

impl Labels {
    /// Chosen by the text itself, since stored HTML does not know the language of the page.
    pub(super) fn of_events(events: &[Event<'_>]) -> Self {
        let (mut wide, mut latin) = (0_usize, 0_usize);
        for event in events {
            let Event::Text(text) = event else { continue };
            wide += text.chars().filter(|&c| is_unspaced(c)).count();
            latin += text.chars().filter(char::is_ascii_alphabetic).count();
        }
        // A Han character says about as much as three letters.
        if wide > 0 && wide * 6 >= latin { Self::Chinese } else { Self::English }
    }

    fn pick(self, chinese: &'static str, english: &'static str) -> &'static str {
        match self {
            Self::Chinese => chinese,
            Self::English => english,
        }
    }

    pub(super) fn table(self) -> &'static str {
        self.pick("表格", "Table")
    }

    pub(super) fn done(self, is_done: bool) -> &'static str {
        if is_done { self.pick("已完成", "Done") } else { self.pick("未完成", "To do") }
    }

    pub(super) fn footnotes(self) -> &'static str {
        self.pick("脚注", "Footnotes")
    }

    pub(super) fn footnote(self, number: usize) -> String {
        match self {
            Self::Chinese => format!("脚注 {number}"),
            Self::English => format!("Footnote {number}"),
        }
    }

    pub(super) fn back_to(self, place: usize) -> String {
        match self {
            Self::Chinese => format!("回到正文第 {place} 处"),
            Self::English => format!("Back to reference {place}"),
        }
    }
}
