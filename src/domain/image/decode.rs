//! From bytes to pixels, within limits that are checked before.

use std::io::Cursor;

use image::{
    DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits, metadata::Orientation,
};

use super::{ImageRefusal, MAX_FILE_BYTES, MAX_PIXELS, MAX_SIDE};

/// Bytes of decoded pixels: 40 million with colour and transparency. With twice the
/// usual depth of colour it is fewer pixels.
const MAX_DECODED_BYTES: u64 = 4 * MAX_PIXELS;

/// Pixels as they stand in the file, and how to turn them.
pub(super) struct Decoded {
    pub image: DynamicImage,
    pub orientation: Orientation,
    /// Whether the file was compressed with loss, so that doing so again is no harm.
    pub is_jpeg: bool,
}

pub(super) fn decode(file: &[u8]) -> Result<Decoded, ImageRefusal> {
    if file.len() > MAX_FILE_BYTES {
        return Err(ImageRefusal::TooLarge);
    }
    let format = image::guess_format(file).map_err(|_| ImageRefusal::UnknownKind)?;
    let is_taken = matches!(
        format,
        ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::Gif | ImageFormat::WebP
    );
    if !is_taken {
        return Err(ImageRefusal::UnknownKind);
    }
    let mut reader = ImageReader::with_format(Cursor::new(file), format);
    reader.limits(limits());
    let mut decoder = reader.into_decoder().map_err(|error| refusal(&error))?;
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels == 0 {
        return Err(ImageRefusal::Broken);
    }
    if pixels > MAX_PIXELS || decoder.total_bytes() > MAX_DECODED_BYTES {
        return Err(ImageRefusal::TooManyPixels);
    }
    // A file whose orientation cannot be read is shown as it stands.
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let image = DynamicImage::from_decoder(decoder).map_err(|error| refusal(&error))?;
    Ok(Decoded { image, orientation, is_jpeg: format == ImageFormat::Jpeg })
}

/// The library's own limits name no number of pixels.
fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_image_width = Some(MAX_SIDE);
    limits.max_image_height = Some(MAX_SIDE);
    limits.max_alloc = Some(MAX_DECODED_BYTES);
    limits
}

fn refusal(error: &ImageError) -> ImageRefusal {
    match error {
        ImageError::Limits(_) => ImageRefusal::TooManyPixels,
        _ => ImageRefusal::Broken,
    }
}
