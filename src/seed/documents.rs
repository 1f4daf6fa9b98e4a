//! Sample content turned into documents, with every count and copy right.

use std::collections::BTreeMap;

use anyhow::{Context, ensure};
use mongodb::bson::{Document, doc, oid::ObjectId};

use super::{
    content::{Content, Person, SampleComment, SamplePost},
    neighbours::link_neighbours,
};
use crate::{
    archive::model::ArchiveMonth,
    categories::model::Category,
    comments::{actions, forms::NewComment, model::Comment},
    domain::{
        comment_card::{CommentCard, Commenter, LATEST_COMMENTS},
        excerpt::post_excerpt,
        markdown::{self, Profile},
        month::Month,
        names::UserName,
        site_time::SiteZone,
        text,
    },
    posts::model::{
        CategoryCard, Post, PostBody, PostSource, PostStatus, SCHEMA_VERSION, Seo, Stats,
    },
    tags::model::Tag,
    users::model::{User, UserStats, UserStatus},
};

/// Best-liked comments that a post carries.
const TOP_COMMENTS: usize = 3;

/// Characters of an excerpt that is made from the text: about three lines on a
/// card.
fn excerpt_graphemes(lang: &str) -> usize {
    if lang.starts_with("zh") { 100 } else { 180 }
}

/// All documents, by collection.
pub struct Documents {
    pub users: Vec<User>,
    pub categories: Vec<Category>,
    pub tags: Vec<Tag>,
    pub archive_months: Vec<ArchiveMonth>,
    pub posts: Vec<Post>,
    pub bodies: Vec<PostBody>,
    pub sources: Vec<PostSource>,
    pub addresses: Vec<Document>,
    pub comments: Vec<Comment>,
}

/// What an id is of; part of the id, so that no two meet.
#[derive(Clone, Copy)]
enum Kind {
    User = 1,
    Category = 2,
    Post = 3,
    Comment = 4,
}

/// An id made of a time, a kind and a number: the same each time.
fn id_of(kind: Kind, at: mongodb::bson::DateTime, number: usize) -> ObjectId {
    let seconds = u32::try_from(at.timestamp_millis() / 1000).unwrap_or_default();
    let number = u32::try_from(number).unwrap_or(u32::MAX);
    let (s, n) = (seconds.to_be_bytes(), number.to_be_bytes());
    let [s0, s1, s2, s3] = s;
    let [n0, n1, n2, n3] = n;
    ObjectId::from_bytes([s0, s1, s2, s3, b's', b'e', b'e', kind as u8, n0, n1, n2, n3])
}

impl Documents {
    /// Months are counted in `zone`.
    ///
    /// # Errors
    /// A file names a person, category or comment that is not there.
    pub fn from_content(content: &Content, zone: &SiteZone) -> anyhow::Result<Self> {
        let mut users: Vec<User> = content.people.iter().enumerate().map(user).collect();
        let mut categories: Vec<Category> = content
            .categories
            .iter()
            .enumerate()
            .map(|(index, shelf)| Category {
                id: id_of(Kind::Category, mongodb::bson::DateTime::from_millis(0), index),
                slug: shelf.slug.clone(),
                name: shelf.name.clone(),
                description: shelf.description.clone(),
                parent_id: None,
                order: i32::try_from(index).unwrap_or(i32::MAX),
                post_count: 0,
            })
            .collect();
        let mut made = Made::default();
        for (index, sample) in content.posts.iter().enumerate() {
            made.add_post(index, sample, &users, &categories)
                .with_context(|| format!("the sample post {}", sample.slug))?;
        }
        let Made { mut posts, mut bodies, sources, comments } = made;
        link_neighbours(&mut posts, &mut bodies);
        let mut tags: BTreeMap<String, i64> = BTreeMap::new();
        let mut months: BTreeMap<Month, i64> = BTreeMap::new();
        for post in &posts {
            if let Some(at) = post.published_at {
                *months.entry(Month::of(at, zone)).or_default() += 1;
            }
            for tag in &post.tags {
                *tags.entry(tag.clone()).or_default() += 1;
            }
            for user in users.iter_mut().filter(|user| user.id == post.author.id) {
                user.stats.posts += 1;
                user.stats.likes_received += post.stats.likes;
            }
            let shelf = post.category.as_ref().map(|category| category.id);
            for category in categories.iter_mut().filter(|category| Some(category.id) == shelf) {
                category.post_count += 1;
            }
        }
        let tags = tags
            .into_iter()
            .map(|(id, post_count)| Tag { display: id.clone(), id, post_count })
            .collect();
        let archive_months = months
            .into_iter()
            .map(|(month, post_count)| ArchiveMonth { month, post_count })
            .collect();
        let addresses = addresses(&posts, &users, &categories);
        Ok(Self {
            users,
            categories,
            tags,
            archive_months,
            posts,
            bodies,
            sources,
            addresses,
            comments,
        })
    }
}

