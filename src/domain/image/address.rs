//! Addresses of stored pictures: `/media/{hash}/{width}.{ext}`.

use super::{ImageType, sizes::WIDTHS};

/// Hex digits of a hash in an address: 128 bits.
pub const HASH_DIGITS: usize = 32;

const PREFIX: &str = "/media/";

/// An address taken apart. The only way to one is [`MediaAddress::parse`] or its
/// parts, so it never holds a character that an address must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MediaAddress<'a> {
    /// 32 lowercase hex digits.
    pub hash: &'a str,
    /// Pixels across.
    pub width: u32,
    pub image_type: ImageType,
}

impl<'a> MediaAddress<'a> {
    /// Reads `/media/{hash}/{width}.{ext}` in its one spelling; anything else is `None`.
    #[must_use]
    pub fn parse(address: &'a str) -> Option<Self> {
        let (hash, file) = address.strip_prefix(PREFIX)?.split_once('/')?;
        Self::of_parts(hash, file)
    }

    /// As [`MediaAddress::parse`], from the two segments.
    #[must_use]
    pub fn of_parts(hash: &'a str, file: &str) -> Option<Self> {
        let (width, extension) = file.split_once('.')?;
        let is_width =
            (1..=4).contains(&width.len()) && width.bytes().all(|byte| byte.is_ascii_digit());
        if !is_hash(hash) || !is_width || width.starts_with('0') {
            return None;
        }
        let image_type = ImageType::of_extension(extension)?;
        Some(Self { hash, width: width.parse().ok()?, image_type })
    }

    /// The id of its document: `{hash}/{width}.{ext}`.
    #[must_use]
    pub fn file_id(&self) -> String {
        format!("{}/{}.{}", self.hash, self.width, self.image_type.extension())
    }

    #[must_use]
    pub fn path(&self) -> String {
        format!("{PREFIX}{}", self.file_id())
    }
}

fn is_hash(text: &str) -> bool {
    text.len() == HASH_DIGITS && text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

/// The hashes of all pictures of this site that a text names, in Markdown or HTML, each
/// once, in the order of the text. Whether there are such pictures is not asked.
#[must_use]
pub fn hashes_in(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for rest in text.split(PREFIX).skip(1) {
        let hash = rest.get(..HASH_DIGITS).unwrap_or_default();
        let ends = rest.get(HASH_DIGITS..).is_some_and(|rest| rest.starts_with('/'));
        if is_hash(hash) && ends && !found.iter().any(|known| known == hash) {
            found.push(hash.to_owned());
        }
    }
    found
}

/// The address of the narrowest size, for where a picture is drawn small: a picture
/// of this site wider than that has it. Any other address stays what it is.
#[must_use]
pub fn small_address(address: &str) -> String {
    let narrowest = WIDTHS.first().copied().unwrap_or(u32::MAX);
    match MediaAddress::parse(address) {
        Some(parsed) if parsed.width > narrowest => {
            MediaAddress { width: narrowest, ..parsed }.path()
        }
        _ => address.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "0123456789abcdef0123456789abcdef";

    #[test]
    fn an_address_has_one_spelling() {
        let path = format!("/media/{HASH}/960.jpg");
        let parsed = MediaAddress::parse(&path).unwrap();
        assert_eq!((parsed.hash, parsed.width, parsed.image_type), (HASH, 960, ImageType::Jpeg));
        assert_eq!(parsed.path(), path);
        for bad in [
            "/media/",
            "/media//960.jpg",
            "/media/../960.jpg",
            "/static/a/960.jpg",
            "",
            &format!("/media/{HASH}"),
            &format!("/media/{HASH}/"),
            &format!("/media/{HASH}/.jpg"),
            &format!("/media/{HASH}/0960.jpg"),
            &format!("/media/{HASH}/+960.jpg"),
            &format!("/media/{HASH}/96000.jpg"),
            &format!("/media/{HASH}/960.jpeg"),
            &format!("/media/{HASH}/960.php.jpg"),
            &format!("/media/{HASH}/960.svg"),
            &format!("/media/{HASH}/960.jpg\0"),
            &format!("/media/{HASH}/９６０.jpg"),
            &format!("/media/{}/960.jpg", HASH.to_uppercase()),
            &format!("/media/{HASH}0/960.jpg"),
            &format!("https://a.example/media/{HASH}/960.jpg"),
        ] {
            assert_eq!(MediaAddress::parse(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn pictures_are_found_in_any_text() {
        let other = HASH.replace('0', "f");
        let text = format!(
            "![](/media/{HASH}/960.jpg) <img src=\"https://ink.example/media/{other}/480.png\"> \
             ![](/media/{HASH}/480.jpg) /media/砚砚砚砚砚砚砚砚砚砚砚/ /media/{HASH}. /media/"
        );
        assert_eq!(hashes_in(&text), [HASH.to_owned(), other]);
    }

    #[test]
    fn small_places_take_the_narrowest_size() {
        assert_eq!(
            small_address(&format!("/media/{HASH}/2400.jpg")),
            format!("/media/{HASH}/480.jpg")
        );
        for same in [&format!("/media/{HASH}/300.png"), "/static/covers/c1.webp", "https://a/b"] {
            assert_eq!(small_address(same), *same);
        }
    }
}
