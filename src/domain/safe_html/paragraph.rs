//! Plain text as safe HTML.

use super::SafeHtml;

impl SafeHtml {
    /// One paragraph of plain text; what looks like markup is shown as it is.
    #[must_use]
    pub fn paragraph(text: &str) -> Self {
        Self(format!("<p>{}</p>", ammonia::clean_text(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::SafeHtml;

    #[test]
    fn markup_in_plain_text_is_shown() {
        let html = SafeHtml::paragraph("1 < 2 & <script>");
        assert!(!html.as_str().contains("<script"), "{html}");
        assert!(
            html.as_str().starts_with("<p>1&#32;&lt;&#32;2")
                || html.as_str().starts_with("<p>1 &lt; 2"),
            "{html}"
        );
    }
}
