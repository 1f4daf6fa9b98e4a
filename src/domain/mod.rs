//! Words that features share, pure: no database, no HTTP, no clock of its own.

pub mod author_card;
pub mod category_card;
mod cjk;
pub mod comment_card;
pub mod email;
pub mod excerpt;
#[cfg(test)]
mod fuzzing;
pub mod guess_lang;
pub mod hot_score;
pub mod image;
pub mod links;
pub mod local_path;
pub mod markdown;
mod marks;
pub mod month;
pub mod names;
pub mod paging;
pub mod password_rules;
pub mod permission;
pub mod safe_html;
pub mod segment;
pub mod site_time;
pub mod slug;
pub mod text;
pub mod text_diff;
pub mod token;
pub mod visible;
pub mod word_count;
pub mod xml_text;
