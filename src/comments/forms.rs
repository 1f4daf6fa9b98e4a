//! The comment form: what was typed, checked.

use crate::{
    domain::{
        comment_card::Commenter,
        links::Website,
        markdown::{self, Profile, Rendered},
        text, visible,
    },
    web::form_state::{FormState, Mistake},
};
use serde::Deserialize;

/// In code points, as in the validator of `comments.source`.
const MAX_BODY_CHARS: usize = 5_000;
const MAX_NAME_CHARS: usize = 80;
const MAX_EMAIL_CHARS: usize = 254;
const MAX_WEBSITE_CHARS: usize = 200;

/// The fields as they arrive; a missing one is empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct CommentForm {
    pub parent: String,
    pub name: String,
    pub email: String,
    pub website: String,
    pub body: String,
    /// No person sees this field; programs fill it in.
    pub url: String,
}

/// A comment as it may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewComment {
    pub author: Commenter,
    pub email: Option<String>,
    /// Markdown.
    pub body: String,
    pub rendered: Rendered,
}

impl CommentForm {
    /// Checks and renders a guest's comment; `scope` keeps its footnotes apart
    /// from others'. Takes a while for long texts.
    ///
    /// # Errors
    /// The form with everything typed and every mistake.
    pub fn parse(self, scope: &str) -> Result<NewComment, FormState<CommentForm>> {
        let mut mistakes = Vec::new();
        let name = text::clean_line(&self.name);
        if visible::is_blank(&name) {
            mistakes.push(Mistake::new("name", "name-missing"));
        } else if name.chars().count() > MAX_NAME_CHARS {
            mistakes.push(Mistake::new("name", "name-too-long"));
        }
        let email = checked(&self.email, MAX_EMAIL_CHARS, email_address).unwrap_or_else(|why| {
            mistakes.push(match why {
                Why::TooLong => Mistake::new("email", "email-too-long"),
                Why::Odd => Mistake::new("email", "email-odd"),
            });
            None
        });
        let website =
            checked(&self.website, MAX_WEBSITE_CHARS, web_address).unwrap_or_else(|why| {
                mistakes.push(match why {
                    Why::TooLong => Mistake::new("website", "website-too-long"),
                    Why::Odd => Mistake::new("website", "website-odd"),
                });
                None
            });
        let body = text::clean_lines(&self.body);
        let rendered = render(&body, scope).unwrap_or_else(|mistake| {
            mistakes.push(mistake);
            Rendered::default()
        });
        if !self.url.is_empty() {
            mistakes.push(Mistake::new("", "comment-by-machine"));
        }
        if mistakes.is_empty() {
            Ok(NewComment { author: Commenter::Guest { name, website }, email, body, rendered })
        } else {
            Err(FormState { values: self, mistakes })
        }
    }
}

/// Rendered before it is called blank: `** **` is a rule and `[x]: /y` a
/// definition, so there is nothing to read (case C21).
fn render(body: &str, scope: &str) -> Result<Rendered, Mistake> {
    if body.chars().count() > MAX_BODY_CHARS {
        return Err(Mistake::new("body", "body-too-long"));
    }
    match markdown::render(body, &Profile::Comment { id: scope.to_owned() }) {
        Ok(rendered) if rendered.is_blank() => Err(Mistake::new("body", "body-missing")),
        Ok(rendered) => Ok(rendered),
        Err(_) => Err(Mistake::new("body", "body-too-complex")),
    }
}

/// What is wrong with a field that may be left empty.
enum Why {
    TooLong,
    Odd,
}

/// `Ok(None)` for an empty field.
fn checked(
    typed: &str,
    max_chars: usize,
    accept: impl Fn(&str) -> Option<String>,
) -> Result<Option<String>, Why> {
    let cleaned = text::clean_line(typed);
    if visible::is_blank(&cleaned) {
        Ok(None)
    } else if cleaned.chars().count() > max_chars {
        Err(Why::TooLong)
    } else {
        accept(&cleaned).map(Some).ok_or(Why::Odd)
    }
}

/// Something that mail could be sent to; the host's own rules are its own.
fn email_address(text: &str) -> Option<String> {
    let (local, domain) = text.rsplit_once('@')?;
    let is_plain = !local.is_empty()
        && domain.contains('.')
        && !domain.starts_with('.')
        && !domain.ends_with('.')
        && !text.chars().any(|c| c.is_whitespace() || "<>\"'()".contains(c));
    is_plain.then(|| text.to_owned())
}

