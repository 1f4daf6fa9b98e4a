//! Markdown to HTML, once, when a text is saved.
//!
//! The way of a text: `source` cleans it, `emphasis` helps the parser with Chinese
//! punctuation, `events` parses, `outline` names the headings, `writer` writes HTML with
//! numbered gaps for formulas and code, the sanitiser cleans that, and only then are the gaps
//! filled. Nothing skips the sanitiser, and nothing here reads a clock, file or database.
//!
//! Every step works within limits (`Limits`), because parsing what strangers send must never
//! take long: what would is refused with a sentence for its author.

mod blocks;
mod code;
mod emphasis;
mod escape;
mod events;
mod footnotes;
mod highlight;
mod image;
mod inline;
mod labels;
mod linkify;
mod math;
mod mathml;
mod outline;
mod plain;
mod raw_html;
mod raw_model;
mod raw_tag;
mod source;
mod writer;

use serde::{Deserialize, Serialize};

use crate::domain::safe_html::{self, Policy, SafeHtml};
use crate::domain::visible;
use crate::domain::word_count::{WordCount, word_count};

/// The version of what [`render`] writes. Raise it whenever stored HTML should be made anew.
pub const RENDERER_VERSION: i32 = 1;

/// Whose text it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Profile {
    /// An author's post: raw HTML through the allow-list, pictures, headings.
    Post {
        /// The post's id, part of the ids of its footnotes. May be empty in a preview.
        id: String,
    },
    /// A reader's comment: raw HTML is shown as text, no pictures or headings, links without
    /// credit.
    Comment {
        /// The comment's id, part of the ids of its footnotes. May be empty in a preview.
        id: String,
    },
}

impl Profile {
    fn id(&self) -> &str {
        match self {
            Self::Post { id } | Self::Comment { id } => id,
        }
    }

    fn is_comment(&self) -> bool {
        matches!(self, Self::Comment { .. })
    }

    fn policy(&self) -> Policy {
        if self.is_comment() { Policy::Comment } else { Policy::Post }
    }

    fn limits(&self) -> Limits {
        if self.is_comment() {
            Limits {
                source_bytes: 20 * 1024,
                output_bytes: 400 * 1024,
                code_bytes: 16 * 1024,
                math: 50,
            }
        } else {
            Limits {
                source_bytes: 1024 * 1024,
                output_bytes: 4 * 1024 * 1024,
                code_bytes: 256 * 1024,
                math: 500,
            }
        }
    }
}

/// How much one text may ask for.
#[derive(Clone, Copy, Debug)]
struct Limits {
    /// Bytes of Markdown.
    source_bytes: usize,
    /// Bytes of HTML, before the sanitiser and again after the gaps are filled.
    output_bytes: usize,
    /// Bytes of code that are coloured; further code is shown plain.
    code_bytes: usize,
    /// Formulas that are set; further ones are shown as their source.
    math: usize,
}

/// Elements, attributes and references of one page, each counted again for every raw element that
/// is open there. The sanitiser takes some 5 µs for one.
const WORK: usize = 100_000;

/// A heading of the post, for the table of contents.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TocEntry {
    /// 2 to 6, without gaps.
    pub level: u8,
    /// The heading's id, to be linked as `#id`; begins with `h-`.
    pub id: String,
    /// The heading as plain text.
    pub text: String,
}

/// A rendered text and what is known of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rendered {
    /// The HTML as the site shows it.
    pub html: SafeHtml,
    /// The headings in order; empty for comments.
    pub toc: Vec<TocEntry>,
    /// Everything a reader can read, code included, as plain text. For search.
    pub text: String,
    /// The running text up to `<!--more-->`, or to the end; without blocks of code, display
    /// formulas and footnotes.
    pub summary: String,
    /// Whether the author ended the summary with `<!--more-->`.
    pub has_more: bool,
    /// The address of the first picture.
    pub first_image: Option<String>,
    /// Words and minutes of the running text.
    pub word_count: WordCount,
    /// Whether something shows that is not text: a picture, a formula, a check box.
    has_figure: bool,
}

impl Rendered {
    /// Whether a reader would see nothing, so that the text is refused as empty (case C21).
    #[must_use]
    pub fn is_blank(&self) -> bool {
        !self.has_figure && visible::is_blank(&self.text)
    }
}

/// Why a text was not rendered. The sentences are for its author.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// The Markdown is longer than allowed.
    #[error("the text is too long: {bytes} bytes, at most {limit} are allowed")]
    TooLarge {
        /// Bytes of the Markdown.
        bytes: usize,
        /// Bytes allowed.
        limit: usize,
    },
    /// The HTML would be far longer than the text.
    #[error("the text is too long once it is laid out: at most {limit} bytes of HTML are allowed")]
    OutputTooLarge {
        /// Bytes allowed.
        limit: usize,
    },
    /// The page would take long to check and to draw.
    #[error(
        "the text has too many elements; please split it, and close HTML tags that are left open"
    )]
    TooComplex,
}

/// What is known of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImageSize {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
    /// Addresses of its sizes with their widths, as `srcset` lists them; may be empty.
    pub srcset: String,
}

/// Renders Markdown.
///
/// # Errors
/// When the text or its HTML is larger than the profile allows, or too complex.
pub fn render(source: &str, profile: &Profile) -> Result<Rendered, RenderError> {
    render_with_images(source, profile, &|_| None)
}

/// Renders Markdown, with the sizes of the pictures that are known by address.
///
/// # Errors
/// As [`render`].
pub fn render_with_images(
    source: &str,
    profile: &Profile,
    image_size: &dyn Fn(&str) -> Option<ImageSize>,
) -> Result<Rendered, RenderError> {
    let limits = profile.limits();
    if source.len() > limits.source_bytes {
        return Err(RenderError::TooLarge { bytes: source.len(), limit: limits.source_bytes });
    }
    let prepared = emphasis::help_parser(&source::clean(source));
    let prepared = events::without_prices(prepared);
    let document = events::parse(&prepared, profile.is_comment())?;
    let outline = outline::Outline::of(&document.body, profile);
    let written = writer::write(&document, &outline, profile, limits, image_size)?;
    let sanitised = if written.has_raw_html {
        safe_html::sanitise_raw(&written.html, profile.policy()).ok_or(RenderError::TooComplex)?
    } else {
        safe_html::sanitise(&written.html, profile.policy())
    };
    let plain = plain::read(&sanitised, &written.trusted);
    let html = sanitised.splice(&written.trusted);
    if html.as_str().len() > limits.output_bytes {
        return Err(RenderError::OutputTooLarge { limit: limits.output_bytes });
    }
    Ok(Rendered {
        html,
        toc: outline.toc,
        word_count: word_count(&plain.running),
        text: plain.text,
        summary: plain.summary,
        has_more: plain.has_more,
        first_image: plain.first_image,
        has_figure: plain.has_figure,
    })
}

#[cfg(test)]
mod tests;
