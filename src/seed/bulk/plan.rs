//! What is known of every post before any is made: its time, its place in the
//! list, how many comments it has, how hot it is. A few bytes a post.

use std::{collections::HashMap, time::Duration};

use mongodb::bson::{DateTime, oid::ObjectId};

use super::{
    Bulk,
    random::{Random, Stream},
};
use crate::{
    domain::hot_score::{HOT_FOR, HOT_POSTS, hot_score},
    seed::ids::{Kind, Set},
};

const MINUTE: i64 = 60_000;

/// Three years, in minutes.
const SPAN: usize = 3 * 365 * 24 * 60;

const MONTHS: usize = 36;

/// One post has one comment in so many.
const SHARE_OF_THE_MOST_DISCUSSED: usize = 25;

pub struct Plan {
    pub bulk: Bulk,
    /// In milliseconds, never falling: the list runs from the last to the first.
    times: Vec<i64>,
    /// Comments of all posts before, and at the end of all.
    comments_before: Vec<usize>,
    hot: HashMap<usize, f64>,
}

/// What readers did.
#[derive(Debug, Clone, Copy)]
pub struct Reactions {
    pub views: i64,
    pub likes: i64,
}

impl Plan {
    pub fn of(bulk: Bulk) -> Self {
        let mut plan = Self {
            bulk,
            times: times(&bulk),
            comments_before: comments_before(&bulk),
            hot: HashMap::new(),
        };
        plan.hot = plan.hottest();
        plan
    }

    pub fn set(&self) -> Set {
        Set::Bulk(self.bulk.seed)
    }

    /// Before the first post.
    pub fn start_millis(&self) -> i64 {
        start_millis(&self.bulk)
    }

    pub fn time_of(&self, post: usize) -> Option<DateTime> {
        self.times.get(post).copied().map(DateTime::from_millis)
    }

    pub fn id_of(&self, post: usize) -> Option<ObjectId> {
        Some(self.set().id(Kind::Post, self.time_of(post)?, post))
    }

    /// The numbers of a post's comments, among all.
    pub fn comments_of(&self, post: usize) -> std::ops::Range<usize> {
        let before = |post: usize| self.comments_before.get(post).copied().unwrap_or_default();
        before(post)..before(post + 1)
    }

    pub fn hot_score_of(&self, post: usize) -> f64 {
        self.hot.get(&post).copied().unwrap_or_default()
    }

    pub fn reactions_to(&self, post: usize) -> Reactions {
        let mut random = Random::of(self.bulk.seed, Stream::Reactions, post);
        let comments = self.comments_of(post).len();
        let readers = 12 * random.heavy(8_000);
        let views = readers + random.below(readers) + comments * (3 + random.below(9));
        let likes = views * random.below(90) / 1000;
        Reactions { views: as_count(views), likes: as_count(likes) }
    }

    fn hottest(&self) -> HashMap<usize, f64> {
        let scored = self.times.iter().enumerate().rev().map_while(|(post, time)| {
            let age = self.bulk.until.timestamp_millis() - time;
            let age = Duration::from_millis(u64::try_from(age).unwrap_or_default());
            let Reactions { views, likes } = self.reactions_to(post);
            let comments = as_count(self.comments_of(post).len());
            (age <= HOT_FOR).then(|| (post, hot_score(likes, comments, views, age)))
        });
        let mut scored: Vec<_> = scored.collect();
        scored.sort_by(|(a, of_a), (b, of_b)| of_b.total_cmp(of_a).then(b.cmp(a)));
        scored.truncate(HOT_POSTS);
        scored.into_iter().collect()
    }
}

pub fn as_count(number: usize) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn start_millis(bulk: &Bulk) -> i64 {
    bulk.until.timestamp_millis() - as_count(SPAN) * MINUTE
}

