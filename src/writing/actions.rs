//! Saving a post: the write that spans the post and everything that knows of it.

use mongodb::bson::{DateTime, doc, oid::ObjectId, serialize_to_bson};

use super::{
    counts::{Counted, move_counts},
    forms::Written,
    neighbours::relink,
    transition::Standing,
};
use crate::{
    addresses::{self, commands::Reservation, model::Kind},
    db::{
        DbError,
        transaction::{self, Steps, Tx, TxError},
    },
    domain::{
        author_card::AuthorCard, category_card::CategoryCard, image::hashes_in,
        markdown::RENDERER_VERSION, month::Month, names::Tag, site_time::SiteZone, slug::Slug,
    },
    media,
    posts::{
        self,
        editing::{EditedPost, Reach},
        model::{Post, PostBody, PostSource, PostStatus, SCHEMA_VERSION, Stats},
    },
    revisions::{self, model::Revision},
    state::AppState,
    tags::model::TagName,
};

/// Names of one slug tried before giving up.
const MOST_NUMBERS: u32 = 10_000;

/// Attempts to get a slug that others take at the same time.
const MOST_ATTEMPTS: usize = 50;

/// What is to become of a post.
pub struct Order {
    pub post_id: ObjectId,
    /// The post as whoever saves it saw it; `None`: it is new.
    pub before: Option<EditedPost>,
    pub reach: Reach,
    pub by: AuthorCard,
    pub standing: Standing,
    /// `None`: the text stays.
    pub written: Option<Written>,
    /// The stored Markdown, to see whether the text changes.
    pub source_before: Option<String>,
    /// Of the author, for below the text; of a new post.
    pub author_bio: String,
}

impl Order {
    fn version(&self) -> i64 {
        self.before.as_ref().map_or(1, |before| before.version + 1)
    }

    /// Whether there is a text that no revision holds yet.
    fn is_new_text(&self, written: &Written) -> bool {
        let is_same_title = self.before.as_ref().is_some_and(|post| post.title == written.title);
        !is_same_title || self.source_before.as_ref() != Some(&written.source)
    }
}

/// Why nothing was changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Somebody else saved meanwhile, or the post is gone.
    Changed,
    /// Another post has the slug.
    SlugTaken,
    /// The category is gone.
    NoCategory,
}

/// A post as it is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    pub slug: String,
    pub version: i64,
}

/// Saves a post with everything that must change with it: all or nothing.
///
/// # Errors
/// [`TxError::Refused`] says why; [`DbError::Duplicate`] of `_id_` if a new post
/// was stored before; otherwise the database did not answer.
pub async fn save(state: &AppState, order: Order) -> Result<Saved, TxError<Refusal>> {
    let turn = state.post_locks.lock(order.post_id).await;
    let (post_id, old, new) = (order.post_id, old_place(&order), new_place(&order));
    let saved = with_free_slug(state, order).await;
    drop(turn);
    let saved = saved?;
    state.slugs.given(&saved.slug);
    if old != new
        && let Err(error) = relink(&state.db, post_id, old, new).await
    {
        // The post is saved; its neighbours are named at the next change.
        tracing::error!(post = %post_id, cause = error.chain(), "neighbours are not renewed");
    }
    Ok(saved)
}

/// Tries numbers until one is free. The transaction decides; the reads before it
/// only save attempts.
async fn with_free_slug(state: &AppState, order: Order) -> Result<Saved, TxError<Refusal>> {
    let now = state.clock.now();
    let wanted = order.written.as_ref().map(|written| written.slug.clone());
    let mut steps = Save {
        order,
        now,
        zone: state.site.zone.clone(),
        revision_id: state.clock.new_id(),
        slug: String::new(),
    };
    let Some(wanted) = wanted else {
        steps.slug = steps.order.before.as_ref().map(|post| post.slug.clone()).unwrap_or_default();
        return transaction::run(&state.db, &steps).await;
    };
    let mut number = 1;
    for _ in 0..MOST_ATTEMPTS {
        let (slug, at) = free_slug(state, &wanted, number, steps.order.post_id).await?;
        steps.slug = slug;
        match transaction::run(&state.db, &steps).await {
            Err(TxError::Refused(Refusal::SlugTaken)) => number = at + 1,
            Err(TxError::Db(DbError::Duplicate { index, .. })) if index == "slug" => {
                number = at + 1;
            }
            outcome => return outcome,
        }
    }
    Err(TxError::Refused(Refusal::SlugTaken))
}

