//! Texts that ask for too much.

use super::super::{Profile, RenderError, render};
use super::{comment, post};

#[test]
fn deep_and_expanding_texts_are_rendered_or_refused() {
    // case C13
    for source in [
        include_str!("../../../../tests/cases/C13a.md"),
        include_str!("../../../../tests/cases/C13b.md"),
        include_str!("../../../../tests/cases/C13c.md"),
        include_str!("../../../../tests/cases/C13d.md"),
    ] {
        for profile in
            [Profile::Post { id: "p".to_owned() }, Profile::Comment { id: "c".to_owned() }]
        {
            match render(source, &profile) {
                Ok(rendered) => assert!(rendered.html.as_str().len() < 2 * 1024 * 1024),
                Err(error) => assert!(matches!(
                    error,
                    RenderError::OutputTooLarge { .. } | RenderError::TooLarge { .. }
                )),
            }
        }
    }
}

#[test]
fn depth_is_capped_and_nothing_is_lost() {
    for rendered in
        [post(&format!("{}深", ">".repeat(1000))), comment(&format!("{}深", "> ".repeat(1000)))]
    {
        assert_eq!(rendered.html.as_str().matches("<blockquote>").count(), 100);
        assert_eq!(rendered.text, "深");
    }
}

#[test]
fn long_texts_are_refused_with_a_sentence() {
    let long = "字".repeat(7000);
    let error = render(&long, &Profile::Comment { id: String::new() }).unwrap_err();
    assert_eq!(error.to_string(), "the text is too long: 21000 bytes, at most 20480 are allowed");
    let long = "a".repeat(1024 * 1024 + 1);
    assert!(matches!(
        render(&long, &Profile::Post { id: String::new() }),
        Err(RenderError::TooLarge { .. })
    ));
}

#[test]
fn raw_elements_left_open_stay_where_they_are() {
    assert_eq!(post("<b>粗\n\n后").html.as_str(), "<p><b>粗</b></p>\n<p>后</p>\n");
    let bold = (0..5000).map(|n| format!("<b title={n}>")).collect::<Vec<_>>().concat();
    let source = format!("<div>{bold}\n\n{}", "x\n\n".repeat(10_000));
    assert_eq!(render(&source, &Profile::Post { id: String::new() }), Err(RenderError::TooComplex));
    let nested = "<div>".repeat(1000);
    assert_eq!(post(&nested).html.as_str().matches("<div>").count(), 50);
}
