//! A form that came back: what was typed, and what is wrong with it.

/// One mistake: the field's name in the form (or `""` for the form as a whole)
/// and the key of the message that says what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    pub field: &'static str,
    message: &'static str,
}

impl Mistake {
    /// `message` is a key of the message files.
    #[must_use]
    pub fn message(field: &'static str, message: &'static str) -> Self {
        Self { field, message }
    }

    #[must_use]
    pub fn key(&self) -> &'static str {
        self.message
    }
}

/// Typed values and their mistakes. A fresh form has empty values and none.
#[derive(Debug, Clone, Default)]
pub struct FormState<V> {
    pub values: V,
    pub mistakes: Vec<Mistake>,
}

impl<V> FormState<V> {
    /// The first mistake of a field.
    #[must_use]
    pub fn mistake(&self, field: &str) -> Option<&Mistake> {
        self.mistakes.iter().find(|mistake| mistake.field == field)
    }
}
