//! A form that came back: what was typed, and what is wrong with it.

/// One mistake.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// The field's name in the form, or `""` for the form as a whole.
    pub field: &'static str,
    /// Key of the message that says what to do.
    pub key: &'static str,
}

impl Mistake {
    #[must_use]
    pub fn new(field: &'static str, key: &'static str) -> Self {
        Self { field, key }
    }

    /// The same words at another field.
    #[must_use]
    pub fn at(self, field: &'static str) -> Self {
        Self { field, ..self }
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