/// The first slug from a number on that is free or the post's own, with its number.
async fn free_slug(
    state: &AppState,
    wanted: &Slug,
    from: u32,
    post_id: ObjectId,
) -> Result<(String, u32), TxError<Refusal>> {
    for number in from..MOST_NUMBERS {
        let slug = if number == 1 { wanted.clone() } else { wanted.numbered(number) };
        let owner = addresses::queries::resolve(&state.db, Kind::Post, slug.as_str()).await?;
        if owner.is_none_or(|address| address.target == post_id) {
            return Ok((slug.as_str().to_owned(), number));
        }
    }
    Err(TxError::Refused(Refusal::SlugTaken))
}

struct Save {
    order: Order,
    now: DateTime,
    zone: SiteZone,
    revision_id: ObjectId,
    slug: String,
}

impl Steps for Save {
    type Done = Saved;
    type Refusal = Refusal;

    /// The post first: whoever changes it has the others wait before they have
    /// written anything.
    async fn run(&self, tx: &mut Tx) -> Result<Saved, TxError<Refusal>> {
        let order = &self.order;
        match &order.before {
            None => self.insert(tx).await?,
            Some(before) => {
                let seen = (order.post_id, before.version, order.reach);
                if !posts::commands::change(tx, seen, self.changes()?).await? {
                    return Err(TxError::Refused(Refusal::Changed));
                }
            }
        }
        self.take_address(tx).await?;
        if let Some(written) = &order.written {
            self.store_text(tx, written).await?;
        }
        move_counts(tx, self.counted_before().as_ref(), self.counted_after().as_ref()).await?;
        Ok(Saved { slug: self.slug.clone(), version: order.version() })
    }
}

impl Save {
    async fn insert(&self, tx: &mut Tx) -> Result<(), DbError> {
        let Some(written) = &self.order.written else { return Ok(()) };
        let standing = self.order.standing;
        posts::commands::insert(
            tx,
            &Post {
                id: self.order.post_id,
                slug: self.slug.clone(),
                title: written.title.clone(),
                excerpt: written.excerpt.clone(),
                cover_url: written.cover_url.clone(),
                status: standing.status,
                published_at: standing.published_at,
                publish_at: standing.publish_at,
                created_at: self.now,
                updated_at: self.now,
                author: self.order.by.clone(),
                category: written.category.clone(),
                tags: tag_names(written),
                seo: written.seo.clone(),
                stats: Stats::default(),
                hot_score: 0.0,
                latest_comments: Vec::new(),
                top_comments: Vec::new(),
                reading_minutes: i64::from(written.rendered.word_count.minutes),
                word_count: i64::from(written.rendered.word_count.words),
                comments_open: written.comments_open,
                lang: written.lang.clone(),
                version: 1,
                schema_version: SCHEMA_VERSION,
            },
        )
        .await
    }

    /// What a save sets on a stored post.
    fn changes(&self) -> Result<mongodb::bson::Document, DbError> {
        let standing = self.order.standing;
        let mut set = doc! {
            "status": standing.status.name(),
            "publishedAt": standing.published_at,
            "updatedAt": self.now,
        };
        if let Some(written) = &self.order.written {
            set.extend(doc! {
                "slug": &self.slug,
                "title": &written.title,
                "excerpt": &written.excerpt,
                "coverUrl": written.cover_url.as_deref(),
                "category": serialize_to_bson(&written.category).map_err(DbError::from)?,
                "tags": tag_names(written),
                "seo": serialize_to_bson(&written.seo).map_err(DbError::from)?,
                "readingMinutes": i64::from(written.rendered.word_count.minutes),
                "wordCount": i64::from(written.rendered.word_count.words),
                "commentsOpen": written.comments_open,
                "lang": &written.lang,
            });
        }
        set.insert("publishAt", standing.publish_at);
        Ok(set)
    }

