//! Passwords: hashing them, checking them (SEC-1).

use std::sync::Arc;

use argon2::{
    Argon2,
    password_hash::{PasswordHasher, PasswordVerifier, phc::PasswordHash},
};
use tokio::sync::Semaphore;
use unicode_normalization::UnicodeNormalization;

/// Each hash takes 19 MiB and some 50 ms: two at once leave pages their share.
const SLOTS: usize = 2;

/// How hashes begin that are made today.
const CURRENT: &str = "$argon2id$v=19$m=19456,t=2,p=1$";

/// No password is known to have this hash.
const NOBODYS: &str = "$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0c2FsdA$\
                       AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/// What a check found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Check {
    Right,
    /// The hash was made with older parameters: make a new one.
    RightButOld,
    Wrong,
}

/// The one way to argon2.
#[derive(Clone)]
pub struct Passwords(Arc<Semaphore>);

impl Default for Passwords {
    fn default() -> Self {
        Self(Arc::new(Semaphore::new(SLOTS)))
    }
}

impl Passwords {
    /// A PHC string with a salt of its own.
    ///
    /// # Errors
    /// The work failed or panicked.
    pub async fn hash(&self, password: String) -> anyhow::Result<String> {
        self.work(move || hash(&password)).await?
    }

    /// Compares with a hash. Without one it takes as long, so that nobody can tell
    /// by the clock whether there is an account.
    ///
    /// # Errors
    /// The work panicked.
    pub async fn check(&self, password: String, hash: Option<String>) -> anyhow::Result<Check> {
        self.work(move || match hash {
            Some(hash) if !is_right(&password, &hash) => Check::Wrong,
            Some(hash) if hash.starts_with(CURRENT) => Check::Right,
            Some(_) => Check::RightButOld,
            None => {
                is_right(&password, NOBODYS);
                Check::Wrong
            }
        })
        .await
    }

    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> anyhow::Result<T> {
        // Closed by nobody, so a slot always comes.
        let slot = self.0.clone().acquire_owned().await.ok();
        let done = tokio::task::spawn_blocking(move || {
            let done = work();
            drop(slot);
            done
        });
        Ok(done.await?)
    }
}

/// The same characters, however the keyboard puts them together.
fn bytes(password: &str) -> Vec<u8> {
    password.nfc().collect::<String>().into_bytes()
}

fn hash(password: &str) -> anyhow::Result<String> {
    let hash = Argon2::default().hash_password(&bytes(password));
    Ok(hash.map_err(|error| anyhow::anyhow!("argon2: {error}"))?.to_string())
}

fn is_right(password: &str, hash: &str) -> bool {
    PasswordHash::new(hash)
        .is_ok_and(|hash| Argon2::default().verify_password(&bytes(password), &hash).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_hash_knows_its_password_and_no_other() {
        let passwords = Passwords::default();
        let hash = passwords.hash("correct horse".to_owned()).await.unwrap();
        assert!(hash.starts_with(CURRENT), "{hash}");
        assert_ne!(passwords.hash("correct horse".to_owned()).await.unwrap(), hash);
        let check = async |password: &str, hash: &str| {
            passwords.check(password.to_owned(), Some(hash.to_owned())).await.unwrap()
        };
        assert_eq!(check("correct horse", &hash).await, Check::Right);
        assert_eq!(check("correct horse ", &hash).await, Check::Wrong);
        assert_eq!(check("correct horse", "nonsense").await, Check::Wrong);
        assert_eq!(passwords.check("nobody".to_owned(), None).await.unwrap(), Check::Wrong);
        assert!(NOBODYS.starts_with(CURRENT) && PasswordHash::new(NOBODYS).is_ok());
        // Made with half the memory.
        let params = argon2::Params::new(9728, 2, 1, None).unwrap();
        let old = Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
        let old = old.hash_password(b"correct horse").unwrap().to_string();
        assert_eq!(check("correct horse", &old).await, Check::RightButOld);
    }

    #[tokio::test]
    async fn nothing_is_cut_off_and_composition_does_not_matter() {
        let passwords = Passwords::default();
        let long = "密".repeat(70);
        let hash = passwords.hash(format!("{long}e\u{301}")).await.unwrap();
        let check = |password: String| passwords.check(password, Some(hash.clone()));
        assert_eq!(check(format!("{long}\u{e9}")).await.unwrap(), Check::Right);
        assert_eq!(check(format!("{long}e")).await.unwrap(), Check::Wrong);
    }
}
