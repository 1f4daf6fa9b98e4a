//! Documents for tests, right in every count.

use inkstone::{
    db::Db,
    domain::{author_card::AuthorCard, markdown, markdown::Profile},
    posts::{
        collection,
        model::{Post, PostBody, PostStatus, SCHEMA_VERSION, Seo, Stats},
    },
};
use mongodb::bson::{DateTime, oid::ObjectId};

use super::app::NOW;

pub fn author() -> AuthorCard {
    AuthorCard {
        id: ObjectId::from_bytes(*b"author-linmo"),
        username: "linmo".to_owned(),
        name: "林墨".to_owned(),
        avatar: None,
        v: 1,
    }
}

/// A published post of the time of [`NOW`]; change what matters.
pub fn post(slug: &str) -> Post {
    let at = DateTime::from_millis(NOW);
    Post {
        id: ObjectId::new(),
        slug: slug.to_owned(),
        title: format!("Title of {slug}"),
        excerpt: format!("Excerpt of {slug}"),
        cover_url: None,
        status: PostStatus::Published,
        published_at: Some(at),
        publish_at: None,
        created_at: at,
        updated_at: at,
        author: author(),
        category: None,
        tags: Vec::new(),
        seo: Seo::default(),
        stats: Stats::default(),
        hot_score: 0.0,
        latest_comments: Vec::new(),
        top_comments: Vec::new(),
        reading_minutes: 1,
        word_count: 3,
        comments_open: true,
        lang: "en".to_owned(),
        version: 1,
        schema_version: SCHEMA_VERSION,
    }
}

pub fn body_of(post: &Post) -> PostBody {
    let source = format!("Body of {}", post.slug);
    let rendered = markdown::render(&source, &Profile::Post { id: post.id.to_hex() }).unwrap();
    PostBody {
        id: post.id,
        slug: post.slug.clone(),
        html: rendered.html,
        toc: rendered.toc,
        renderer_version: markdown::RENDERER_VERSION,
        author_bio: "Writes.".to_owned(),
        prev: None,
        next: None,
        related: Vec::new(),
        updated_at: post.updated_at,
    }
}

pub async fn insert(db: &Db, posts: &[Post]) {
    let bodies: Vec<PostBody> = posts.iter().map(body_of).collect();
    collection::contents(db).insert_many(&bodies).await.unwrap();
    collection::posts(db).insert_many(posts).await.unwrap();
}

/// A published post in the database.
pub async fn published(db: &Db, slug: &str) -> Post {
    let post = post(slug);
    insert(db, std::slice::from_ref(&post)).await;
    post
}
