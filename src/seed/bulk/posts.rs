//! Bulk posts with their comments, made a handful at a time in the order of the
//! list, oldest first.

use std::collections::{HashMap, VecDeque};

use anyhow::Context;
use mongodb::bson::{DateTime, oid::ObjectId};

use super::{
    material::Material,
    people,
    plan::{Plan, as_count},
    random::{Random, Stream},
    texts::Texts,
};
use crate::{
    categories::model::Category,
    seed::{
        content::Content,
        documents::{self, Documents, NewPost},
        ids::Kind,
        threads::{Entry, Thread},
    },
    users::model::User,
};

/// A handful is full with so many posts, or so many comments.
const HANDFUL_POSTS: usize = 250;
const HANDFUL_COMMENTS: usize = 1_000;

const RELATED_POSTS: usize = 4;
const MAX_TAGS: usize = 5;

/// Everything posts are made from, and how far the making has come.
pub struct Handfuls {
    plan: Plan,
    material: Vec<Material>,
    /// As `material`.
    texts: Vec<Texts>,
    covers: Vec<String>,
    pub categories: Vec<Category>,
    pub authors: Vec<User>,
    /// The last posts made with a tag, the newest first.
    recent: HashMap<String, VecDeque<ObjectId>>,
    next: usize,
}

impl Handfuls {
    /// Renders the texts: some seconds.
    ///
    /// # Errors
    /// A sample file has a mistake.
    pub fn of(plan: Plan, content: Content) -> anyhow::Result<Self> {
        let categories = documents::categories(&content.categories);
        let covers = content.posts.iter().filter_map(|post| post.cover.clone()).collect();
        let material = Material::of(content)?;
        let texts = material
            .iter()
            .map(|material| Texts::render(&plan.bulk, material))
            .collect::<anyhow::Result<_>>()?;
        let authors = people::authors(&plan, &material)?;
        let recent = HashMap::new();
        Ok(Self { plan, material, texts, covers, categories, authors, recent, next: 0 })
    }

    fn handful(&mut self) -> anyhow::Result<Documents> {
        let mut made = Documents::default();
        while self.next < self.plan.bulk.posts as usize
            && made.posts.len() < HANDFUL_POSTS
            && made.comments.len() < HANDFUL_COMMENTS
        {
            self.add_post(self.next, &mut made)?;
            self.next += 1;
        }
        Ok(made)
    }

    fn add_post(&mut self, number: usize, made: &mut Documents) -> anyhow::Result<()> {
        let mut random = Random::of(self.plan.bulk.seed, Stream::Posts, number);
        // Two of three in the first language.
        let language = random.below(3) / 2 % self.material.len();
        let material = self.material.get(language).context("no language")?;
        let texts = self.texts.get(language).context("no texts")?;
        let (id, at) = self.plan.id_of(number).zip(self.plan.time_of(number)).context("no time")?;
        let tags = tags(material, &mut random)?;
        let related = self.related(&tags);
        let topic = random.pick(&material.topics)?;
        let body = random.pick(&texts.bodies)?;
        let reactions = self.plan.reactions_to(number);
        let cover = random.percent(30).then(|| random.pick(&self.covers)).transpose()?;
        let first_tag = tags.first().context("no tag")?;
        made.add(NewPost {
            id,
            slug: format!("{}-{}-{number}", topic.slug, self.plan.bulk.seed),
            title: material.title(topic, first_tag, &mut random)?,
            lang: &material.words.lang,
            at,
            author: random.pick_early(&self.authors)?,
            category: random.pick_early(&self.categories)?,
            tags: tags.clone(),
            cover: cover.map(String::as_str),
            excerpt: None,
            source: &body.source,
            rendered: &body.rendered,
            views: reactions.views,
            likes: reactions.likes,
            hot_score: self.plan.hot_score_of(number),
            prev: self.plan.id_of(number + 1),
            next: number.checked_sub(1).and_then(|older| self.plan.id_of(older)),
            related,
            thread: self.thread(number, id, at, language)?,
        });
        for tag in tags {
            let recent = self.recent.entry(tag).or_default();
            recent.push_front(id);
            recent.truncate(RELATED_POSTS);
        }
        Ok(())
    }

    /// Some older posts with the same tags.
    fn related(&self, tags: &[String]) -> Vec<ObjectId> {
        let mut related = Vec::new();
        for id in tags.iter().filter_map(|tag| self.recent.get(tag)).flatten() {
            if related.len() < RELATED_POSTS && !related.contains(id) {
                related.push(*id);
            }
        }
        related
    }

    fn thread(
        &self,
        number: usize,
        post_id: ObjectId,
        at: DateTime,
        language: usize,
    ) -> anyhow::Result<Thread> {
        let mut random = Random::of(self.plan.bulk.seed, Stream::Threads, number);
        let material = self.material.get(language).context("no language")?;
        let texts = self.texts.get(language).context("no texts")?;
        let mut thread = Thread::new(post_id);
        let numbers = self.plan.comments_of(number);
        let times = self.comment_times(at, numbers.len(), &mut random);
        let mut is_quarrel = false;
        for (place, (number, at)) in numbers.zip(times).enumerate() {
            is_quarrel = if is_quarrel { random.percent(97) } else { random.below(150) == 0 };
            let remark = random.pick(&texts.remarks)?;
            let parent = place.checked_sub(1).and_then(|last| {
                if is_quarrel { Some(last) } else { parent(&thread, last, &mut random) }
            });
            thread.add(Entry {
                id: self.plan.set().id(Kind::Comment, at, number),
                parent,
                author: people::commenter(&self.authors, material, &mut random)?,
                source: remark.source.clone(),
                rendered: remark.rendered.clone(),
                likes: as_count(random.heavy(60) - 1),
                at,
            });
        }
        Ok(thread)
    }

    /// In order, most of them soon after the post.
    fn comment_times(&self, at: DateTime, count: usize, random: &mut Random) -> Vec<DateTime> {
        let left = self.plan.bulk.until.timestamp_millis() - at.timestamp_millis();
        let seconds = usize::try_from(left / 1000).unwrap_or_default();
        let mut times: Vec<_> = (0..count).map(|_| random.low(seconds)).collect();
        times.sort_unstable();
        let time = |after| DateTime::from_millis(at.timestamp_millis() + as_count(after) * 1000);
        times.into_iter().map(time).collect()
    }
}

impl Iterator for Handfuls {
    type Item = anyhow::Result<Documents>;

    fn next(&mut self) -> Option<Self::Item> {
        (self.next < self.plan.bulk.posts as usize).then(|| self.handful())
    }
}

fn tags(material: &Material, random: &mut Random) -> anyhow::Result<Vec<String>> {
    let mut tags = Vec::new();
    for _ in 0..=random.below(MAX_TAGS) {
        let tag = random.pick_early(&material.tags)?;
        if !tags.contains(tag) {
            tags.push(tag.clone());
        }
    }
    Ok(tags)
}

/// Which comment is answered, if any: one of the last, the deeper the less
/// likely.
fn parent(thread: &Thread, last: usize, random: &mut Random) -> Option<usize> {
    let place = last.checked_sub(random.low(40))?;
    let depth = usize::try_from(thread.comments.get(place)?.depth).ok()?;
    (random.below(10) < 5 && random.below(depth + 1) == 0).then_some(place)
}
