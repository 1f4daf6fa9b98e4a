//! The editor's form: what was typed, checked and rendered.

use std::collections::HashMap;

use mongodb::bson::DateTime;
use serde::Deserialize;

use super::transition::Standing;
use crate::{
    categories::model::Category,
    domain::{
        category_card::CategoryCard,
        excerpt::{excerpt_graphemes, post_excerpt},
        guess_lang::guess_lang,
        image::MediaAddress,
        markdown::{self, ImageSize, Profile, RenderError, Rendered},
        names::{self, NameError, Tag},
        site_time::{SiteZone, from_stored, to_stored},
        slug::{Slug, SlugStyle, slugify},
        text,
    },
    posts::{
        editing::EditedPost,
        model::{EXCERPT_CHARS, PostSource, PostStatus, Seo, TITLE_CHARS},
    },
    web::form_state::Mistake,
};

const MAX_SEO_CHARS: usize = 300;
const MAX_COVER_CHARS: usize = 300;

/// The fields as they arrive; a missing one is empty, an unchecked box too.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub struct PostForm {
    /// Of a post that is not stored yet: sent twice, the form makes one post.
    pub id: String,
    pub title: String,
    pub slug: String,
    /// Absent where a button alone was sent: then no text is changed.
    pub body: Option<String>,
    pub excerpt: String,
    pub tags: String,
    pub category: String,
    pub publish_at: String,
    pub cover: String,
    pub lang: String,
    pub seo_title: String,
    pub seo_description: String,
    pub noindex: String,
    pub comments: String,
    /// The version that the form was filled from.
    pub version: String,
    pub action: String,
}

/// A text and its settings as they may be stored.
#[derive(Debug, Clone)]
pub struct Written {
    pub title: String,
    /// May be taken: then it gets a number.
    pub slug: Slug,
    /// Markdown.
    pub source: String,
    pub rendered: Rendered,
    /// As typed; `None`: made from the text.
    pub own_excerpt: Option<String>,
    pub excerpt: String,
    pub cover_url: Option<String>,
    pub tags: Vec<Tag>,
    pub category: Option<CategoryCard>,
    pub seo: Seo,
    pub comments_open: bool,
    pub lang: String,
}

/// What a form is checked against.
pub struct Context {
    pub slug_style: SlugStyle,
    pub site_lang: &'static str,
    /// The title of a draft that has none.
    pub untitled: String,
    pub categories: Vec<Category>,
    /// The post as it is stored, if it is.
    pub before: Option<EditedPost>,
    /// For the ids of footnotes.
    pub post_id: String,
    /// What is known of the pictures in the text, by hash.
    pub images: HashMap<String, ImageSize>,
}

impl PostForm {
    /// The form of a stored post.
    #[must_use]
    pub fn of(post: &EditedPost, source: &PostSource, zone: &SiteZone, style: SlugStyle) -> Self {
        let shown_at = post.publish_at.or(post.published_at);
        let check = |is_on: bool| if is_on { "on".to_owned() } else { String::new() };
        Self {
            id: String::new(),
            title: post.title.clone(),
            slug: if follows_title(post, style) { String::new() } else { post.slug.clone() },
            body: Some(source.source.clone()),
            excerpt: source.excerpt.clone().unwrap_or_default(),
            tags: post.tags.join(", "),
            category: post.category.as_ref().map(|card| card.slug.clone()).unwrap_or_default(),
            publish_at: shown_at.map(|at| zone.form_value(from_stored(at))).unwrap_or_default(),
            cover: post.cover_url.clone().unwrap_or_default(),
            lang: post.lang.clone(),
            seo_title: post.seo.title.clone().unwrap_or_default(),
            seo_description: post.seo.description.clone().unwrap_or_default(),
            noindex: check(post.seo.noindex),
            comments: check(post.comments_open),
            version: post.version.to_string(),
            action: String::new(),
        }
    }