    /// An address that was public stays the post's for good and redirects.
    async fn take_address(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        let (id, before) = (self.order.post_id, self.order.before.as_ref());
        if before.is_some_and(|post| post.slug == self.slug) {
            return Ok(());
        }
        if addresses::commands::reserve(tx, Kind::Post, &self.slug, id).await? == Reservation::Taken
        {
            return Err(TxError::Refused(Refusal::SlugTaken));
        }
        addresses::commands::make_current(tx, Kind::Post, &self.slug, id).await?;
        if let Some(post) = before.filter(|post| post.published_at.is_none()) {
            addresses::commands::give_back(tx, Kind::Post, &post.slug, id).await?;
        }
        Ok(())
    }

    async fn store_text(&self, tx: &mut Tx, written: &Written) -> Result<(), DbError> {
        let id = self.order.post_id;
        posts::commands::put_body(
            tx,
            &PostBody {
                id,
                slug: self.slug.clone(),
                html: written.rendered.html.clone(),
                toc: written.rendered.toc.clone(),
                renderer_version: RENDERER_VERSION,
                author_bio: self.order.author_bio.clone(),
                prev: None,
                next: None,
                related: Vec::new(),
                updated_at: self.now,
            },
        )
        .await?;
        posts::commands::put_source(
            tx,
            &PostSource {
                id,
                source: written.source.clone(),
                format: "markdown".to_owned(),
                excerpt: written.own_excerpt.clone(),
                preview: None,
            },
        )
        .await?;
        let before = self.pictures_before();
        let after = pictures(&written.source, written.cover_url.as_deref());
        media::commands::set_used_in(tx, id, &before, &after).await?;
        if !self.order.is_new_text(written) {
            return Ok(());
        }
        revisions::commands::insert(
            tx,
            &Revision {
                id: self.revision_id,
                post_id: id,
                version: self.order.version(),
                title: written.title.clone(),
                source: written.source.clone(),
                by: self.order.by.id,
                at: self.now,
            },
        )
        .await
    }

    fn pictures_before(&self) -> Vec<String> {
        let cover = self.order.before.as_ref().and_then(|post| post.cover_url.as_deref());
        pictures(self.order.source_before.as_deref().unwrap_or_default(), cover)
    }

    fn counted_before(&self) -> Option<Counted> {
        let post = self.order.before.as_ref()?;
        self.counted(post.status, post.published_at, stored_tags(post), post.category.as_ref())
    }

    fn counted_after(&self) -> Option<Counted> {
        let standing = self.order.standing;
        let (tags, category) = match (&self.order.written, &self.order.before) {
            (Some(written), _) => (typed_tags(written), written.category.as_ref()),
            (None, Some(post)) => (stored_tags(post), post.category.as_ref()),
            (None, None) => return None,
        };
        self.counted(standing.status, standing.published_at, tags, category)
    }

    /// Only published posts count.
    fn counted(
        &self,
        status: PostStatus,
        published_at: Option<DateTime>,
        tags: Vec<TagName>,
        category: Option<&CategoryCard>,
    ) -> Option<Counted> {
        let at = published_at.filter(|_| status == PostStatus::Published)?;
        let before = self.order.before.as_ref();
        Some(Counted {
            author: before.map_or(self.order.by.id, |post| post.author.id),
            category: category.map(|card| card.id),
            tags,
            month: Month::of(at, &self.zone),
        })
    }
}

/// Hashes of the pictures in a text and of its cover.
fn pictures(source: &str, cover: Option<&str>) -> Vec<String> {
    hashes_in(&format!("{source}\n{}", cover.unwrap_or_default()))
}

/// How a tag was typed first is known to `tags`.
fn stored_tags(post: &EditedPost) -> Vec<TagName> {
    post.tags.iter().map(|tag| TagName { id: tag.clone(), display: tag.clone() }).collect()
}

fn typed_tags(written: &Written) -> Vec<TagName> {
    let name = |tag: &Tag| TagName { id: tag.name.clone(), display: tag.display.clone() };
    written.tags.iter().map(name).collect()
}

fn tag_names(written: &Written) -> Vec<String> {
    written.tags.iter().map(|tag| tag.name.clone()).collect()
}

/// Where the post stood in the list of all, if it did.
fn old_place(order: &Order) -> Option<DateTime> {
    let post = order.before.as_ref()?;
    post.published_at.filter(|_| post.status == PostStatus::Published)
}

/// Where it is to stand.
fn new_place(order: &Order) -> Option<DateTime> {
    let standing = order.standing;
    standing.published_at.filter(|_| standing.status == PostStatus::Published)
}
