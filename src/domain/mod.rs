//! Words that features share, pure: no database, no HTTP, no clock of its own.

pub mod author_card;
mod cjk;
pub mod comment_card;
pub mod excerpt;
#[cfg(test)]
mod fuzzing;
pub mod hot_score;
pub mod image;
pub mod links;
pub mod markdown;
mod marks;
pub mod month;
pub mod names;
pub mod paging;
pub mod safe_html;
pub mod segment;
pub mod site_time;
pub mod slug;
pub mod text;
pub mod visible;
pub mod word_count;
pub mod xml_text;
