//! The authors of bulk content, and the guests who comment.

use mongodb::bson::DateTime;

use super::{
    material::Material,
    plan::Plan,
    random::{Random, Stream},
};
use crate::{
    domain::{comment_card::Commenter, names::UserName, permission::Role},
    seed::ids::Kind,
    users::model::{User, UserStats, UserStatus},
};

/// All joined in the year before the first post.
const YEAR_SECS: usize = 365 * 24 * 3600;

/// # Errors
/// There are no names.
pub fn authors(plan: &Plan, material: &[Material]) -> anyhow::Result<Vec<User>> {
    (0..plan.bulk.authors as usize).map(|number| author(plan, material, number)).collect()
}

fn author(plan: &Plan, material: &[Material], number: usize) -> anyhow::Result<User> {
    let mut random = Random::of(plan.bulk.seed, Stream::People, number);
    let words = &random.pick_early(material)?.words;
    let (given, family) = (random.pick(&words.given)?, random.pick(&words.family)?);
    let (name, start) = if words.lang.starts_with("zh") {
        (format!("{}{}", family.0, given.0), format!("{}{}", family.1, given.1))
    } else {
        (format!("{} {}", given.0, family.0), format!("{}{}", given.1, family.1))
    };
    let username = format!("{start}-{}-{number}", plan.bulk.seed);
    let seconds = i64::try_from(random.below(YEAR_SECS))?;
    let joined = DateTime::from_millis(plan.start_millis() - seconds * 1000);
    Ok(User {
        id: plan.set().id(Kind::User, joined, number),
        username_key: UserName::normal(&username),
        username,
        email: None,
        email_key: None,
        password_hash: None,
        name,
        avatar: None,
        bio: random.pick(&words.bios)?.clone(),
        city: random.pick(&words.cities)?.clone(),
        website: None,
        role: Role::Author,
        status: UserStatus::Active,
        card_version: 1,
        stats: UserStats::default(),
        created_at: joined,
    })
}

/// Somebody who comments: a member now and then, else a guest.
///
/// # Errors
/// There are no names.
pub fn commenter(
    authors: &[User],
    material: &Material,
    random: &mut Random,
) -> anyhow::Result<Commenter> {
    if random.percent(40) {
        return Ok(Commenter::Member(random.pick_early(authors)?.card()));
    }
    let words = &material.words;
    let name = if random.percent(50) {
        random.pick(&words.guests)?.clone()
    } else {
        let (given, family) = (random.pick(&words.given)?, random.pick(&words.family)?);
        if words.lang.starts_with("zh") {
            format!("{}{}", family.0, given.0)
        } else {
            given.0.clone()
        }
    };
    let website = random.percent(8).then(|| "https://example.com/".to_owned());
    Ok(Commenter::Guest { name, website })
}
