//! Categories as stored.

use mongodb::bson::{Document, doc, oid::ObjectId};
use serde::{Deserialize, Serialize};

use crate::domain::category_card::CategoryCard;

/// A document of `categories`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Category {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub name: String,
    /// One or two sentences about what stands here.
    #[serde(default)]
    pub description: String,
    pub parent_id: Option<ObjectId>,
    pub order: i32,
    /// Published posts.
    pub post_count: i64,
}

impl Category {
    #[must_use]
    pub fn card(&self) -> CategoryCard {
        CategoryCard { id: self.id, slug: self.slug.clone(), name: self.name.clone() }
    }

    #[must_use]
    pub fn projection() -> Document {
        doc! {
            "slug": 1, "name": 1, "description": 1, "parentId": 1, "order": 1, "postCount": 1,
        }
    }
}