/// Whole minutes of the three years before `until`, some months busier than
/// others, some minutes shared.
fn times(bulk: &Bulk) -> Vec<i64> {
    let mut random = Random::of(bulk.seed, Stream::Times, 0);
    let mut end_of_month = Vec::with_capacity(MONTHS);
    let mut end = 0;
    for month in 0..MONTHS {
        end += 10 + month + random.below(40);
        end_of_month.push(end);
    }
    let mut minutes: Vec<usize> = (0..bulk.posts)
        .map(|_| {
            let drawn = random.below(end);
            let month = end_of_month.partition_point(|end| *end <= drawn);
            (month * SPAN + random.below(SPAN)) / MONTHS
        })
        .collect();
    minutes.sort_unstable();
    let mut last = 0;
    for minute in &mut minutes {
        if random.percent(2) {
            *minute = last;
        }
        last = *minute;
    }
    let start = start_millis(bulk);
    minutes.into_iter().map(|minute| start + as_count(minute) * MINUTE).collect()
}

/// Exactly all comments shared out: a part for the most discussed post, the rest
/// by weights of which few are large.
fn comments_before(bulk: &Bulk) -> Vec<usize> {
    let mut random = Random::of(bulk.seed, Stream::Comments, 0);
    let (posts, comments) = (bulk.posts as usize, bulk.comments as usize);
    // Not among the last, which had little time to be discussed.
    let most_discussed = random.below(posts.div_ceil(2));
    let for_the_most_discussed = comments / SHARE_OF_THE_MOST_DISCUSSED;
    let shared = comments - for_the_most_discussed;
    let cap = (posts / 50).max(6);
    let mut weights = Vec::with_capacity(posts + 1);
    let mut sum = 0;
    weights.push(sum);
    for _ in 0..posts {
        sum += random.heavy(cap);
        weights.push(sum);
    }
    let share = |(post, weight): (usize, usize)| {
        let before = if post > most_discussed { for_the_most_discussed } else { 0 };
        before + weight * shared / sum
    };
    weights.into_iter().enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use std::cmp::Reverse;

    use super::*;

    fn plan(posts: u32, comments: u32) -> Plan {
        let until = DateTime::from_millis(1_778_545_800_000);
        Plan::of(Bulk { seed: 1, posts, comments, authors: 5, until })
    }

    #[test]
    fn the_list_is_in_order_of_numbers_with_some_times_equal() {
        let plan = plan(3_000, 0);
        let keys: Vec<_> = (0..3_000).map(|p| (plan.times[p], plan.id_of(p).unwrap())).collect();
        assert!(keys.is_sorted_by(|a, b| a < b));
        assert!(plan.times.windows(2).any(|pair| pair[0] == pair[1]));
        let until = plan.bulk.until.timestamp_millis();
        assert!(plan.times.iter().all(|time| *time <= until));
        assert!(until - plan.times[0] > 1_000 * 24 * 60 * MINUTE);
    }

    #[test]
    fn all_comments_are_shared_out_unevenly() {
        let plan = plan(3_000, 15_000);
        let mut counts: Vec<_> = (0..3_000).map(|post| plan.comments_of(post).len()).collect();
        assert_eq!(counts.iter().sum::<usize>(), 15_000);
        counts.sort_by_key(|count| Reverse(*count));
        assert!((600..800).contains(&counts[0]), "{}", counts[0]);
        assert!(counts[1] < 300 && counts[1500] <= 5, "{} {}", counts[1], counts[1500]);
    }

    #[test]
    fn few_posts_are_hot() {
        let plan = plan(900_000, 0);
        assert_eq!(plan.hot.len(), HOT_POSTS);
        let plan = self::plan(3_000, 0);
        assert!(!plan.hot.is_empty() && plan.hot.len() < 100, "{}", plan.hot.len());
        assert!(plan.hot_score_of(2_999) > 0.0);
        assert!(plan.hot_score_of(0).abs() < f64::EPSILON);
    }

    #[test]
    fn the_smallest_size_works() {
        assert_eq!(plan(1, 1).comments_of(0), 0..1);
    }
}
