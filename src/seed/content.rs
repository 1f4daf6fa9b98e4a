//! The files under `seed/`, read and checked.

use anyhow::{Context, bail};
use mongodb::bson::DateTime;
use rust_embed::RustEmbed;
use serde::Deserialize;

use crate::domain::{
    permission::Role,
    site_time::{SiteZone, to_stored},
};

#[derive(RustEmbed)]
#[folder = "seed/"]
struct Files;

/// The line around a post's front matter.
const FENCE: &str = "+++\n";

/// Everything the files say.
pub struct Content {
    pub people: Vec<Person>,
    pub categories: Vec<Shelf>,
    pub posts: Vec<SamplePost>,
    pub words: Vec<Words>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PeopleFile {
    people: Vec<Person>,
    categories: Vec<Shelf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Person {
    pub username: String,
    pub name: String,
    pub city: String,
    pub bio: String,
    pub joined: LocalTime,
    pub role: Role,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Shelf {
    pub slug: String,
    pub name: String,
    pub description: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WordsFile {
    languages: Vec<Words>,
}

/// Words of one language for bulk content.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Words {
    pub lang: String,
    pub titles: Vec<String>,
    pub places: Vec<String>,
    pub tags: Vec<String>,
    pub cities: Vec<String>,
    /// As shown, and as part of a user name.
    pub family: Vec<(String, String)>,
    pub given: Vec<(String, String)>,
    pub bios: Vec<String>,
    pub guests: Vec<String>,
}

/// The front matter of a post; `body` is what follows it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SamplePost {
    pub title: String,
    pub slug: String,
    pub author: String,
    pub category: String,
    pub tags: Vec<String>,
    pub lang: String,
    pub date: LocalTime,
    /// Name of a picture under `static/covers/`, without its ending.
    pub cover: Option<String>,
    pub excerpt: Option<String>,
    #[serde(default)]
    pub views: i64,
    #[serde(default)]
    pub likes: i64,
    #[serde(default)]
    pub comments: Vec<SampleComment>,
    #[serde(skip)]
    pub body: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SampleComment {
    /// User name of a member; else `name` is a guest's.
    pub by: Option<String>,
    pub name: Option<String>,
    pub website: Option<String>,
    pub date: LocalTime,
    /// Number of an earlier comment of the file, from 1.
    pub reply_to: Option<usize>,
    #[serde(default)]
    pub likes: i64,
    pub body: String,
}

/// `2026-05-12T08:30` in the zone of the texts, whatever the site's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LocalTime(pub DateTime);

impl<'de> Deserialize<'de> for LocalTime {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        SiteZone::parse("Asia/Shanghai")
            .map_err(serde::de::Error::custom)?
            .moment(&text)
            .map(|moment| Self(to_stored(moment)))
            .map_err(serde::de::Error::custom)
    }
}

impl Content {
    /// Reads all files.
    ///
    /// # Errors
    /// Names the file that has a mistake.
    pub fn load() -> anyhow::Result<Self> {
        let PeopleFile { people, categories } =
            toml::from_str(&text_of("people.toml")?).context("seed/people.toml")?;
        let WordsFile { languages } =
            toml::from_str(&text_of("words.toml")?).context("seed/words.toml")?;
        let mut names: Vec<_> = Files::iter().filter(|name| name.ends_with(".md")).collect();
        names.sort();
        let posts = names
            .iter()
            .map(|name| read_post(name).with_context(|| format!("seed/{name}")))
            .collect::<anyhow::Result<_>>()?;
        Ok(Self { people, categories, posts, words: languages })
    }
}

fn text_of(name: &str) -> anyhow::Result<String> {
    let file = Files::get(name).with_context(|| format!("seed/{name} is missing"))?;
    Ok(String::from_utf8(file.data.into_owned())?)
}

fn read_post(name: &str) -> anyhow::Result<SamplePost> {
    let text = text_of(name)?;
    let Some((head, body)) =
        text.strip_prefix(FENCE).and_then(|rest| rest.split_once(&format!("\n{FENCE}")))
    else {
        bail!("there is no front matter between lines of +++");
    };
    let mut post: SamplePost = toml::from_str(head)?;
    body.trim().clone_into(&mut post.body);
    Ok(post)
}
