//! Which passwords may be chosen (SEC-2). No rules of composition: length counts.

use super::permission::Role;

/// The most common passwords of eight characters and more, one a line; from the
/// frequency list of zxcvbn.
const COMMON: &str = include_str!("common-passwords.txt");

/// Characters of the longest password.
pub const MAX_CHARS: usize = 256;

/// Why a password was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weakness {
    TooShort,
    TooLong,
    /// Everybody tries it first.
    Common,
    /// It is, or is hardly more than, a name that anybody can see.
    Name,
}

#[must_use]
pub fn min_chars(role: Role) -> usize {
    if role.is_staff() { 15 } else { 8 }
}

/// Looks a new password over; `names` are the user's name, e-mail address and the
/// title of the site.
///
/// # Errors
/// What is wrong with it.
pub fn check(password: &str, role: Role, names: &[&str]) -> Result<(), Weakness> {
    let count = password.chars().count();
    if count < min_chars(role) {
        return Err(Weakness::TooShort);
    }
    if count > MAX_CHARS {
        return Err(Weakness::TooLong);
    }
    let lower = password.to_lowercase();
    let mut characters = lower.chars();
    let first = characters.next();
    if COMMON.lines().any(|common| common == lower) || characters.all(|c| Some(c) == first) {
        return Err(Weakness::Common);
    }
    // `inkstone2026` is the name and a number.
    let bare = lower.trim_matches(|c: char| !c.is_alphabetic());
    let is_name = |name: &&str| {
        let name = name.to_lowercase();
        !name.is_empty() && (bare == name || lower == name)
    };
    if names.iter().any(is_name) { Err(Weakness::Name) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twenty_passwords() {
        let (reader, staff) = (Role::Author, Role::Editor);
        let long = |n: usize| "密码a".chars().cycle().take(n).collect::<String>();
        for (password, role, wanted) in [
            ("", reader, Err(Weakness::TooShort)),
            ("short77", reader, Err(Weakness::TooShort)),
            ("八个字也是密码啊", reader, Ok(())),
            ("tr4vel-8x", reader, Ok(())),
            ("correct horse battery", reader, Ok(())),
            ("        x", reader, Ok(())),
            ("12345678", reader, Err(Weakness::Common)),
            ("password", reader, Err(Weakness::Common)),
            ("PassWord", reader, Err(Weakness::Common)),
            ("qwertyuiop", reader, Err(Weakness::Common)),
            ("aaaaaaaaaaaa", reader, Err(Weakness::Common)),
            ("inkstone", reader, Err(Weakness::Name)),
            ("Inkstone2026", reader, Err(Weakness::Name)),
            ("ana-maria", reader, Err(Weakness::Name)),
            ("2026ana-maria!", reader, Err(Weakness::Name)),
            ("ana@example.org", reader, Err(Weakness::Name)),
            ("fourteen chars", staff, Err(Weakness::TooShort)),
            ("fifteen charact", staff, Ok(())),
            (&long(256), reader, Ok(())),
            (&long(257), reader, Err(Weakness::TooLong)),
        ] {
            let names = ["ana-maria", "ana@example.org", "Inkstone"];
            assert_eq!(check(password, role, &names), wanted, "{password:?}");
        }
        assert_eq!(COMMON.lines().count(), 3_000);
    }
}