fn web_address(text: &str) -> Option<String> {
    Website::parse(text).ok().map(|website| website.href)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn form(change: impl Fn(&mut CommentForm)) -> CommentForm {
        let mut form = CommentForm {
            name: "路过的读者".to_owned(),
            body: "写得好。".to_owned(),
            ..CommentForm::default()
        };
        change(&mut form);
        form
    }

    fn mistakes(change: impl Fn(&mut CommentForm)) -> Vec<(&'static str, &'static str)> {
        match form(change).parse("x") {
            Ok(_) => Vec::new(),
            Err(state) => state.mistakes.iter().map(|m| (m.field, m.key)).collect(),
        }
    }

    #[test]
    fn a_name_and_a_text_are_enough() {
        let new = form(|_| ()).parse("x").unwrap();
        assert_eq!(new.author.name(), "路过的读者");
        assert_eq!((new.email, new.body.as_str()), (None, "写得好。"));
    }

    #[test]
    fn every_mistake_is_told_at_once_and_what_was_typed_is_kept() {
        let state =
            CommentForm { email: "x".to_owned(), ..CommentForm::default() }.parse("x").unwrap_err();
        let told: Vec<_> = state.mistakes.iter().map(|m| (m.field, m.key)).collect();
        assert_eq!(
            told,
            [("name", "name-missing"), ("email", "email-odd"), ("body", "body-missing")]
        );
        assert_eq!(state.values.email, "x");
    }

    #[test]
    fn a_text_that_cannot_be_seen_is_missing() {
        for blank in [
            "\u{200b}",
            "\u{200e}\u{200f}",
            "\u{2060}\u{ad}",
            "\u{3164}",
            "\u{2800}",
            "\u{3000} \u{a0}",
            "\u{180e}",
            "** **",
            "[x]: /y",
            "\0",
        ] {
            // A NUL is shown as U+FFFD, so it is not blank.
            let expected = if blank == "\0" { vec![] } else { vec![("body", "body-missing")] };
            assert_eq!(mistakes(|f| f.body = blank.to_owned()), expected, "{blank:?}");
        }
    }

    #[test]
    fn lengths_are_counted_in_characters() {
        assert_eq!(mistakes(|f| f.body = "字".repeat(5000)), []);
        assert_eq!(mistakes(|f| f.body = "字".repeat(5001)), [("body", "body-too-long")]);
        assert_eq!(mistakes(|f| f.name = "名".repeat(80)), []);
        assert_eq!(mistakes(|f| f.name = "名".repeat(81)), [("name", "name-too-long")]);
    }

    #[test]
    fn websites_are_http_addresses_or_refused() {
        let stored = |website: &str| {
            form(|f| f.website = website.to_owned()).parse("x").ok().map(|new| match new.author {
                Commenter::Guest { website, .. } => website.unwrap_or_default(),
                Commenter::Member(_) => unreachable!(),
            })
        };
        for (typed, wanted) in [
            ("", Some("")),
            ("https://example.org", Some("https://example.org/")),
            ("example.org", Some("https://example.org/")),
            ("//example.org", Some("https://example.org/")),
            ("http://例子.测试/路径", Some("http://xn--fsqu00a.xn--0zwm56d/%E8%B7%AF%E5%BE%84")),
            ("http://example.org/\"></a><script>alert(1)</script><a href=\"#", None),
            ("http://example.org/\" onfocus=\"alert(1)\" autofocus=\"", None),
            ("javascript:alert(document.domain)//http://", None),
            (" jAvAsCrIpT:alert(1)", None),
            ("java\tscript:alert(1)", None),
            ("data:text/html;base64,PHNjcmlwdD4=", None),
            ("http://user:pass@example.org/", None),
            ("localhost", None),
            (&format!("https://example.org/{}", "a".repeat(190)), None),
        ] {
            assert_eq!(stored(typed).as_deref(), wanted, "{typed:?}");
        }
    }

    #[test]
    fn emails_look_like_addresses() {
        for (typed, is_fine) in [
            ("a@example.org", true),
            ("小明@例子.测试", true),
            ("a@b", false),
            ("\"></a><script>alert(1)</script>\"@example.com", false),
            ("a b@example.org", false),
        ] {
            assert_eq!(mistakes(|f| f.email = typed.to_owned()).is_empty(), is_fine, "{typed}");
        }
    }

    #[test]
    fn what_fills_the_hidden_field_is_no_person() {
        assert_eq!(mistakes(|f| f.url = "x".to_owned()), [("", "comment-by-machine")]);
    }
}