    /// An empty form for a new post.
    #[must_use]
    pub fn new(id: String) -> Self {
        Self { id, body: Some(String::new()), comments: "on".to_owned(), ..Self::default() }
    }

    /// The typed time. What the form showed, to the minute, means the stored time
    /// to the second.
    ///
    /// # Errors
    /// The mistake.
    pub fn time(&self, before: &Standing, zone: &SiteZone) -> Result<Option<DateTime>, Mistake> {
        let typed = zone
            .form_moment(&self.publish_at)
            .map_err(|_| Mistake::new("publish_at", "publish-at-odd"))?;
        let shown = before.publish_at.or(before.published_at);
        Ok(match (typed, shown) {
            (Some(typed), Some(shown))
                if zone.form_value(typed) == zone.form_value(from_stored(shown)) =>
            {
                Some(shown)
            }
            (typed, _) => typed.map(to_stored),
        })
    }

    /// Checks and renders what was typed. Takes a while for long texts.
    ///
    /// # Errors
    /// Every mistake at once.
    pub fn parse(&self, context: &Context) -> Result<Written, Vec<Mistake>> {
        let mut mistakes = Vec::new();
        let mut or_mistake = |field, key| mistakes.push(Mistake::new(field, key));
        let title = match names::tidy(&self.title) {
            title if title.chars().count() > TITLE_CHARS => {
                or_mistake("title", "title-too-long");
                title
            }
            title if title.is_empty() => context.untitled.clone(),
            title => title,
        };
        let own_excerpt = filled(&text::clean_line(&self.excerpt));
        if is_longer(own_excerpt.as_deref(), EXCERPT_CHARS) {
            or_mistake("excerpt", "excerpt-too-long");
        }
        let seo = Seo {
            title: filled(&names::tidy(&self.seo_title)),
            description: filled(&names::tidy(&self.seo_description)),
            noindex: !self.noindex.is_empty(),
        };
        if is_longer(seo.title.as_deref(), MAX_SEO_CHARS) {
            or_mistake("seo_title", "seo-too-long");
        }
        if is_longer(seo.description.as_deref(), MAX_SEO_CHARS) {
            or_mistake("seo_description", "seo-too-long");
        }
        let tags = Tag::parse_list(&self.tags).unwrap_or_else(|error| {
            or_mistake(
                "tags",
                if error == NameError::TooManyTags { "tags-too-many" } else { "tag-too-long" },
            );
            Vec::new()
        });
        let category = match context.categories.iter().find(|one| one.slug == self.category) {
            Some(found) => Some(found.card()),
            None if self.category.is_empty() => None,
            None => {
                or_mistake("category", "category-unknown");
                None
            }
        };
        let cover_url = filled(self.cover.trim());
        if cover_url.as_deref().is_some_and(|cover| !is_own_picture(cover)) {
            or_mistake("cover", "cover-odd");
        }
        let lang = filled(self.lang.trim());
        if lang.as_deref().is_some_and(|lang| !is_language(lang)) {
            or_mistake("lang", "lang-odd");
        }
        let source = text::clean_lines(self.body.as_deref().unwrap_or_default());
        let rendered = render(&source, context).unwrap_or_else(|key| {
            or_mistake("body", key);
            Rendered::default()
        });
        if !mistakes.is_empty() {
            return Err(mistakes);
        }
        let lang = lang
            .or_else(|| guess_lang(&format!("{title}\n{}", rendered.text)).map(str::to_owned))
            .unwrap_or_else(|| context.site_lang.to_owned());
        let excerpt = own_excerpt.clone().unwrap_or_else(|| made_excerpt(&rendered, &lang));
        let slug = self.slug_for(&title, context);
        let comments_open = !self.comments.is_empty();
        Ok(Written {
            title,
            slug,
            source,
            rendered,
            own_excerpt,
            excerpt,
            cover_url,
            tags,
            category,
            seo,
            comments_open,
            lang,
        })
    }

