//! Settings of accounts and of mail.

use std::{collections::BTreeMap, net::IpAddr, path::PathBuf, sync::Arc};

use ipnet::IpNet;

use super::{ConfigError, Given, Site, check, parse};
use crate::domain::{email, permission::Role};

/// Who may sign up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SignUp {
    Open,
    /// Whoever has a link made by `inkstone user invite`.
    Invitation,
    Closed,
}

/// What sign-up and sign-in need to know.
#[derive(Debug, Clone)]
pub struct Accounts {
    pub signup: SignUp,
    pub newcomer_role: Role,
    /// Whose `X-Forwarded-For` is believed.
    pub trusted_proxies: Arc<[IpNet]>,
}

/// Where mail goes and who sends it.
#[derive(Clone)]
pub struct MailSettings {
    /// `smtps://user:password@host`, or `None` for files.
    pub smtp_url: Option<String>,
    pub from: String,
    /// For mail as files.
    pub folder: PathBuf,
}

impl Accounts {
    pub(super) fn check(given: &BTreeMap<&'static str, Given>) -> Result<Self, ConfigError> {
        Ok(Self {
            signup: check(given, "signup", "open, invitation or closed", |text| match text {
                "open" => Some(SignUp::Open),
                "invitation" => Some(SignUp::Invitation),
                "closed" => Some(SignUp::Closed),
                _ => None,
            })?,
            // Nobody becomes staff by signing up.
            newcomer_role: check(given, "newcomer_role", "reader or author", |text| {
                Role::named(text).filter(|role| !role.is_staff())
            })?,
            trusted_proxies: check(
                given,
                "trusted_proxies",
                "addresses or networks such as 127.0.0.1, 10.0.0.0/8",
                networks,
            )?,
        })
    }
}

impl MailSettings {
    pub(super) fn check(
        given: &BTreeMap<&'static str, Given>,
        site: &Site,
    ) -> Result<Self, ConfigError> {
        let host = site.host();
        let data: PathBuf = parse(given, "data", "a folder")?;
        Ok(Self {
            smtp_url: check(given, "smtp_url", "smtps://user:password@host", |text| {
                let is_url = ["smtp://", "smtps://"].iter().any(|scheme| text.starts_with(scheme));
                (text.is_empty() || is_url).then(|| Some(text.to_owned()).filter(|t| !t.is_empty()))
            })?,
            from: check(given, "mail_from", "an e-mail address", |text| {
                if text.is_empty() {
                    Some(format!("noreply@{host}"))
                } else {
                    email::is_address(text).then(|| text.to_owned())
                }
            })?,
            folder: data.join("mail"),
        })
    }
}

fn networks(text: &str) -> Option<Arc<[IpNet]>> {
    let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
    parts
        .map(|part| part.parse().or_else(|_| part.parse::<IpAddr>().map(IpNet::from)).ok())
        .collect()
}
