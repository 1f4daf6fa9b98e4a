//! A member's own pictures.

use std::collections::HashMap;

use askama::Template;
use mongodb::bson::oid::ObjectId;

use super::model::Media;
use crate::{
    domain::{image::ImageRefusal, paging::PAGE_SIZE},
    posts::editing::PostTitle,
    urls,
    web::layout::Layout,
};

/// A file that was not taken.
pub struct RefusedFile {
    pub name: String,
    /// Key of the message that says why.
    pub key: &'static str,
}

/// Key of the message about a refusal.
#[must_use]
pub fn refusal_key(refusal: ImageRefusal) -> &'static str {
    match refusal {
        ImageRefusal::TooLarge => "image-too-large",
        ImageRefusal::UnknownKind => "image-unknown-kind",
        ImageRefusal::TooManyPixels => "image-too-many-pixels",
        ImageRefusal::Broken => "image-broken",
        ImageRefusal::TooDetailed => "image-too-detailed",
    }
}

#[derive(Template)]
#[template(path = "media/mine.html")]
pub struct MediaPage {
    pub layout: Layout,
    pub images: Vec<Media>,
    /// Posts that use one of them, by id.
    pub titles: HashMap<ObjectId, PostTitle>,
    /// Where the list goes on.
    pub older: Option<String>,
    /// Pictures stored just now.
    pub stored: i64,
    pub refused: Vec<RefusedFile>,
    /// Key of the message about the form as a whole.
    pub mistake: Option<&'static str>,
}

impl MediaPage {
    /// A page of the member's pictures, newest first: those after `after`, a hash.
    /// `None` if there is no such picture.
    #[must_use]
    pub fn cut(all: Vec<Media>, after: Option<&str>) -> Option<(Vec<Media>, Option<String>)> {
        let start = match after {
            None => 0,
            Some(hash) => all.iter().position(|image| image.hash == hash)? + 1,
        };
        let mut rest: Vec<Media> = all.into_iter().skip(start).collect();
        let has_more = rest.len() > PAGE_SIZE;
        rest.truncate(PAGE_SIZE);
        let last = rest.last().filter(|_| has_more);
        let older = last.map(|image| urls::before(urls::media(), &image.hash));
        Some((rest, older))
    }

    fn uses(&self, image: &Media) -> Vec<&PostTitle> {
        image.used_in.iter().filter_map(|id| self.titles.get(id)).collect()
    }
}
