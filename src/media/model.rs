//! Pictures as stored.

use mongodb::bson::{Binary, DateTime, Document, doc, oid::ObjectId, spec::BinarySubtype};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::domain::{
    image::{HASH_DIGITS, ImageType, MediaAddress, Processed, Sized},
    markdown::ImageSize,
    text,
};

/// Posts that a picture names; `uses` counts them all.
pub const MAX_USES: i32 = 20;

/// A document of `media`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Media {
    /// The hash of [`hash_of`].
    #[serde(rename = "_id")]
    pub hash: String,
    pub owner_id: ObjectId,
    /// The name of the file that was sent, to be shown to its owner only.
    pub name: String,
    /// Of the largest size, in pixels.
    pub width: u32,
    pub height: u32,
    #[serde(rename = "type")]
    pub image_type: ImageType,
    /// Narrowest first.
    pub sizes: Vec<MediaSize>,
    /// Posts that it is used in.
    pub uses: i64,
    /// The ids of the first of them, at most [`MAX_USES`].
    pub used_in: Vec<ObjectId>,
    pub created_at: DateTime,
}

/// What is known of one size without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaSize {
    pub width: u32,
    pub height: u32,
    pub bytes: u32,
}

/// A document of `media_files`: one size.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MediaFile {
    /// `{hash}/{width}.{ext}`
    #[serde(rename = "_id")]
    pub id: String,
    pub bytes: Binary,
}

/// The hash of a picture: 128 bits of SHA-256 over its owner and the bytes that were
/// sent. One picture sent twice is one document; two owners have one each, so that
/// neither takes the other's away.
#[must_use]
pub fn hash_of(owner_id: ObjectId, sent: &[u8]) -> String {
    let digest = Sha256::new().chain_update(owner_id.bytes()).chain_update(sent).finalize();
    let mut digits = text::hex(&digest);
    digits.truncate(HASH_DIGITS);
    digits
}

impl Media {
    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "ownerId": 1, "name": 1, "width": 1, "height": 1, "type": 1, "sizes": 1, "uses": 1,
            "usedIn": 1, "createdAt": 1,
        }
    }

    /// The address of one of its sizes.
    #[must_use]
    pub fn address(&self, size: &MediaSize) -> String {
        self.media_address(size.width).path()
    }

    /// Address of its narrowest size.
    #[must_use]
    pub fn thumbnail(&self) -> String {
        self.sizes.first().map(|size| self.address(size)).unwrap_or_default()
    }

    /// Address of its widest size.
    #[must_use]
    pub fn largest(&self) -> String {
        self.sizes.last().map(|size| self.address(size)).unwrap_or_default()
    }

    /// Of the widest size.
    #[must_use]
    pub fn kilobytes(&self) -> u32 {
        self.sizes.last().map(|size| size.bytes).unwrap_or_default() / 1024
    }

    /// As it is written in a text: the file's name stands for what the picture shows
    /// until its author writes that.
    #[must_use]
    pub fn markdown(&self) -> String {
        let words = self.name.rsplit_once('.').map_or(self.name.as_str(), |(stem, _)| stem);
        let words: String = words.chars().filter(|c| !"[]()\\`".contains(*c)).collect();
        format!("![{words}]({})", self.largest())
    }

    /// For the renderer: its size and where its sizes are.
    #[must_use]
    pub fn image_size(&self) -> ImageSize {
        let sizes = self.sizes.iter();
        let srcset: Vec<_> =
            sizes.map(|size| format!("{} {}w", self.address(size), size.width)).collect();
        // With one size there is nothing to choose.
        let srcset = if srcset.len() > 1 { srcset.join(", ") } else { String::new() };
        ImageSize { width: self.width, height: self.height, srcset }
    }

    /// The id of the document that holds one of its sizes.
    #[must_use]
    pub fn file_id(&self, size: &MediaSize) -> String {
        self.media_address(size.width).file_id()
    }

    fn media_address(&self, width: u32) -> MediaAddress<'_> {
        MediaAddress { hash: &self.hash, width, image_type: self.image_type }
    }
}

/// A picture and the files of its sizes, ready to be stored.
#[derive(Debug, Clone)]
pub struct NewMedia {
    pub media: Media,
    pub files: Vec<MediaFile>,
}

impl NewMedia {
    /// Of a picture whose sizes were made.
    #[must_use]
    pub fn new(
        hash: String,
        owner_id: ObjectId,
        name: String,
        processed: Processed,
        created_at: DateTime,
    ) -> Self {
        let Processed { image_type, sizes } = processed;
        let (width, height) =
            sizes.last().map(|size| (size.width, size.height)).unwrap_or_default();
        let media = Media {
            hash,
            owner_id,
            name,
            width,
            height,
            image_type,
            sizes: sizes.iter().map(MediaSize::of).collect(),
            uses: 0,
            used_in: Vec::new(),
            created_at,
        };
        let files = sizes
            .into_iter()
            .map(|size| MediaFile {
                id: media.media_address(size.width).file_id(),
                bytes: Binary { subtype: BinarySubtype::Generic, bytes: size.bytes },
            })
            .collect();
        Self { media, files }
    }
}

impl MediaSize {
    fn of(size: &Sized) -> Self {
        let bytes = u32::try_from(size.bytes.len()).unwrap_or(u32::MAX);
        Self { width: size.width, height: size.height, bytes }
    }
}
