//! Pictures that strangers send, made safe to serve (row W5, SEC-29 to 31).
//!
//! The way of a file: its kind is told from its bytes, its size is checked before
//! anything is decoded, its pixels are decoded, turned upright, made smaller and
//! encoded anew. Only pixels go from one end to the other: no metadata, no comment,
//! no byte behind the end. What moves becomes still: only the first picture of an
//! animation is decoded, so the number of its pictures is no matter.

mod address;
mod decode;
mod sizes;

pub use address::{HASH_DIGITS, MediaAddress, hashes_in, small_address};
pub use sizes::WIDTHS;

/// Bytes of a file that is looked at.
pub const MAX_FILE_BYTES: usize = 10 * 1024 * 1024;

/// Pixels along either side.
pub const MAX_SIDE: u32 = 8_000;

/// Pixels altogether.
pub const MAX_PIXELS: u64 = 40_000_000;

/// Bytes of a size that is kept: a document of the database holds 16 MB.
pub const MAX_SIZE_BYTES: usize = 4 * 1024 * 1024;

/// What sizes are encoded as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ImageType {
    Jpeg,
    Png,
}

impl ImageType {
    #[must_use]
    pub const fn content_type(self) -> &'static str {
        match self {
            Self::Jpeg => "image/jpeg",
            Self::Png => "image/png",
        }
    }

    /// How names of such files end.
    #[must_use]
    pub const fn extension(self) -> &'static str {
        match self {
            Self::Jpeg => "jpg",
            Self::Png => "png",
        }
    }

    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        [Self::Jpeg, Self::Png].into_iter().find(|kind| kind.extension() == extension)
    }
}

/// One size of a picture, encoded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sized {
    pub width: u32,
    pub height: u32,
    pub bytes: Vec<u8>,
}

/// A picture in its sizes, all of one type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Processed {
    pub image_type: ImageType,
    /// Narrowest first; at least one.
    pub sizes: Vec<Sized>,
}

/// Why a file is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ImageRefusal {
    #[error("the file is larger than 10 MiB")]
    TooLarge,
    /// By its bytes; what its name or the browser says is no matter.
    #[error("the file is not a JPEG, PNG, GIF or WebP picture")]
    UnknownKind,
    #[error("the picture has more than 8,000 pixels on a side or more than 40 million")]
    TooManyPixels,
    #[error("the file is damaged or breaks off")]
    Broken,
    #[error("the picture has too much detail to be stored")]
    TooDetailed,
}

/// Makes the sizes of a picture. Takes a processor for up to some seconds and up to
/// some hundred megabytes, so it is run where few run at once.
///
/// # Errors
/// [`ImageRefusal`] says what is wrong with the file.
pub fn process(file: &[u8]) -> Result<Processed, ImageRefusal> {
    let decoded = decode::decode(file)?;
    sizes::make(decoded)
}

#[cfg(test)]
mod tests;
