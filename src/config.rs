//! Settings: defaults, then a TOML file, then the environment, each value
//! checked and blamed on where it came from.

mod accounts;

use std::{
    collections::BTreeMap,
    fmt,
    net::SocketAddr,
    path::{Path, PathBuf},
    str::FromStr,
    time::Duration,
};

use toml::de::{DeTable, DeValue};
use url::Url;

use crate::{
    db::schema::Validation,
    domain::{site_time::SiteZone, slug::SlugStyle},
    web::messages::Lang,
};

pub use accounts::{Accounts, MailSettings, SignUp};

/// The file that is read if it is there and no other is named.
const DEFAULT_FILE: &str = "inkstone.toml";

const LONGEST_DRAIN_SECS: u64 = 600;

/// One setting as the documentation and `inkstone config` show it.
pub struct Setting {
    /// In the file; a dot is a section: `site.url` is `url` under `[site]`.
    pub key: &'static str,
    /// In the environment.
    pub variable: &'static str,
    pub default: &'static str,
    pub about: &'static str,
    is_secret: bool,
}

const fn setting(
    key: &'static str,
    variable: &'static str,
    default: &'static str,
    about: &'static str,
) -> Setting {
    Setting { key, variable, default, about, is_secret: false }
}

/// Every setting there is.
pub const SETTINGS: &[Setting] = &[
    setting("bind", "INKSTONE_BIND", "127.0.0.1:8080", "address and port to listen on"),
    setting("data", "INKSTONE_DATA", "./data", "folder of the embedded database and its log"),
    setting("engine", "INKSTONE_ENGINE", "", "binary of the embedded engine; empty: as installed"),
    Setting {
        key: "mongodb.uri",
        variable: "MONGODB_URI",
        default: "",
        about: "replica set or cluster to use; empty: the embedded engine",
        is_secret: true,
    },
    setting("mongodb.database", "MONGODB_DATABASE", "inkstone", "name of the database"),
    setting("site.url", "INKSTONE_SITE_URL", "", "public address; empty: http:// and bind"),
    setting("site.title", "INKSTONE_SITE_TITLE", "Inkstone", "name of the site"),
    setting("lang", "INKSTONE_LANG", "zh-CN", "language of the interface: zh-CN or en"),
    setting("time_zone", "INKSTONE_TIME_ZONE", "Asia/Shanghai", "zone of every date shown"),
    setting(
        "slug_style",
        "INKSTONE_SLUG_STYLE",
        "full_pinyin",
        "Chinese titles in addresses: full_pinyin or first_letters",
    ),
    setting(
        "validation",
        "INKSTONE_VALIDATION",
        "error",
        "documents that break a validator: warn or error",
    ),
    setting("signup", "INKSTONE_SIGNUP", "open", "who may sign up: open, invitation or closed"),
    setting("newcomer_role", "INKSTONE_NEWCOMER_ROLE", "author", "role after sign-up"),
    setting(
        "trusted_proxies",
        "INKSTONE_TRUSTED_PROXIES",
        "",
        "addresses or networks, by commas, whose X-Forwarded-For is believed",
    ),
    Setting {
        key: "smtp_url",
        variable: "INKSTONE_SMTP_URL",
        default: "",
        about: "mail server; empty: mail is put into the data folder",
        is_secret: true,
    },
    setting("mail_from", "INKSTONE_MAIL_FROM", "", "sender of mail; empty: noreply@ and the host"),
    setting(
        "shutdown.drain",
        "INKSTONE_SHUTDOWN_DRAIN",
        "0",
        "seconds from not ready to not listening, when asked to stop",
    ),
];

/// The settings in force.
#[derive(Clone)]
pub struct Config {
    pub bind: SocketAddr,
    pub data: PathBuf,
    pub engine: Option<PathBuf>,
    pub mongodb_uri: Option<String>,
    pub mongodb_database: String,
    pub site: Site,
    pub accounts: Accounts,
    pub mail: MailSettings,
    pub validation: Validation,
    /// How long requests are still taken after [`/readyz`](crate::operations) says no.
    pub drain: Duration,
    /// For `inkstone config`: every value with its source.
    shown: Vec<Shown>,
}

/// What pages need to know of the site.
#[derive(Debug, Clone)]
pub struct Site {
    /// Scheme, host and port, no slash at the end.
    pub url: String,
    pub title: String,
    pub lang: Lang,
    pub zone: SiteZone,
    pub slug_style: SlugStyle,
}

impl Site {
    #[must_use]
    pub fn is_https(&self) -> bool {
        self.url.starts_with("https://")
    }

