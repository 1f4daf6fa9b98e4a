//! Random and hostile texts: never a panic, never markup that is not ours.

use super::super::{Profile, render};
use super::{hostile, oracle};
use crate::domain::excerpt::{excerpt, post_excerpt};
use crate::domain::fuzzing::{fuzz, text};
use unicode_segmentation::UnicodeSegmentation as _;

fn profiles() -> [Profile; 2] {
    [Profile::Post { id: "p".to_owned() }, Profile::Comment { id: "c".to_owned() }]
}

fn render_and_check(source: &str) {
    for profile in profiles() {
        if let Ok(rendered) = render(source, &profile) {
            oracle::check(rendered.html.as_str(), source, profile.is_comment());
        }
    }
}

#[test]
fn random_texts_give_sound_html() {
    fuzz("Markdown", text(), |source| render_and_check(&source));
}

#[test]
fn random_texts_give_sound_excerpts() {
    fuzz("excerpt", (text(), 0_usize..200), |(source, max)| {
        let short = excerpt(&source, max);
        assert!(short.graphemes(true).count() <= max, "{short:?}");
        // White space is folded, and gone after full-width punctuation; nothing else changes.
        let letters = |text: &str| text.split_whitespace().collect::<String>();
        let kept = letters(short.strip_suffix('…').unwrap_or(&short));
        assert!(letters(&source).starts_with(&kept), "{kept:?} of {source:?}");
        if let Ok(post) = render(&source, &Profile::Post { id: String::new() }) {
            let short = post_excerpt(&post, max);
            assert!(short.graphemes(true).count() <= max && !short.contains('\n'), "{short:?}");
        }
    });
}

#[test]
fn hostile_texts_give_sound_html() {
    // case C13 and its kind, small; the benchmark prints how long large ones take.
    for (_, source) in hostile::texts(1000) {
        render_and_check(&source);
    }
}

#[test]
fn the_inputs_of_the_cases_give_sound_html() {
    for source in [
        include_str!("../../../../tests/cases/C08.md"),
        include_str!("../../../../tests/cases/C09.md"),
        include_str!("../../../../tests/cases/C10.md"),
        include_str!("../../../../tests/cases/C12a.md"),
        include_str!("../../../../tests/cases/C13a.md"),
        include_str!("../../../../tests/cases/C13b.md"),
        include_str!("../../../../tests/cases/C13c.md"),
        include_str!("../../../../tests/cases/C13d.md"),
        include_str!("../../../../tests/cases/C17.md"),
        include_str!("../../../../tests/cases/C18.html"),
        include_str!("../../../../tests/cases/C20.txt"),
        include_str!("../../../../tests/cases/C26.md"),
        include_str!("../../../../tests/cases/C27.md"),
        include_str!("../../../../tests/cases/C53.md"),
        include_str!("../../../../tests/texts/article.md"),
    ] {
        render_and_check(source);
        for line in source.lines() {
            render_and_check(line);
        }
    }
}
