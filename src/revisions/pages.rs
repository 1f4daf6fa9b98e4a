//! The list of a post's revisions, and what one of them changed.

use askama::Template;

use super::{
    editors::Names,
    model::{Revision, RevisionRow},
    queries::PAGE_VERSIONS,
};
use crate::{domain::text_diff::Hunk, posts::editing::EditedPost, urls, web::layout::Layout};

#[derive(Template)]
#[template(path = "revisions/list.html")]
pub struct RevisionsPage {
    pub layout: Layout,
    pub post: EditedPost,
    pub rows: Vec<RevisionRow>,
    pub names: Names,
    /// Where the list goes on, if it does.
    pub older: Option<String>,
}

impl RevisionsPage {
    /// `newest` is the first version that the page may hold.
    #[must_use]
    pub fn new(
        layout: Layout,
        post: EditedPost,
        rows: Vec<RevisionRow>,
        names: Names,
        newest: i64,
    ) -> Self {
        let rest = newest - PAGE_VERSIONS;
        let list = urls::revisions(post.id.to_hex());
        let older = (rest > 0).then(|| urls::before(&list, &(rest + 1).to_string()));
        Self { layout, post, rows, names, older }
    }

    fn is_current(&self, row: &RevisionRow) -> bool {
        row.version == self.post.version
    }
}

#[derive(Template)]
#[template(path = "revisions/show.html")]
pub struct RevisionPage {
    pub layout: Layout,
    pub post: EditedPost,
    pub revision: Revision,
    pub names: Names,
    /// There is none before it.
    pub is_first: bool,
    pub hunks: Vec<Hunk>,
}