fn user((index, person): (usize, &Person)) -> User {
    User {
        id: id_of(Kind::User, person.joined.0, index),
        username: person.username.clone(),
        username_key: UserName::normal(&person.username),
        name: person.name.clone(),
        avatar: None,
        bio: person.bio.clone(),
        city: person.city.clone(),
        website: None,
        role: person.role,
        status: UserStatus::Active,
        card_version: 1,
        stats: UserStats::default(),
        created_at: person.joined.0,
    }
}

/// Every address that leads to something, as publishing would reserve it.
fn addresses(posts: &[Post], users: &[User], categories: &[Category]) -> Vec<Document> {
    let address = |kind: &str, name: &str, target: ObjectId, at| {
        doc! { "_id": format!("{kind}/{name}"), "target": target, "kind": kind, "current": true, "at": at }
    };
    let mut all: Vec<Document> =
        posts.iter().map(|post| address("p", &post.slug, post.id, post.created_at)).collect();
    all.extend(users.iter().map(|user| address("u", &user.username_key, user.id, user.created_at)));
    let epoch = mongodb::bson::DateTime::from_millis(0);
    all.extend(categories.iter().map(|c| address("c", &c.slug, c.id, epoch)));
    all
}

#[derive(Default)]
struct Made {
    posts: Vec<Post>,
    bodies: Vec<PostBody>,
    sources: Vec<PostSource>,
    comments: Vec<Comment>,
}

impl Made {
    fn add_post(
        &mut self,
        index: usize,
        sample: &SamplePost,
        users: &[User],
        categories: &[Category],
    ) -> anyhow::Result<()> {
        let author = find_user(users, &sample.author)?;
        let category = categories
            .iter()
            .find(|category| category.slug == sample.category)
            .with_context(|| format!("there is no category {}", sample.category))?;
        let at = sample.date.0;
        let id = id_of(Kind::Post, at, index);
        let rendered = markdown::render(&sample.body, &Profile::Post { id: id.to_hex() })?;
        let length = rendered.word_count;
        let excerpt = sample
            .excerpt
            .clone()
            .unwrap_or_else(|| post_excerpt(&rendered, excerpt_graphemes(&sample.lang)));
        let thread = comments(id, index, &sample.comments, users)?;
        self.bodies.push(PostBody {
            id,
            slug: sample.slug.clone(),
            html: rendered.html,
            toc: rendered.toc,
            renderer_version: markdown::RENDERER_VERSION,
            author_bio: author.bio.clone(),
            prev: None,
            next: None,
            related: Vec::new(),
            updated_at: at,
        });
        self.sources.push(PostSource {
            id,
            source: sample.body.clone(),
            format: "markdown".to_owned(),
        });
        self.posts.push(Post {
            id,
            slug: sample.slug.clone(),
            title: sample.title.clone(),
            excerpt,
            cover_url: sample.cover.as_ref().map(|name| format!("/static/covers/{name}.webp")),
            status: PostStatus::Published,
            published_at: Some(at),
            created_at: at,
            updated_at: at,
            author: author.card(),
            category: Some(CategoryCard {
                id: category.id,
                slug: category.slug.clone(),
                name: category.name.clone(),
            }),
            tags: sample.tags.clone(),
            seo: Seo::default(),
            stats: Stats {
                views: sample.views,
                likes: sample.likes,
                comments: i64::try_from(thread.comments.len())?,
                bookmarks: 0,
            },
            hot_score: 0.0,
            latest_comments: thread.latest,
            top_comments: thread.top,
            reading_minutes: i64::from(length.minutes),
            word_count: i64::from(length.words),
            comments_open: true,
            lang: sample.lang.clone(),
            version: 1,
            schema_version: SCHEMA_VERSION,
        });
        self.comments.extend(thread.comments);
        Ok(())
    }
}

fn find_user<'a>(users: &'a [User], username: &str) -> anyhow::Result<&'a User> {
    users
        .iter()
        .find(|user| user.username == username)
        .with_context(|| format!("there is nobody called {username}"))
}

/// The comments of one post and the copies that the post carries.
struct Thread {
    comments: Vec<Comment>,
    latest: Vec<CommentCard>,
    top: Vec<CommentCard>,
}

