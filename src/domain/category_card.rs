//! The small copy of a category that posts carry.

use mongodb::bson::oid::ObjectId;
use serde::{Deserialize, Serialize};

/// A category as embedded in its posts. A rename reaches every copy through the id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CategoryCard {
    #[serde(rename = "_id")]
    pub id: ObjectId,
    pub slug: String,
    pub name: String,
}
