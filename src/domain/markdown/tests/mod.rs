//! Whole texts: what the page shows.

mod cases;
mod commonmark;
mod elements;
mod fuzz;
mod hostile;
mod limits;
mod oracle;

use super::{Profile, Rendered, render};

fn post(source: &str) -> Rendered {
    render(source, &Profile::Post { id: "p1".to_owned() }).unwrap()
}

fn comment(source: &str) -> Rendered {
    render(source, &Profile::Comment { id: "c1".to_owned() }).unwrap()
}

/// The HTML of a post, without the line end at its end.
fn html(source: &str) -> String {
    post(source).html.as_str().trim_end().to_owned()
}

/// The HTML of a comment, without the line end at its end.
fn comment_html(source: &str) -> String {
    comment(source).html.as_str().trim_end().to_owned()
}