    /// A post that was public keeps its slug until another is typed; a draft's
    /// follows its title until one is typed.
    fn slug_for(&self, title: &str, context: &Context) -> Slug {
        let typed = self.slug.trim();
        let stored = context
            .before
            .as_ref()
            .and_then(|post| Slug::parse(&post.slug).map(|slug| (post, slug)));
        match stored {
            Some((_, slug)) if typed == slug.as_str() => slug,
            Some((post, slug)) if typed.is_empty() && was_public(post) => slug,
            _ if typed.is_empty() => slugify(title, &context.slug_style),
            _ => slugify(typed, &context.slug_style),
        }
    }
}

/// From the text. A grapheme may be many characters long (flags, families, stacked
/// marks), so fewer of them may have to do.
fn made_excerpt(rendered: &Rendered, lang: &str) -> String {
    let mut graphemes = excerpt_graphemes(lang);
    loop {
        let made = post_excerpt(rendered, graphemes);
        if made.chars().count() <= EXCERPT_CHARS {
            return made;
        }
        graphemes /= 2;
    }
}

/// What must be there before others read it.
///
/// # Errors
/// Every mistake at once.
pub fn check_public(form: &PostForm, written: &Written) -> Result<(), Vec<Mistake>> {
    let mut mistakes = Vec::new();
    if names::tidy(&form.title).is_empty() {
        mistakes.push(Mistake::new("title", "title-missing"));
    }
    if written.rendered.is_blank() {
        mistakes.push(Mistake::new("body", "post-body-missing"));
    }
    if mistakes.is_empty() { Ok(()) } else { Err(mistakes) }
}

/// Whether links to a post may be out there.
#[must_use]
pub fn was_public(post: &EditedPost) -> bool {
    post.published_at.is_some()
}

/// Whether others read a post of this status.
#[must_use]
pub fn is_public(status: PostStatus) -> bool {
    matches!(status, PostStatus::Published | PostStatus::Archived | PostStatus::Scheduled)
}

/// Whether a draft's slug was made from its title, perhaps with a number.
fn follows_title(post: &EditedPost, style: SlugStyle) -> bool {
    let made = slugify(&post.title, &style);
    let is_made = post.slug.strip_prefix(made.as_str()).is_some_and(|rest| {
        rest.is_empty() || rest.strip_prefix('-').is_some_and(|n| n.parse::<u32>().is_ok())
    });
    !was_public(post) && is_made
}

fn render(source: &str, context: &Context) -> Result<Rendered, &'static str> {
    let profile = Profile::Post { id: context.post_id.clone() };
    let image_size = |address: &str| {
        MediaAddress::parse(address).and_then(|parsed| context.images.get(parsed.hash).cloned())
    };
    markdown::render_with_images(source, &profile, &image_size).map_err(|error| match error {
        RenderError::TooLarge { .. } => "post-too-long",
        RenderError::OutputTooLarge { .. } | RenderError::TooComplex => "body-too-complex",
    })
}

fn filled(text: &str) -> Option<String> {
    (!text.is_empty()).then(|| text.to_owned())
}

fn is_longer(text: Option<&str>, max_chars: usize) -> bool {
    text.is_some_and(|text| text.chars().count() > max_chars)
}

/// Pages load pictures of this site only.
fn is_own_picture(path: &str) -> bool {
    (path.starts_with("/media/") || path.starts_with("/static/"))
        && path.len() <= MAX_COVER_CHARS
        && !path.contains("..")
        && path.bytes().all(|b| b.is_ascii_alphanumeric() || b"/-_.".contains(&b))
}

/// The shape of a language tag (RFC 5646): letters and digits in parts of at most
/// eight, the first of letters.
fn is_language(tag: &str) -> bool {
    let mut parts = tag.split('-');
    let is_first =
        |part: &str| (2..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphabetic());
    let is_next = |part: &str| {
        (1..=8).contains(&part.len()) && part.bytes().all(|b| b.is_ascii_alphanumeric())
    };
    tag.len() <= 35 && parts.next().is_some_and(is_first) && parts.all(is_next)
}
