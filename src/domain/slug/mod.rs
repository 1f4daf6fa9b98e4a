//! Slugs: the part of an address that is made from a title.
//!
//! Chinese becomes pinyin without tones, every other script is transliterated, and the result is
//! `[a-z0-9]+(-[a-z0-9]+)*` of at most [`MAX_CHARS`]. Whether a slug is taken is not known here.

mod pieces;
mod readings;
mod reserved;

use std::fmt;

use serde::{Deserialize, Serialize};

use pieces::Piece;
pub use reserved::is_reserved;

/// Characters (and bytes, as it is ASCII) of the longest slug.
pub const MAX_CHARS: usize = 60;

/// The slug of a title in which nothing can be read, as `！！！`.
const FALLBACK: &str = "untitled";

/// How Chinese is written in slugs. A setting of the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SlugStyle {
    /// 重庆火锅 → `chong-qing-huo-guo`.
    #[default]
    FullPinyin,
    /// 重庆火锅 → `cqhg`.
    FirstLetters,
}

/// A slug that is well-formed, not empty and not reserved.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct Slug(String);

impl Slug {
    /// Takes a slug as it stands, from an address or the database; `None` if it is no slug.
    #[must_use]
    pub fn parse(slug: &str) -> Option<Self> {
        let is_well_formed = slug.len() <= MAX_CHARS
            && slug.split('-').all(|part| {
                !part.is_empty()
                    && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
            });
        (is_well_formed && !is_reserved(slug)).then(|| Self(slug.to_owned()))
    }

    /// The slug for the case that this one is taken: `-2`, `-3` and so on, within the length.
    #[must_use]
    pub fn numbered(&self, number: u32) -> Self {
        let ending = format!("-{number}");
        let mut base = self.0.as_str();
        while base.len() + ending.len() > MAX_CHARS {
            base = match base.rsplit_once('-') {
                Some((head, _)) => head,
                // One long word: it is ASCII, so any byte is a border.
                None => base.get(..MAX_CHARS - ending.len()).unwrap_or_default(),
            };
        }
        Self(format!("{base}{ending}"))
    }

    /// The slug.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Slug {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for Slug {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let slug = String::deserialize(deserializer)?;
        Self::parse(&slug).ok_or_else(|| serde::de::Error::custom(format!("{slug:?} is no slug")))
    }
}

/// The slug of a title, or of what an author typed as one. Never fails: what cannot be read
/// becomes `untitled`, a reserved word gets `-1`.
#[must_use]
pub fn slugify(title: &str, style: &SlugStyle) -> Slug {
    let pieces = pieces::of(title);
    let parts = match style {
        SlugStyle::FullPinyin => pieces
            .into_iter()
            .map(|piece| match piece {
                Piece::Syllable(text) | Piece::Word(text) => text,
            })
            .collect(),
        SlugStyle::FirstLetters => initials(&pieces),
    };
    let slug = joined(&parts);
    let slug = if slug.is_empty() { FALLBACK.to_owned() } else { slug };
    if is_reserved(&slug) { Slug(format!("{slug}-1")) } else { Slug(slug) }
}

/// The first letters of neighbouring syllables together, words as they are.
fn initials(pieces: &[Piece]) -> Vec<String> {
    let mut parts = Vec::new();
    let mut letters = String::new();
    for piece in pieces {
        match piece {
            Piece::Syllable(syllable) => letters.extend(syllable.chars().next()),
            Piece::Word(word) => {
                parts.extend((!letters.is_empty()).then(|| std::mem::take(&mut letters)));
                parts.push(word.clone());
            }
        }
    }
    parts.extend((!letters.is_empty()).then_some(letters));
    parts
}

/// As many whole parts as there is room for; a first part that is too long by itself is cut.
fn joined(parts: &[String]) -> String {
    let mut slug = String::new();
    for part in parts {
        if slug.is_empty() {
            slug.push_str(part.get(..MAX_CHARS).unwrap_or(part));
        } else if slug.len() + 1 + part.len() <= MAX_CHARS {
            slug.push('-');
            slug.push_str(part);
        } else {
            break;
        }
    }
    slug
}

#[cfg(test)]
mod tests;
