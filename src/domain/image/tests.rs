//! Cases C60 and C61, limits, orientations, damaged files.

use std::{io::Cursor, time::Instant};

use image::{DynamicImage, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage, metadata::Orientation};

use super::*;

const UPRIGHT: &[u8] = include_bytes!("../../../tests/cases/C60-orient1.jpg");
const PHOTO: &[u8] = include_bytes!("../../../tests/cases/C60.jpg");
const PNG_TAIL: &[u8] = include_bytes!("../../../tests/cases/C61-png-tail.png");

/// Where the orientation stands in the fixtures' EXIF.
const ORIENTATION_AT: usize = 0x1e;

fn encoded(image: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

fn decoded(file: &[u8]) -> RgbImage {
    let processed = process(file).unwrap();
    image::load_from_memory(&processed.sizes.last().unwrap().bytes).unwrap().into_rgb8()
}

fn holds(bytes: &[u8], words: &[u8]) -> bool {
    bytes.windows(words.len()).any(|window| window == words)
}

fn is_near(a: Rgb<u8>, b: Rgb<u8>) -> bool {
    a.0.iter().zip(b.0).all(|(a, b)| a.abs_diff(b) < 40)
}

#[test]
fn every_orientation_comes_out_upright() {
    let stored = image::load_from_memory(UPRIGHT).unwrap();
    for number in 1..=8 {
        let mut file = UPRIGHT.to_vec();
        assert_eq!(file[ORIENTATION_AT], 1);
        file[ORIENTATION_AT] = number;
        let mut wanted = stored.clone();
        wanted.apply_orientation(Orientation::from_exif(number).unwrap());
        let (wanted, got) = (wanted.into_rgb8(), decoded(&file));
        assert_eq!(got.dimensions(), wanted.dimensions(), "orientation {number}");
        let (width, height) = got.dimensions();
        // The middle of each quarter, away from the edges that JPEG blurs.
        for (x, y) in [(1, 1), (3, 1), (1, 3), (3, 3)].map(|(x, y)| (x * width / 4, y * height / 4))
        {
            let (got, wanted) = (*got.get_pixel(x, y), *wanted.get_pixel(x, y));
            assert!(is_near(got, wanted), "orientation {number} at {x},{y}: {got:?} {wanted:?}");
        }
    }
}

/// Case C60 in its own words: colours where a person sees them.
#[test]
fn photos_taken_sideways_stand_up() {
    let is_red = |pixel: &Rgb<u8>| pixel.0[0] > 150 && pixel.0[1] < 100 && pixel.0[2] < 100;
    let is_green = |pixel: &Rgb<u8>| pixel.0[1] > 90 && pixel.0[0] < 100 && pixel.0[2] < 100;
    let right = decoded(PHOTO);
    assert_eq!(right.dimensions(), (24, 48));
    assert!(is_red(right.get_pixel(20, 36)) && is_green(right.get_pixel(6, 6)));
    let eight = decoded(include_bytes!("../../../tests/cases/C60-orient8.jpg"));
    assert!(is_red(eight.get_pixel(3, 12)) && is_green(eight.get_pixel(18, 42)));
    let five = decoded(include_bytes!("../../../tests/cases/C60-orient5.jpg"));
    assert!(is_red(five.get_pixel(3, 36)) && is_green(five.get_pixel(18, 6)));
}

#[test]
fn nothing_but_pixels_is_left() {
    for file in [PHOTO, UPRIGHT, PNG_TAIL] {
        for size in process(file).unwrap().sizes {
            let read = exif::Reader::new().read_from_container(&mut Cursor::new(&size.bytes));
            assert!(read.is_err());
            for secret in [
                &b"Exif"[..],
                b"Photographer",
                b"xmpmeta",
                b"XMP-GPS",
                b"COMMENT-SECRET",
                b"<script",
                b"<html",
                b"tEXt",
                b"eXIf",
            ] {
                assert!(!holds(&size.bytes, secret), "{}", String::from_utf8_lossy(secret));
            }
        }
    }
}

/// Case C61: whatever it says of itself, a file is what its bytes are, and what stands
/// behind the picture is gone.
#[test]
fn disguises_come_off() {
    let tail = process(PNG_TAIL).unwrap();
    assert_eq!(tail.image_type, ImageType::Png);
    assert!(tail.sizes.iter().all(|size| size.bytes.ends_with(b"IEND\xaeB`\x82")));
    let script = b"/*<?php alert(1) ?><script>*/";
    let picture = DynamicImage::from(RgbImage::from_pixel(40, 30, Rgb([9, 99, 199])));
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let file = [&encoded(&picture, format)[..], script].concat();
        let processed = process(&file).unwrap();
        assert!(!holds(&processed.sizes[0].bytes, b"<script"), "{format:?}");
        let back = image::load_from_memory(&processed.sizes[0].bytes).unwrap().into_rgb8();
        assert!(is_near(*back.get_pixel(20, 15), Rgb([9, 99, 199])), "{format:?}");
    }
    // Its first bytes are both a GIF's and a script's; no picture follows.
    assert!(process(include_bytes!("../../../tests/cases/C61-gif-js.gif")).is_err());
    for other in [
        &include_bytes!("../../../tests/cases/C61.svg")[..],
        include_bytes!("../../../tests/cases/C61-html-as.png"),
        b"",
        b"BM\0\0\0\0\0\0\0\0\0\0",
        b"%PDF-1.7",
        b"\0\0\x01\0\x01\0",
    ] {
        assert_eq!(process(other), Err(ImageRefusal::UnknownKind));
    }
}

