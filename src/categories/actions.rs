//! Making and renaming categories: a category and its address in one transaction.

use mongodb::bson::oid::ObjectId;

use super::{commands, model::Category, queries};
use crate::{
    addresses::{
        commands::{Reservation, make_current, reserve},
        model::Kind,
    },
    db::{
        Db,
        transaction::{self, Steps, Tx, TxError},
    },
    domain::{
        names::display_name,
        slug::{Slug, SlugStyle, slugify},
    },
    state::AppState,
};

/// More categories of one name than anybody makes.
const MOST_OF_ONE_NAME: u32 = 100;

/// Why a category was not made or renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("there is no such category")]
    NotFound,
    #[error("a category needs a name of at most 40 characters")]
    BadName,
    #[error(
        "an address is made of a-z, 0-9 and single hyphens, has at most 60 characters, and is no \
         word that the site itself uses"
    )]
    BadSlug,
    #[error("that address belongs, or once belonged, to another category")]
    SlugTaken,
}

/// What a rename changes; what is `None` stays.
#[derive(Debug, Clone, Default)]
pub struct Change {
    pub name: Option<String>,
    pub slug: Option<String>,
}

/// Makes a category, last in the order. Its address is made from its name: where
/// that one was ever given to another category, with `-2`, `-3` and so on.
///
/// # Errors
/// [`TxError::Refused`] says why; otherwise the database did not answer.
pub async fn create(state: &AppState, name: &str) -> Result<Category, TxError<Refusal>> {
    let name = display_name(name).map_err(|_| TxError::Refused(Refusal::BadName))?;
    let last = queries::all(&state.db).await?.last().map_or(0, |category| category.order);
    let first_choice = slugify(&name, &SlugStyle::default());
    for number in 1..MOST_OF_ONE_NAME {
        let slug = if number == 1 { first_choice.clone() } else { first_choice.numbered(number) };
        let category = Category {
            id: state.clock.new_id(),
            slug: slug.to_string(),
            name: name.clone(),
            description: String::new(),
            parent_id: None,
            order: last.saturating_add(1),
            post_count: 0,
        };
        match transaction::run(&state.db, &Create { category: &category }).await {
            Ok(()) => return Ok(category),
            Err(TxError::Refused(Refusal::SlugTaken)) => {}
            Err(error) => return Err(error),
        }
    }
    Err(TxError::Refused(Refusal::SlugTaken))
}

struct Create<'a> {
    category: &'a Category,
}

impl Steps for Create<'_> {
    type Done = ();
    type Refusal = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        move_to(tx, &self.category.slug, self.category.id).await?;
        commands::insert(tx, self.category).await?;
        Ok(())
    }
}

/// Renames the category that has this slug. Its old address goes on leading to it,
/// and posts hear of it by `copies::category_card`.
///
/// # Errors
/// [`TxError::Refused`] says why; otherwise the database did not answer.
pub async fn rename(db: &Db, slug: &str, change: Change) -> Result<(), TxError<Refusal>> {
    let found = queries::find_by_slug(db, slug).await?;
    let category = found.ok_or(TxError::Refused(Refusal::NotFound))?;
    let name = match change.name {
        None => category.name,
        Some(name) => display_name(&name).map_err(|_| TxError::Refused(Refusal::BadName))?,
    };
    let slug = match change.slug {
        None => category.slug,
        Some(slug) => {
            Slug::parse(&slug).ok_or(TxError::Refused(Refusal::BadSlug))?.as_str().to_owned()
        }
    };
    transaction::run(db, &Rename { id: category.id, name, slug }).await
}

struct Rename {
    id: ObjectId,
    name: String,
    slug: String,
}

impl Steps for Rename {
    type Done = ();
    type Refusal = Refusal;

    async fn run(&self, tx: &mut Tx) -> Result<(), TxError<Refusal>> {
        move_to(tx, &self.slug, self.id).await?;
        if !commands::rename(tx, self.id, &self.name, &self.slug).await? {
            return Err(TxError::Refused(Refusal::NotFound));
        }
        Ok(())
    }
}

async fn move_to(tx: &mut Tx, slug: &str, id: ObjectId) -> Result<(), TxError<Refusal>> {
    match reserve(tx, Kind::Category, slug, id).await? {
        Reservation::Taken => Err(TxError::Refused(Refusal::SlugTaken)),
        Reservation::Ours => {
            make_current(tx, Kind::Category, slug, id).await?;
            Ok(())
        }
    }
}
