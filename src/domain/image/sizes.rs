//! From pixels to the sizes that are kept.

use fast_image_resize::{ResizeError, Resizer};
use image::{
    DynamicImage, ExtendedColorType, ImageEncoder, ImageError,
    codecs::{
        jpeg::JpegEncoder,
        png::{CompressionType, FilterType, PngEncoder},
    },
    metadata::Orientation,
};

use super::{ImageRefusal, ImageType, MAX_SIZE_BYTES, Processed, Sized, decode::Decoded};

/// Widths that are made of a picture, if it is at least as wide; one in between or
/// below is kept at its own width too.
pub const WIDTHS: [u32; 4] = [480, 960, 1600, MAX_WIDTH];

/// Nothing wider is kept.
const MAX_WIDTH: u32 = 2400;

const JPEG_QUALITY: u8 = 82;

/// A drawing or screenshot is kept without loss up to here; what is larger must be a
/// photograph.
const DRAWING_BYTES: usize = 1024 * 1024;

pub(super) fn make(decoded: Decoded) -> Result<Processed, ImageRefusal> {
    let is_jpeg = decoded.is_jpeg;
    let largest = upright(decoded)?;
    let (image_type, encoded) = encode_largest(&largest, is_jpeg)?;
    let mut sizes = Vec::new();
    for width in WIDTHS.into_iter().filter(|width| *width < largest.width()) {
        let smaller = resized(&largest, width, scaled(largest.height(), largest.width(), width))?;
        sizes.push(Sized {
            width: smaller.width(),
            height: smaller.height(),
            bytes: encode(&smaller, image_type)?,
        });
    }
    sizes.push(Sized { width: largest.width(), height: largest.height(), bytes: encoded });
    sizes.retain(|size| size.bytes.len() <= MAX_SIZE_BYTES);
    if sizes.is_empty() {
        return Err(ImageRefusal::TooDetailed);
    }
    Ok(Processed { image_type, sizes })
}

/// The largest size that is kept, upright, 8 bits a channel, with transparency only if
/// some of it can be seen through. It is made smaller first and turned then: so the
/// whole picture is in memory once.
fn upright(decoded: Decoded) -> Result<DynamicImage, ImageRefusal> {
    let Decoded { mut image, orientation, .. } = decoded;
    let (width, height) = (image.width(), image.height());
    let across = if lies_on_its_side(orientation) { height } else { width };
    if across > MAX_WIDTH {
        let width = scaled(width, across, MAX_WIDTH);
        let height = scaled(height, across, MAX_WIDTH);
        image = resized(&image, width, height)?;
    }
    let mut image = if is_opaque(&image) {
        DynamicImage::from(image.into_rgb8())
    } else {
        DynamicImage::from(image.into_rgba8())
    };
    image.apply_orientation(orientation);
    Ok(image)
}

const fn lies_on_its_side(orientation: Orientation) -> bool {
    matches!(
        orientation,
        Orientation::Rotate90
            | Orientation::Rotate270
            | Orientation::Rotate90FlipH
            | Orientation::Rotate270FlipH
    )
}

fn is_opaque(image: &DynamicImage) -> bool {
    match image {
        _ if !image.color().has_alpha() => true,
        DynamicImage::ImageRgba8(pixels) => pixels.pixels().all(|pixel| pixel.0[3] == u8::MAX),
        other => other.to_rgba8().pixels().all(|pixel| pixel.0[3] == u8::MAX),
    }
}

/// `length × to ÷ from`, to the nearest pixel and at least one.
fn scaled(length: u32, from: u32, to: u32) -> u32 {
    let (length, from, to) = (u64::from(length), u64::from(from), u64::from(to));
    let nearest = (length * to + from / 2).checked_div(from).unwrap_or(1).max(1);
    u32::try_from(nearest).unwrap_or(u32::MAX)
}

fn resized(image: &DynamicImage, width: u32, height: u32) -> Result<DynamicImage, ImageRefusal> {
    let mut smaller = DynamicImage::new(width, height, image.color());
    // Its default is Lanczos, with transparency taken into account.
    Resizer::new()
        .resize(image, &mut smaller, None)
        .map_err(|_: ResizeError| ImageRefusal::Broken)?;
    Ok(smaller)
}

/// What was JPEG stays JPEG. Anything else is kept without loss while that is small,
/// and always if it can be seen through.
fn encode_largest(
    image: &DynamicImage,
    is_jpeg: bool,
) -> Result<(ImageType, Vec<u8>), ImageRefusal> {
    if !is_jpeg {
        let encoded = encode(image, ImageType::Png)?;
        if image.color().has_alpha() || encoded.len() <= DRAWING_BYTES {
            return Ok((ImageType::Png, encoded));
        }
    }
    Ok((ImageType::Jpeg, encode(image, ImageType::Jpeg)?))
}

fn encode(image: &DynamicImage, image_type: ImageType) -> Result<Vec<u8>, ImageRefusal> {
    let mut bytes = Vec::new();
    let color = ExtendedColorType::from(image.color());
    let (pixels, width, height) = (image.as_bytes(), image.width(), image.height());
    match image_type {
        ImageType::Jpeg => JpegEncoder::new_with_quality(&mut bytes, JPEG_QUALITY)
            .write_image(pixels, width, height, color),
        ImageType::Png => {
            PngEncoder::new_with_quality(&mut bytes, CompressionType::Default, FilterType::Adaptive)
                .write_image(pixels, width, height, color)
        }
    }
    .map_err(|_: ImageError| ImageRefusal::Broken)?;
    Ok(bytes)
}
