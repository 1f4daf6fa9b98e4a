//! The sample files turned into documents.

use anyhow::{Context, ensure};
use mongodb::bson::oid::ObjectId;

use super::{
    content::{Content, Person, SampleComment, SamplePost},
    documents::{self, Documents, NewPost},
    ids::{Kind, Set},
    neighbours::link_neighbours,
    settle::settle,
    threads::{Entry, Thread},
    write,
};
use crate::{
    categories::model::Category,
    db::{Db, DbError},
    domain::{
        comment_card::Commenter,
        markdown::{self, Profile},
        names::UserName,
        site_time::SiteZone,
        text,
    },
    users::model::{User, UserStats, UserStatus},
};

/// All documents of the sample.
pub struct Sample {
    pub users: Vec<User>,
    pub categories: Vec<Category>,
    pub documents: Documents,
}

impl Sample {
    /// # Errors
    /// A file cannot be read, or names a person, category or comment that is not
    /// there.
    pub fn load() -> anyhow::Result<Self> {
        let content = Content::load()?;
        let users: Vec<User> = content.people.iter().enumerate().map(user).collect();
        let categories = documents::categories(&content.categories);
        let mut documents = Documents::default();
        for (index, sample) in content.posts.iter().enumerate() {
            add_post(&mut documents, index, sample, &users, &categories)
                .with_context(|| format!("the sample post {}", sample.slug))?;
        }
        link_neighbours(&mut documents.posts, &mut documents.bodies);
        Ok(Self { users, categories, documents })
    }

    /// Writes everything; the users last, since their being there says that the
    /// rest is. Months are counted in `zone`.
    ///
    /// # Errors
    /// [`DbError`] when the database does not answer or refuses a document.
    pub async fn write(self, db: &Db, zone: &SiteZone) -> Result<(), DbError> {
        write::categories(db, &self.categories).await?;
        write::documents(db, &self.documents).await?;
        let totals = settle(db, zone).await?;
        write::users(db, self.users, &totals).await
    }
}

fn user((index, person): (usize, &Person)) -> User {
    User {
        id: Set::Sample.id(Kind::User, person.joined.0, index),
        username: person.username.clone(),
        username_key: UserName::normal(&person.username),
        email: None,
        email_key: None,
        password_hash: None,
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

fn add_post(
    documents: &mut Documents,
    index: usize,
    sample: &SamplePost,
    users: &[User],
    categories: &[Category],
) -> anyhow::Result<()> {
    let at = sample.date.0;
    let id = Set::Sample.id(Kind::Post, at, index);
    let category = categories
        .iter()
        .find(|category| category.slug == sample.category)
        .with_context(|| format!("there is no category {}", sample.category))?;
    documents.add(NewPost {
        id,
        slug: sample.slug.clone(),
        title: sample.title.clone(),
        lang: &sample.lang,
        at,
        author: find_user(users, &sample.author)?,
        category,
        tags: sample.tags.clone(),
        cover: sample.cover.as_deref(),
        excerpt: sample.excerpt.clone(),
        source: &sample.body,
        rendered: &markdown::render(&sample.body, &Profile::Post { id: id.to_hex() })?,
        views: sample.views,
        likes: sample.likes,
        hot_score: 0.0,
        prev: None,
        next: None,
        related: Vec::new(),
        thread: thread(id, index, &sample.comments, users)?,
    });
    Ok(())
}

fn find_user<'a>(users: &'a [User], username: &str) -> anyhow::Result<&'a User> {
    users
        .iter()
        .find(|user| user.username == username)
        .with_context(|| format!("there is nobody called {username}"))
}

fn thread(
    post_id: ObjectId,
    post_index: usize,
    samples: &[SampleComment],
    users: &[User],
) -> anyhow::Result<Thread> {
    let mut thread = Thread::new(post_id);
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
                    .filter(|parent| *parent < index)
                    .with_context(|| format!("comment {}: reply_to", index + 1))?,
            ),
        };
        // Its place in the file keeps ids apart and in order within one minute.
        let id = Set::Sample.id(Kind::Comment, sample.date.0, post_index * 1000 + index);
        ensure!(
            thread.comments.last().is_none_or(|last| last.id < id),
            "comment {}: date",
            index + 1
        );
        let source = text::clean_lines(&sample.body);
        let rendered = markdown::render(&source, &Profile::Comment { id: id.to_hex() })?;
        thread.add(Entry {
            id,
            parent,
            author,
            source,
            rendered,
            likes: sample.likes,
            at: sample.date.0,
        });
    }
    Ok(thread)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_sample_is_whole_and_always_the_same() {
        let Sample { users, documents: made, .. } = Sample::load().unwrap();
        let again = Sample::load().unwrap().documents;
        assert_eq!(made.posts, again.posts);
        assert_eq!(made.comments, again.comments);
        assert_eq!(users.len(), 6);
        assert!(made.posts.len() >= 60 && made.comments.len() >= 400);
        let slugs: HashSet<_> = made.posts.iter().map(|post| &post.slug).collect();
        assert_eq!(slugs.len(), made.posts.len());
        let ids: HashSet<_> = made.comments.iter().map(|comment| comment.id).collect();
        assert_eq!(ids.len(), made.comments.len());
    }

    #[test]
    fn counts_and_copies_agree_with_the_comments() {
        let made = Sample::load().unwrap().documents;
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
}
