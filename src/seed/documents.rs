//! From a post with its thread to the documents that hold it.

use mongodb::bson::{DateTime, oid::ObjectId};

use super::{
    content::Shelf,
    ids::{Kind, Set},
    threads::Thread,
};
use crate::{
    addresses::model::{self, Address},
    categories::model::Category,
    comments::model::Comment,
    domain::{
        excerpt::{excerpt_graphemes, post_excerpt},
        markdown::{self, Rendered},
    },
    posts::model::{Post, PostBody, PostSource, PostStatus, SCHEMA_VERSION, Seo, Stats},
    users::model::User,
};

/// Posts and all that belongs to them, by collection.
#[derive(Debug, Default)]
pub struct Documents {
    pub posts: Vec<Post>,
    pub bodies: Vec<PostBody>,
    pub sources: Vec<PostSource>,
    pub addresses: Vec<Address>,
    pub comments: Vec<Comment>,
}

/// A published post to be.
pub struct NewPost<'a> {
    pub id: ObjectId,
    pub slug: String,
    pub title: String,
    pub lang: &'a str,
    pub at: DateTime,
    pub author: &'a User,
    pub category: &'a Category,
    pub tags: Vec<String>,
    /// Name of a picture under `static/covers/`, without its ending.
    pub cover: Option<&'a str>,
    /// Without one, it is made from the text.
    pub excerpt: Option<String>,
    pub source: &'a str,
    pub rendered: &'a Rendered,
    pub views: i64,
    pub likes: i64,
    pub hot_score: f64,
    pub prev: Option<ObjectId>,
    pub next: Option<ObjectId>,
    pub related: Vec<ObjectId>,
    pub thread: Thread,
}

impl Documents {
    pub fn add(&mut self, new: NewPost) {
        self.addresses.push(Address::first(model::Kind::Post, &new.slug, new.id, new.at));
        self.bodies.push(PostBody {
            id: new.id,
            slug: new.slug.clone(),
            html: new.rendered.html.clone(),
            toc: new.rendered.toc.clone(),
            renderer_version: markdown::RENDERER_VERSION,
            author_bio: new.author.bio.clone(),
            prev: new.prev,
            next: new.next,
            related: new.related,
            updated_at: new.at,
        });
        self.sources.push(PostSource {
            id: new.id,
            source: new.source.to_owned(),
            format: "markdown".to_owned(),
            excerpt: None,
            preview: None,
        });
        self.posts.push(Post {
            id: new.id,
            slug: new.slug,
            title: new.title,
            excerpt: new
                .excerpt
                .unwrap_or_else(|| post_excerpt(new.rendered, excerpt_graphemes(new.lang))),
            cover_url: new.cover.map(|name| format!("/static/covers/{name}.webp")),
            status: PostStatus::Published,
            published_at: Some(new.at),
            publish_at: None,
            created_at: new.at,
            updated_at: new.at,
            author: new.author.card(),
            category: Some(new.category.card()),
            tags: new.tags,
            seo: Seo::default(),
            stats: Stats {
                views: new.views,
                likes: new.likes,
                comments: i64::try_from(new.thread.comments.len()).unwrap_or(i64::MAX),
                bookmarks: 0,
            },
            hot_score: new.hot_score,
            latest_comments: new.thread.latest(),
            top_comments: new.thread.best(),
            reading_minutes: i64::from(new.rendered.word_count.minutes),
            word_count: i64::from(new.rendered.word_count.words),
            comments_open: true,
            lang: new.lang.to_owned(),
            version: 1,
            schema_version: SCHEMA_VERSION,
        });
        self.comments.extend(new.thread.comments);
    }
}

/// The categories, which sample and bulk share.
pub fn categories(shelves: &[Shelf]) -> Vec<Category> {
    let category = |(index, shelf): (usize, &Shelf)| Category {
        id: Set::Sample.id(Kind::Category, DateTime::from_millis(0), index),
        slug: shelf.slug.clone(),
        name: shelf.name.clone(),
        description: shelf.description.clone(),
        parent_id: None,
        order: i32::try_from(index).unwrap_or(i32::MAX),
        post_count: 0,
    };
    shelves.iter().enumerate().map(category).collect()
}