    /// Without scheme and port.
    #[must_use]
    pub fn host(&self) -> String {
        let url = Url::parse(&self.url).ok();
        url.and_then(|url| url.host_str().map(str::to_owned)).unwrap_or_default()
    }
}

#[derive(Clone)]
struct Shown {
    key: &'static str,
    value: String,
    source: String,
}

/// A value that cannot be used, and where it stands.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    #[error("the settings file {path} cannot be read: {reason}")]
    Unreadable { path: PathBuf, reason: std::io::Error },
    #[error("{path}, line {line}: {reason}")]
    File { path: PathBuf, line: usize, reason: String },
    #[error("{source_name}: {key} must be {wanted}, not {value:?}")]
    Value { source_name: String, key: &'static str, wanted: &'static str, value: String },
    #[error(
        "{0} listens on every interface, so site.url (INKSTONE_SITE_URL) must say which address \
         people use, such as http://192.168.1.5:8080"
    )]
    NoSiteUrl(SocketAddr),
    #[error("{0} is not valid Unicode")]
    NotUnicode(&'static str),
}

/// A value and who set it.
struct Given {
    value: String,
    source: String,
}

impl Config {
    /// Reads the file (the named one, or [`DEFAULT_FILE`] if it is there), then
    /// the environment through `variable`.
    ///
    /// # Errors
    /// [`ConfigError`] names the file and line or the variable.
    pub fn load(
        file: Option<&Path>,
        variable: impl Fn(&str) -> Option<std::ffi::OsString>,
    ) -> Result<Self, ConfigError> {
        let mut given: BTreeMap<&'static str, Given> = SETTINGS
            .iter()
            .map(|s| (s.key, Given { value: s.default.to_owned(), source: "default".to_owned() }))
            .collect();
        let default_file = Path::new(DEFAULT_FILE);
        if let Some(path) = file.or_else(|| default_file.exists().then_some(default_file)) {
            read_file(path, &mut given)?;
        }
        for setting in SETTINGS {
            if let Some(value) = variable(setting.variable) {
                let value =
                    value.into_string().map_err(|_| ConfigError::NotUnicode(setting.variable))?;
                given.insert(setting.key, Given { value, source: setting.variable.to_owned() });
            }
        }
        Self::check(&given)
    }

    /// Where the embedded database lies.
    #[must_use]
    pub fn engine_folder(&self) -> PathBuf {
        self.data.join("engine")
    }

    /// Where a running program says how to reach its embedded database.
    #[must_use]
    pub fn engine_address(&self) -> PathBuf {
        self.data.join("engine.address")
    }

    fn check(given: &BTreeMap<&'static str, Given>) -> Result<Self, ConfigError> {
        let bind: SocketAddr = parse(given, "bind", "an address and port such as 127.0.0.1:8080")?;
        let url =
            check(given, "site.url", "an address such as https://blog.example.org", |text| {
                if text.is_empty() { Some(format!("http://{bind}")) } else { site_url(text) }
            })?;
        if bind.ip().is_unspecified() && url == format!("http://{bind}") {
            return Err(ConfigError::NoSiteUrl(bind));
        }
        let site =
            Site {
                url,
                title: check(given, "site.title", "a name", |text| {
                    (!text.trim().is_empty()).then(|| text.trim().to_owned())
                })?,
                lang: parse(given, "lang", "zh-CN or en")?,
                zone: check(given, "time_zone", "a zone such as Asia/Shanghai", |name| {
                    SiteZone::parse(name).ok()
                })?,
                slug_style: check(given, "slug_style", "full_pinyin or first_letters", |text| {
                    match text {
                        "full_pinyin" => Some(SlugStyle::FullPinyin),
                        "first_letters" => Some(SlugStyle::FirstLetters),
                        _ => None,
                    }
                })?,
            };
        let shown = SETTINGS
            .iter()
            .filter_map(|setting| {
                let Given { value, source } = given.get(setting.key)?;
                let value = if setting.is_secret { hide_password(value) } else { value.clone() };
                Some(Shown { key: setting.key, value, source: source.clone() })
            })
            .collect();
        let optional = |text: &str| Some((!text.is_empty()).then(|| text.to_owned()));
        Ok(Self {
            bind,
            data: parse(given, "data", "a folder")?,
            engine: check(given, "engine", "a file", optional)?.map(PathBuf::from),
            mongodb_uri: check(given, "mongodb.uri", "a URI", optional)?,
            mongodb_database: check(given, "mongodb.database", "a name", |text| {
                let is_name = !text.is_empty() && !text.contains(['/', '\\', '.', ' ', '"', '$']);
                is_name.then(|| text.to_owned())
            })?,
            accounts: Accounts::check(given)?,
            mail: MailSettings::check(given, &site)?,
            site,
            validation: check(given, "validation", "warn or error", |text| match text {
                "warn" => Some(Validation::Warn),
                "error" => Some(Validation::Error),
                _ => None,
            })?,
            drain: check(given, "shutdown.drain", "seconds from 0 to 600", |text| {
                let seconds = text.parse().ok().filter(|seconds| *seconds <= LONGEST_DRAIN_SECS)?;
                Some(Duration::from_secs(seconds))
            })?,
            shown,
        })
    }
}

