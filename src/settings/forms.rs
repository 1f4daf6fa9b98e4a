//! The forms of the settings: what was typed, checked.

use serde::Deserialize;

use crate::{
    domain::{links::Website, names, text},
    users::model::{Account, ProfileText},
    web::form_state::Mistake,
};

const MAX_BIO_CHARS: usize = 500;
const MAX_CITY_CHARS: usize = 60;

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct ProfileForm {
    pub name: String,
    pub bio: String,
    pub city: String,
    pub website: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct UsernameForm {
    pub username: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct EmailForm {
    pub email: String,
    pub password: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct PasswordForm {
    pub current_password: String,
    pub password: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct DeleteForm {
    pub password: String,
}

#[derive(Clone, Default, Deserialize)]
#[serde(default)]
pub struct SessionForm {
    pub session: String,
}

/// What the fields of the page show: what is stored, or what was typed instead.
#[derive(Clone, Default)]
pub struct SettingsValues {
    pub profile: ProfileForm,
    pub username: String,
    pub email: String,
}

impl From<&Account> for SettingsValues {
    fn from(account: &Account) -> Self {
        Self {
            profile: ProfileForm {
                name: account.name.clone(),
                bio: account.bio.clone(),
                city: account.city.clone(),
                website: account.website.clone().unwrap_or_default(),
            },
            username: account.username.clone(),
            email: account.email.clone().unwrap_or_default(),
        }
    }
}

impl ProfileForm {
    /// # Errors
    /// Every mistake.
    pub fn parse(&self) -> Result<ProfileText, Vec<Mistake>> {
        let mut mistakes = Vec::new();
        let name = names::display_name(&self.name).unwrap_or_else(|error| {
            mistakes.push(match error {
                names::NameError::Empty => Mistake::new("name", "display-name-missing"),
                _ => Mistake::new("name", "display-name-too-long"),
            });
            String::new()
        });
        let (bio, city) = (text::clean_lines(&self.bio), text::clean_line(&self.city));
        if bio.chars().count() > MAX_BIO_CHARS {
            mistakes.push(Mistake::new("bio", "bio-too-long"));
        }
        if city.chars().count() > MAX_CITY_CHARS {
            mistakes.push(Mistake::new("city", "city-too-long"));
        }
        let website = match self.website.trim() {
            "" => None,
            typed => match Website::parse(typed) {
                Ok(website) => Some(website.href),
                Err(_) => {
                    mistakes.push(Mistake::new("website", "website-odd"));
                    None
                }
            },
        };
        if mistakes.is_empty() {
            Ok(ProfileText { name, bio, city, website })
        } else {
            Err(mistakes)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_is_tidied_or_every_mistake_told() {
        let form = ProfileForm {
            name: " 林  墨 ".to_owned(),
            bio: "写字。\r\n".to_owned(),
            city: " 杭州 ".to_owned(),
            website: "example.org".to_owned(),
        };
        let wanted = ProfileText {
            name: "林 墨".to_owned(),
            bio: "写字。".to_owned(),
            city: "杭州".to_owned(),
            website: Some("https://example.org/".to_owned()),
        };
        assert_eq!(form.parse(), Ok(wanted));
        let form = ProfileForm {
            name: "\u{200b}".to_owned(),
            bio: "字".repeat(501),
            city: "c".repeat(61),
            website: "javascript:alert(1)".to_owned(),
        };
        let keys = form.parse().map_err(|all| all.iter().map(|m| m.field).collect::<Vec<_>>());
        assert_eq!(keys, Err(vec!["name", "bio", "city", "website"]));
    }
}
