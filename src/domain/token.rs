//! Words that only their holder knows: sessions and single-use links. The database
//! keeps their hash, so that a copy of it lets nobody in (SEC-6, SEC-10).

use sha2::{Digest, Sha256};

use super::text;

/// 256 random bits as 64 hexadecimal digits. Not `Debug`, so that no log holds one.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

impl Token {
    #[must_use]
    pub fn random() -> Self {
        Self(text::hex(&rand::random::<[u8; 32]>()))
    }

    /// What somebody sent back; `None` for what cannot be one of ours.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_token = text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        is_token.then(|| Self(text.to_owned()))
    }

    /// For the cookie or the link.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// For the database.
    #[must_use]
    pub fn hash(&self) -> String {
        text::hex(&Sha256::digest(&self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_stored_does_not_let_in() {
        let (one, two) = (Token::random(), Token::random());
        assert!(one.as_str() != two.as_str() && one.hash() != two.hash());
        assert_eq!(one.as_str().len(), 64);
        assert_eq!(Token::parse(one.as_str()).unwrap().hash(), one.hash());
        assert_ne!(Token::parse(&one.hash()).unwrap().hash(), one.hash());
        assert!(Token::parse("").is_none() && Token::parse(&"g".repeat(64)).is_none());
    }
}
