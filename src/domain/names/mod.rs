//! Names that people give: tags, user names, display names.
//!
//! Each has a display form, as typed but tidy, and a normal form, by which it is compared. For
//! user names a third form, the look, keeps `аdmin` (with a Cyrillic а) from passing as `admin`.

mod look;

use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;
use unicode_segmentation::UnicodeSegmentation as _;

use crate::domain::slug::is_reserved;
use crate::domain::visible::{is_blank, is_ignorable};
use crate::domain::xml_text;

/// Graphemes of the longest tag.
pub const TAG_GRAPHEMES: usize = 30;
/// Code points of the longest tag: thirty emoji of a family are long.
pub const TAG_CHARS: usize = TAG_GRAPHEMES * 4;
/// Tags of one post.
pub const TAGS_PER_POST: usize = 10;
/// Characters of the longest user name.
pub const USER_NAME_CHARS: usize = 30;
/// Graphemes of the longest display name.
pub const DISPLAY_NAME_GRAPHEMES: usize = 40;
/// Code points of the longest display name.
pub const DISPLAY_NAME_CHARS: usize = DISPLAY_NAME_GRAPHEMES * 8;

/// Why a name was refused. The sentences are for who typed it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// Nothing of it can be seen.
    #[error("this name is empty")]
    Empty,
    /// It is longer than allowed.
    #[error("this name is too long: at most {0} characters are allowed")]
    TooLong(usize),
    /// A post has more tags than allowed.
    #[error("at most {TAGS_PER_POST} tags are allowed")]
    TooManyTags,
    /// A user name has a sign that may not stand there.
    #[error("a user name has letters, digits, and single - or _ between them")]
    WrongSign,
    /// The site uses this name itself.
    #[error("this name is reserved")]
    Reserved,
}

/// A tag.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Tag {
    /// The normal form, which is stored in the post, stands in addresses and is unique:
    /// compatibility forms folded, lower case, hyphens for spaces. `C++`, `c++` and `Ｃ＋＋` are
    /// one tag; `c` and `c#` are others.
    pub name: String,
    /// As typed, for people to read.
    pub display: String,
}

impl Tag {
    /// Reads one tag.
    ///
    /// # Errors
    /// When nothing of it can be seen, or it is too long.
    pub fn parse(typed: &str) -> Result<Self, NameError> {
        let display = tidy(typed).trim_start_matches('#').trim().to_owned();
        // A slash would end the tag in an address, and a comma in the form.
        let normal: String = lower(&display)
            .chars()
            .map(|c| if c.is_whitespace() || matches!(c, '/' | '\\' | ',') { '-' } else { c })
            .collect();
        let name = normal.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
        // `.` and `..` would be folders in an address.
        if name.chars().all(|c| c == '.') || is_blank(&name) {
            return Err(NameError::Empty);
        }
        if name.graphemes(true).count() > TAG_GRAPHEMES || name.chars().count() > TAG_CHARS {
            return Err(NameError::TooLong(TAG_GRAPHEMES));
        }
        Ok(Self { name, display })
    }

    /// Reads the tags of a form, separated by commas of any width; each once, in order.
    ///
    /// # Errors
    /// When one of them is too long, or they are too many.
    pub fn parse_list(typed: &str) -> Result<Vec<Self>, NameError> {
        let mut tags: Vec<Self> = Vec::new();
        for part in typed.split([',', '，', '、', ';', '；', '\n']) {
            let tag = match Self::parse(part) {
                Ok(tag) => tag,
                Err(NameError::Empty) => continue,
                Err(error) => return Err(error),
            };
            if tags.iter().any(|other| other.name == tag.name) {
                continue;
            }
            if tags.len() == TAGS_PER_POST {
                return Err(NameError::TooManyTags);
            }
            tags.push(tag);
        }
        Ok(tags)
    }
}

/// The name in a person's address, `/@name`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserName {
    /// As typed, for people to read.
    pub display: String,
    /// The normal form, for addresses and signing in: compatibility forms folded, lower case.
    pub name: String,
    /// How it looks. Unique among all names ever given; two names with one normal form have one
    /// look, so this index keeps both apart (case C55).
    pub look: String,
}

impl UserName {
    /// Reads a user name that somebody chooses.
    ///
    /// # Errors
    /// When it is empty, too long, has signs other than letters, digits, `-` and `_`, or looks
    /// like a word that the site needs.
    pub fn parse(typed: &str) -> Result<Self, NameError> {
        let display: String = typed.trim().nfc().collect();
        let name = Self::normal(&display);
        if is_blank(&name) {
            return Err(NameError::Empty);
        }
        if name.chars().count() > USER_NAME_CHARS {
            return Err(NameError::TooLong(USER_NAME_CHARS));
        }
        let is_word = |part: &str| !part.is_empty() && part.chars().all(is_letter);
        if !name.split(['-', '_']).all(is_word) {
            return Err(NameError::WrongSign);
        }
        let look = look::of(&name);
        let is_taken_by_site = |reserved: &str| look == look::of(reserved);
        if is_reserved(&name)
            || ["admin", "administrator", "root", "system", "moderator", "support", "inkstone"]
                .into_iter()
                .any(is_taken_by_site)
        {
            return Err(NameError::Reserved);
        }
        Ok(Self { display, name, look })
    }

    /// The normal form of what somebody typed to sign in, or of an address; nothing is checked.
    #[must_use]
    pub fn normal(typed: &str) -> String {
        lower(typed.trim())
    }
}

/// Reads the name that is shown with posts and comments: tidy, not blank, not too long.
///
/// # Errors
/// When nothing of it can be seen, or it is too long.
pub fn display_name(typed: &str) -> Result<String, NameError> {
    let name = tidy(typed);
    if is_blank(&name) {
        return Err(NameError::Empty);
    }
    if name.graphemes(true).count() > DISPLAY_NAME_GRAPHEMES
        || name.chars().count() > DISPLAY_NAME_CHARS
    {
        return Err(NameError::TooLong(DISPLAY_NAME_GRAPHEMES));
    }
    Ok(name)
}

/// How a display name looks, to compare it with that of the site's owner (case C21).
#[must_use]
pub fn look(name: &str) -> String {
    look::of(&lower(&tidy(name)))
}

/// A title or name on one line: composed, white space single, without characters that are
/// forbidden in XML or turn the text around it (case C21). Joiners stay: emoji need them.
#[must_use]
pub fn tidy(typed: &str) -> String {
    let composed: String = xml_text::legal(typed).nfc().filter(|&c| !is_unruly(c)).collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Characters without ink that change how the text beside them is shown, and other controls.
fn is_unruly(c: char) -> bool {
    matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{200b}')
        || (c.is_control() && !c.is_whitespace())
}

fn lower(text: &str) -> String {
    // Folding may bring what folds again, as İ to i and a dot, so it ends composed.
    let folded: String =
        text.nfkc().flat_map(char::to_lowercase).nfkc().filter(|&c| !is_ignorable(c)).collect();
    folded.trim().to_owned()
}

/// Letters with their marks, and digits.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || unicode_normalization::char::is_combining_mark(c)
}

#[cfg(test)]
mod tests;