/// The head of a PNG that claims to be so large.
fn claim(width: u32, height: u32) -> Vec<u8> {
    let mut chunk = b"IHDR".to_vec();
    chunk.extend(width.to_be_bytes());
    chunk.extend(height.to_be_bytes());
    chunk.extend([8, 6, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n\0\0\0\r".to_vec();
    file.extend(&chunk);
    file.extend(checksum(&chunk).to_be_bytes());
    file.extend(b"\0\0\0\x10IDAT");
    file.resize(1024, 0);
    file
}

/// CRC-32, as PNG has it.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), |sum, _| {
            if sum & 1 == 1 { (sum >> 1) ^ 0xedb8_8320 } else { sum >> 1 }
        })
    })
}

#[test]
fn a_claim_is_refused_before_anything_is_decoded() {
    for (width, height) in [(60_000, 60_000), (8_001, 1), (1, 8_001), (8_000, 5_001)] {
        let began = Instant::now();
        assert_eq!(process(&claim(width, height)), Err(ImageRefusal::TooManyPixels), "{width}");
        assert!(began.elapsed().as_millis() < 50, "{width}×{height}: {:?}", began.elapsed());
    }
    // What is within the limits fails for want of pixels only.
    assert_eq!(process(&claim(10, 10)), Err(ImageRefusal::Broken));
    assert_eq!(process(&vec![0xff; MAX_FILE_BYTES + 1]), Err(ImageRefusal::TooLarge));
}

#[test]
fn a_file_that_breaks_off_is_refused_or_drawn_as_far_as_it_goes() {
    let picture = DynamicImage::from(RgbImage::from_fn(64, 64, |x, y| {
        Rgb([x * 4, y * 4, x * y].map(|value| u8::try_from(value % 256).unwrap()))
    }));
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let file = encoded(&picture, format);
        for length in (0..file.len()).step_by(file.len() / 40 + 1) {
            match process(&file[..length]) {
                Ok(processed) => assert!(!processed.sizes.is_empty()),
                Err(refusal) => assert!(
                    [ImageRefusal::Broken, ImageRefusal::UnknownKind].contains(&refusal),
                    "{format:?} {length}: {refusal:?}"
                ),
            }
        }
        assert!(process(&file[..40]).is_err(), "{format:?}");
    }
}

#[test]
fn sizes_are_made_and_nothing_is_enlarged() {
    let widths = |width, height, format| {
        let picture = DynamicImage::from(RgbImage::new(width, height));
        let processed = process(&encoded(&picture, format)).unwrap();
        let sizes = processed.sizes.iter();
        sizes.map(|size| (size.width, size.height)).collect::<Vec<_>>()
    };
    assert_eq!(widths(300, 200, ImageFormat::Jpeg), [(300, 200)]);
    assert_eq!(widths(480, 1, ImageFormat::Png), [(480, 1)]);
    assert_eq!(widths(1_000, 500, ImageFormat::WebP), [(480, 240), (960, 480), (1_000, 500)]);
    assert_eq!(
        widths(4_000, 3_000, ImageFormat::Jpeg),
        [(480, 360), (960, 720), (1_600, 1_200), (2_400, 1_800)]
    );
}

#[test]
fn what_can_be_seen_through_stays_so() {
    let glass = RgbaImage::from_pixel(1_000, 100, Rgba([200, 10, 10, 128]));
    for format in [ImageFormat::Png, ImageFormat::WebP] {
        let processed = process(&encoded(&glass.clone().into(), format)).unwrap();
        assert_eq!(processed.image_type, ImageType::Png);
        for size in processed.sizes {
            let back = image::load_from_memory(&size.bytes).unwrap().into_rgba8();
            assert_eq!(back.get_pixel(5, 5).0[3], 128);
        }
    }
    let solid = RgbaImage::from_pixel(10, 10, Rgba([200, 10, 10, 255]));
    let processed = process(&encoded(&solid.into(), ImageFormat::Png)).unwrap();
    let back = image::load_from_memory(&processed.sizes[0].bytes).unwrap();
    assert!(!back.color().has_alpha());
}

/// Noise, which no format can make small.
fn noise(width: u32, height: u32) -> RgbImage {
    let mut state = 1_u32;
    RgbImage::from_fn(width, height, |_, _| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let [a, b, c, _] = state.to_be_bytes();
        Rgb([a, b, c])
    })
}

#[test]
fn a_photograph_without_loss_becomes_jpeg_and_every_size_can_be_stored() {
    let file = encoded(&noise(1_800, 1_200).into(), ImageFormat::Png);
    let processed = process(&file).unwrap();
    assert_eq!(processed.image_type, ImageType::Jpeg);
    assert!(processed.sizes.iter().all(|size| size.bytes.len() <= MAX_SIZE_BYTES));
}
