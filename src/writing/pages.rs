//! The editor, an author's own lists, and the page behind a preview link.

use askama::Template;
use mongodb::bson::{DateTime, oid::ObjectId};

use super::forms::{PostForm, Written, is_public};
use crate::{
    categories::model::Category,
    domain::{
        paging::{Cursor, Page},
        safe_html::SafeHtml,
        text_diff::Hunk,
    },
    posts::{
        editing::{EditedPost, PostRow},
        model::PostStatus,
    },
    revisions::{editors::Names, model::RevisionRow},
    urls,
    web::{
        form_state::{FormState, Mistake},
        layout::Layout,
    },
};

/// Revisions named beside the editor.
pub const REVISIONS_BESIDE: usize = 5;

/// What a text looks like before it is saved.
pub struct Preview {
    pub title: String,
    pub lang: String,
    pub html: SafeHtml,
}

impl Preview {
    #[must_use]
    pub fn of(written: Written) -> Self {
        Self { title: written.title, lang: written.lang, html: written.rendered.html }
    }
}

/// What the editor shows besides the form.
#[derive(Default)]
pub struct Beside {
    /// As stored; `None`: it is new, or cannot be read now.
    pub post: Option<EditedPost>,
    /// Of a post that is there but cannot be read now.
    pub id: Option<ObjectId>,
    pub categories: Vec<Category>,
    pub revisions: Vec<RevisionRow>,
    /// Of those who wrote them.
    pub names: Names,
    /// Key of the message about what was just done.
    pub done: Option<&'static str>,
    pub preview: Option<Preview>,
    /// From what somebody else saved meanwhile to what was typed here.
    pub conflict: Option<Vec<Hunk>>,
    /// A link that shows the unpublished post to whoever has it.
    pub shared: Option<String>,
}

#[derive(Template)]
#[template(path = "writing/edit.html")]
pub struct EditorPage {
    pub layout: Layout,
    pub form: FormState<PostForm>,
    pub beside: Beside,
}

impl EditorPage {
    fn mistake(&self, field: &str) -> Option<String> {
        self.form.mistake(field).map(|mistake| self.layout.t(mistake.key))
    }

    fn mistakes(&self) -> &[Mistake] {
        &self.form.mistakes
    }

    fn action(&self) -> String {
        let id = self.beside.post.as_ref().map(|post| post.id).or(self.beside.id);
        id.map_or_else(|| urls::write().to_owned(), |id| urls::edit(id.to_hex()))
    }

    fn body(&self) -> &str {
        self.form.values.body.as_deref().unwrap_or_default()
    }

    fn status(&self) -> PostStatus {
        self.beside.post.as_ref().map_or(PostStatus::Draft, |post| post.status)
    }

    fn status_name(&self) -> String {
        self.layout.t(status_key(self.status()))
    }

    /// The chosen category, if it is none of those that could be read.
    fn lost_category(&self) -> Option<&str> {
        let chosen = self.form.values.category.as_str();
        let is_there = self.beside.categories.iter().any(|one| one.slug == chosen);
        (!chosen.is_empty() && !is_there).then_some(chosen)
    }

    fn is_chosen(&self, category: &Category) -> bool {
        self.form.values.category == category.slug
    }

    /// Published posts have their page, drafts are shown to their author there.
    fn address(&self) -> Option<String> {
        self.beside.post.as_ref().map(|post| urls::post(&post.slug))
    }

    fn may(&self, action: &str) -> bool {
        use PostStatus::{Archived, Deleted, Draft, Published, Scheduled};
        let status = self.status();
        match action {
            "publish" => matches!(status, Draft | Scheduled | Archived),
            "schedule" => matches!(status, Draft),
            "unpublish" => matches!(status, Published | Archived | Scheduled),
            "archive" => status == Published,
            "restore" => status == Deleted,
            "share" => {
                self.beside.post.is_some() && !matches!(status, Published | Archived | Deleted)
            }
            "delete" => self.beside.post.is_some() && status != Deleted,
            _ => status != Deleted,
        }
    }

    /// The save button of a post that others read changes what they read.
    fn save_key(&self) -> &'static str {
        if is_public(self.status()) { "update-post" } else { "save-draft" }
    }
}

/// Name of a status among the messages.
#[must_use]
pub fn status_key(status: PostStatus) -> &'static str {
    match status {
        PostStatus::Draft => "status-draft",
        PostStatus::Scheduled => "status-scheduled",
        PostStatus::Published => "status-published",
        PostStatus::Archived => "status-archived",
        PostStatus::Deleted => "status-deleted",
    }
}

/// A list of an author's own posts.
#[derive(Template)]
#[template(path = "writing/drafts.html")]
pub struct DraftsPage {
    pub layout: Layout,
    pub status: PostStatus,
    pub rows: Vec<PostRow>,
    pub newer: Option<String>,
    pub older: Option<String>,
}

/// A tab of that page.
struct Tab {
    name: String,
    href: String,
    is_current: bool,
}

impl DraftsPage {
    #[must_use]
    pub fn new(layout: Layout, status: PostStatus, page: Page<PostRow, Cursor>) -> Self {
        let path = urls::drafts_of(status.name());
        Self {
            layout,
            status,
            newer: page.preceding.map(|cursor| urls::after(&path, &cursor.encode())),
            older: page.following.map(|cursor| urls::before(&path, &cursor.encode())),
            rows: page.items,
        }
    }

    fn tabs(&self) -> Vec<Tab> {
        PostStatus::ALL
            .map(|status| Tab {
                name: self.layout.t(status_key(status)),
                href: urls::drafts_of(status.name()),
                is_current: status == self.status,
            })
            .into()
    }

    /// The time that matters for a post of this status.
    fn time(&self, row: &PostRow) -> DateTime {
        match self.status {
            PostStatus::Scheduled => row.publish_at,
            PostStatus::Published => row.published_at,
            _ => None,
        }
        .unwrap_or(row.updated_at)
    }

    fn is_binned(&self) -> bool {
        self.status == PostStatus::Deleted
    }
}

/// An unpublished post as its readers will see it.
#[derive(Template)]
#[template(path = "writing/preview.html")]
pub struct PreviewPage {
    pub layout: Layout,
    pub post: EditedPost,
    pub html: SafeHtml,
}
