//! The sign-up form: what was typed, checked.

use serde::Deserialize;

use crate::{
    domain::{
        email,
        names::{NameError, UserName},
        password_rules::{self, Weakness},
        permission::Role,
    },
    web::form_state::{FormState, Mistake},
};

/// The fields as they arrive; a missing one is empty.
#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct SignUpForm {
    pub username: String,
    pub email: String,
    pub password: String,
    /// The token of an invitation.
    pub invitation: String,
}

/// A sign-up that may be tried.
pub struct NewMember {
    pub username: UserName,
    pub email: String,
    pub password: String,
}

impl SignUpForm {
    /// Checks everything that needs no database.
    ///
    /// # Errors
    /// The form with everything typed and every mistake.
    pub fn parse(self, role: Role, site: &str) -> Result<NewMember, FormState<Self>> {
        let mut mistakes = Vec::new();
        let username = UserName::parse(&self.username)
            .map_err(|error| mistakes.push(username_mistake(&error)))
            .ok();
        let email = self.email.trim().to_owned();
        if let Some(mistake) = email_mistake(&email) {
            mistakes.push(mistake);
        }
        let names = [self.username.trim(), &email, site];
        if let Err(weakness) = password_rules::check(&self.password, role, &names) {
            mistakes.push(password_mistake(weakness, role));
        }
        match username {
            Some(username) if mistakes.is_empty() => {
                Ok(NewMember { username, email, password: self.password })
            }
            _ => Err(FormState { values: self, mistakes }),
        }
    }
}

/// What to say of a user name.
#[must_use]
pub fn username_mistake(error: &NameError) -> Mistake {
    match error {
        NameError::Empty => Mistake::new("username", "username-missing"),
        NameError::TooLong(_) | NameError::TooManyTags => {
            Mistake::new("username", "username-too-long")
        }
        NameError::WrongSign => Mistake::new("username", "username-odd"),
        NameError::Reserved => Mistake::new("username", "username-reserved"),
    }
}

/// What to say of an e-mail address, if anything.
#[must_use]
pub fn email_mistake(address: &str) -> Option<Mistake> {
    if address.is_empty() {
        Some(Mistake::new("email", "email-missing"))
    } else if address.chars().count() > email::MAX_CHARS {
        Some(Mistake::new("email", "email-too-long"))
    } else if email::is_address(address) {
        None
    } else {
        Some(Mistake::new("email", "email-wrong"))
    }
}

/// What to say of a password.
#[must_use]
pub fn password_mistake(weakness: Weakness, role: Role) -> Mistake {
    match weakness {
        Weakness::TooShort if role.is_staff() => {
            Mistake::new("password", "password-too-short-staff")
        }
        Weakness::TooShort => Mistake::new("password", "password-too-short"),
        Weakness::TooLong => Mistake::new("password", "password-too-long"),
        Weakness::Common => Mistake::new("password", "password-common"),
        Weakness::Name => Mistake::new("password", "password-is-name"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mistake_is_told_at_once() {
        let told = |username: &str, email: &str, password: &str| {
            let form = SignUpForm {
                username: username.to_owned(),
                email: email.to_owned(),
                password: password.to_owned(),
                ..SignUpForm::default()
            };
            form.parse(Role::Author, "Inkstone").map(|_| ()).map_err(|state| {
                state.mistakes.iter().map(|mistake| mistake.key).collect::<Vec<_>>()
            })
        };
        assert_eq!(told("ana", " A@example.org ", "tr4vel-8x"), Ok(()));
        let all = Err(vec!["username-missing", "email-missing", "password-too-short"]);
        assert_eq!(told("", "", ""), all);
        for admin in ["admin", "Admin", "ａｄｍｉｎ", "аdmin", "adm1n", "ad-min"] {
            assert_eq!(
                told(admin, "a@b.c", "tr4vel-8x"),
                Err(vec!["username-reserved"]),
                "{admin}"
            );
        }
        assert_eq!(
            told("a b", "a@b", "password"),
            Err(vec!["username-odd", "email-wrong", "password-common"])
        );
    }
}