fn comments(
    post_id: ObjectId,
    post_index: usize,
    samples: &[SampleComment],
    users: &[User],
) -> anyhow::Result<Thread> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut cards: Vec<CommentCard> = Vec::new();
    for (index, sample) in samples.iter().enumerate() {
        let author = match (&sample.by, &sample.name) {
            (Some(username), None) => Commenter::Member(find_user(users, username)?.card()),
            (None, Some(name)) => {
                Commenter::Guest { name: name.clone(), website: sample.website.clone() }
            }
            _ => anyhow::bail!("comment {}: either `by` or `name`", index + 1),
        };
        let parent = match sample.reply_to {
            None => None,
            Some(number) => Some(
                number
                    .checked_sub(1)
                    .and_then(|parent| comments.get(parent))
                    .map(|parent| (parent.id, parent.ancestors.clone()))
                    .with_context(|| format!("comment {}: reply_to", index + 1))?,
            ),
        };
        // Its place in the file keeps ids apart and in order within one minute.
        let id = id_of(Kind::Comment, sample.date.0, post_index * 1000 + index);
        ensure!(comments.last().is_none_or(|last| last.id < id), "comment {}: date", index + 1);
        let body = text::clean_lines(&sample.body);
        let rendered = markdown::render(&body, &Profile::Comment { id: id.to_hex() })?;
        let new = NewComment { author, email: None, body, rendered };
        let parent_ref = parent.as_ref().map(|(id, above)| (*id, above.as_slice()));
        let (mut comment, card) = actions::build(id, post_id, parent_ref, new, sample.date.0);
        comment.likes = sample.likes;
        if let Some(parent) = comments.iter_mut().find(|c| Some(c.id) == comment.parent_id) {
            parent.reply_count += 1;
        }
        cards.push(card);
        comments.push(comment);
    }
    let mut liked: Vec<(i64, &CommentCard)> =
        comments.iter().map(|comment| comment.likes).zip(&cards).filter(|(n, _)| *n > 0).collect();
    liked.sort_by_key(|(likes, card)| std::cmp::Reverse((*likes, card.id)));
    let top = liked
        .into_iter()
        .take(TOP_COMMENTS)
        .map(|(likes, card)| CommentCard { likes: Some(likes), ..card.clone() })
        .collect();
    let count = usize::try_from(LATEST_COMMENTS)?;
    let latest = cards.iter().rev().take(count).cloned().collect();
    Ok(Thread { comments, latest, top })
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn made_in(zone: &str) -> Documents {
        let zone = SiteZone::parse(zone).unwrap();
        Documents::from_content(&Content::load().unwrap(), &zone).unwrap()
    }

    #[test]
    fn the_sample_is_whole_and_always_the_same() {
        let (made, again) = (made_in("Asia/Shanghai"), made_in("Asia/Shanghai"));
        assert_eq!(made.posts, again.posts);
        assert_eq!(made.comments, again.comments);
        assert_eq!(made.users.len(), 6);
        assert!(made.posts.len() >= 60 && made.comments.len() >= 400);
        let slugs: HashSet<_> = made.posts.iter().map(|post| &post.slug).collect();
        assert_eq!(slugs.len(), made.posts.len());
        let ids: HashSet<_> = made.comments.iter().map(|comment| comment.id).collect();
        assert_eq!(ids.len(), made.comments.len());
    }

    #[test]
    fn counts_and_copies_agree_with_the_comments() {
        let made = made_in("Asia/Shanghai");
        for post in &made.posts {
            let mut of_post: Vec<_> =
                made.comments.iter().filter(|comment| comment.post_id == post.id).collect();
            assert_eq!(post.stats.comments, i64::try_from(of_post.len()).unwrap());
            of_post.sort_by_key(|comment| std::cmp::Reverse((comment.created_at, comment.id)));
            let newest: Vec<_> = of_post.iter().take(5).map(|comment| comment.id).collect();
            let embedded: Vec<_> = post.latest_comments.iter().map(|card| card.id).collect();
            assert_eq!(embedded, newest, "{}", post.slug);
            for comment in &of_post {
                let replies = of_post.iter().filter(|c| c.parent_id == Some(comment.id)).count();
                assert_eq!(comment.reply_count, i64::try_from(replies).unwrap());
            }
        }
    }
    #[test]
    fn months_hold_the_posts_that_readers_see_in_them() {
        for name in ["Asia/Shanghai", "America/Los_Angeles"] {
            let zone = SiteZone::parse(name).unwrap();
            let made = made_in(name);
            for entry in &made.archive_months {
                let range = entry.month.range(&zone);
                let is_within = |at| range.first <= at && at <= range.last;
                let posts =
                    made.posts.iter().filter(|post| post.published_at.is_some_and(is_within));
                assert_eq!(entry.post_count, i64::try_from(posts.count()).unwrap());
            }
            let counted: i64 = made.archive_months.iter().map(|entry| entry.post_count).sum();
            assert_eq!(counted, i64::try_from(made.posts.len()).unwrap());
        }
    }
}