impl fmt::Display for Config {
    /// A settings file with the values in force, secrets hidden.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Top-level keys first: in TOML they cannot follow a section.
        for Shown { key, value, source } in self.shown.iter().filter(|s| !s.key.contains('.')) {
            writeln!(f, "{key} = {value:?} # {source}")?;
        }
        let mut section = "";
        for Shown { key, value, source } in &self.shown {
            let Some((of, name)) = key.split_once('.') else {
                continue;
            };
            if of != section {
                writeln!(f, "\n[{of}]")?;
                section = of;
            }
            writeln!(f, "{name} = {value:?} # {source}")?;
        }
        Ok(())
    }
}

fn read_file(path: &Path, given: &mut BTreeMap<&'static str, Given>) -> Result<(), ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|reason| ConfigError::Unreadable { path: path.to_owned(), reason })?;
    let at = |offset: usize, reason: String| ConfigError::File {
        path: path.to_owned(),
        line: 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count(),
        reason,
    };
    let table = DeTable::parse(&text).map_err(|error| {
        at(error.span().map_or(0, |span| span.start), error.message().to_owned())
    })?;
    let mut entries = Vec::new();
    for (key, value) in table.get_ref() {
        match value.get_ref() {
            DeValue::Table(section) => entries.extend(section.iter().map(|(name, value)| {
                (format!("{}.{}", key.get_ref(), name.get_ref()), name.span().start, value)
            })),
            _ => entries.push((key.get_ref().to_string(), key.span().start, value)),
        }
    }
    for (key, offset, value) in entries {
        let Some(setting) = SETTINGS.iter().find(|setting| setting.key == key) else {
            return Err(at(offset, format!("there is no setting {key:?}")));
        };
        let DeValue::String(value) = value.get_ref() else {
            return Err(at(offset, format!("{key} must be a text in quotes")));
        };
        let line = 1 + text.bytes().take(offset).filter(|byte| *byte == b'\n').count();
        let source = format!("{}, line {line}", path.display());
        given.insert(setting.key, Given { value: value.to_string(), source });
    }
    Ok(())
}

fn check<T>(
    given: &BTreeMap<&'static str, Given>,
    key: &'static str,
    wanted: &'static str,
    accept: impl Fn(&str) -> Option<T>,
) -> Result<T, ConfigError> {
    let (value, source) = given
        .get(key)
        .map_or(("", "default"), |given| (given.value.as_str(), given.source.as_str()));
    accept(value).ok_or_else(|| ConfigError::Value {
        source_name: source.to_owned(),
        key,
        wanted,
        value: value.to_owned(),
    })
}

fn parse<T: FromStr>(
    given: &BTreeMap<&'static str, Given>,
    key: &'static str,
    wanted: &'static str,
) -> Result<T, ConfigError> {
    check(given, key, wanted, |text| text.parse().ok())
}

/// Scheme, host and port of an address without path, written as browsers write
/// an origin; `None` for anything else.
fn site_url(text: &str) -> Option<String> {
    let url = Url::parse(text).ok()?;
    let is_site = matches!(url.scheme(), "http" | "https")
        && url.path() == "/"
        && url.query().is_none()
        && url.fragment().is_none()
        && url.username().is_empty();
    is_site.then(|| url.origin().ascii_serialization())
}

/// `mongodb://user:***@host/`: a URI that can be shown.
fn hide_password(uri: &str) -> String {
    let hidden = uri.split_once("://").and_then(|(scheme, rest)| {
        let (login, host) = rest.rsplit_once('@')?;
        let (user, _) = login.split_once(':')?;
        Some(format!("{scheme}://{user}:***@{host}"))
    });
    hidden.unwrap_or_else(|| uri.to_owned())
}

#[cfg(test)]
mod tests;
