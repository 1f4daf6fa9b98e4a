//! E-mail addresses.

/// Characters of the longest address (RFC 5321).
pub const MAX_CHARS: usize = 254;

/// Whether mail could be sent there; the host's own rules are its own.
#[must_use]
pub fn is_address(text: &str) -> bool {
    text.rsplit_once('@').is_some_and(|(local, domain)| {
        !local.is_empty()
            && domain.contains('.')
            && !domain.starts_with('.')
            && !domain.ends_with('.')
            && !text
                .chars()
                .any(|c| c.is_whitespace() || c.is_control() || "<>\"'(),;:".contains(c))
    })
}

/// By what an address is unique and looked up: hosts may tell letters apart by
/// case before the `@`, but none that people use does (case C55).
#[must_use]
pub fn normal(text: &str) -> String {
    super::names::UserName::normal(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_has_one_normal_form() {
        for text in ["A@example.org", "a@Example.ORG", " a@example.org ", "ａ@example.org"] {
            assert_eq!(normal(text), "a@example.org", "{text:?}");
        }
        assert_ne!(normal("a.b@example.org"), normal("ab@example.org"));
    }

    #[test]
    fn addresses_are_told_from_other_words() {
        for text in ["a@example.org", "a+b@example.org", "小明@例子.测试"] {
            assert!(is_address(text), "{text}");
        }
        for text in
            ["", "a", "a@b", "@example.org", "a b@example.org", "a@.org", "<a@b.c>", "a,b@c.d"]
        {
            assert!(!is_address(text), "{text}");
        }
    }
}
