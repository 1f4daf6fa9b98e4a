//! The key by which the site knows again what it handed out itself. All processes
//! share it: it is made once and kept in the database (`db::secrets`).

use std::sync::Arc;

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use crate::domain::text;

/// Not `Debug`, so that no log holds it.
#[derive(Clone)]
pub struct SiteKey(Arc<Hmac<Sha256>>);

impl SiteKey {
    /// A key as long as a block of the hash.
    #[must_use]
    pub fn new(key: [u8; 64]) -> Self {
        Self(Arc::new(Hmac::new(&key.into())))
    }

    /// HMAC-SHA256 of the text, as hexadecimal digits. What was signed for one
    /// purpose is no signature for another.
    #[must_use]
    pub fn sign(&self, purpose: &str, text: &str) -> String {
        let mut mac = Hmac::clone(&self.0);
        mac.update(purpose.as_bytes());
        mac.update(&[0]);
        mac.update(text.as_bytes());
        text::hex(&mac.finalize().into_bytes())
    }

    /// Takes as long for a wrong signature as for a right one.
    #[must_use]
    pub fn is_signature(&self, purpose: &str, text: &str, signature: &str) -> bool {
        self.sign(purpose, text).as_bytes().ct_eq(signature.as_bytes()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_is_good_for_one_key_purpose_and_text() {
        let (key, other) = (SiteKey::new([1; 64]), SiteKey::new([2; 64]));
        let signature = key.sign("form", "text");
        assert!(key.is_signature("form", "text", &signature));
        assert!(!key.is_signature("form", "tex", &signature));
        assert!(!key.is_signature("for", "mtext", &signature));
        assert!(!key.is_signature("form", "text", ""));
        assert!(!other.is_signature("form", "text", &signature));
    }
}
