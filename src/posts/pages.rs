//! Pages of posts: the lists and the post itself.

use askama::Template;

use super::model::{PostBody, PostCard, PostLink, PostMeta, PostStatus};
use crate::{
    comments::pages::{CommentFormPart, CommentItem},
    domain::{
        markdown::TocEntry,
        paging::{Cursor, Page},
    },
    tags::pages::CloudTag,
    urls,
    web::layout::Layout,
};

/// Cards with the links to the pages before and after.
pub struct CardList {
    pub cards: Vec<PostCard>,
    pub newer: Option<String>,
    pub older: Option<String>,
    pub kind: ListKind,
    /// The first card is drawn large: only on the first page.
    pub has_lead: bool,
}

/// What a list is of; an author's own list leaves the author's name out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListKind {
    Everybody,
    OneAuthor,
}

impl CardList {
    /// `path` is the list's first page.
    #[must_use]
    pub fn new(page: Page<PostCard, Cursor>, path: &str, kind: ListKind) -> Self {
        Self {
            newer: page.preceding.map(|cursor| urls::after(path, &cursor.encode())),
            older: page.following.map(|cursor| urls::before(path, &cursor.encode())),
            has_lead: false,
            kind,
            cards: page.items,
        }
    }

    pub(crate) fn names_authors(&self) -> bool {
        self.kind == ListKind::Everybody
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "templates pass references")]
    pub(crate) fn is_lead(&self, index: &usize) -> bool {
        self.has_lead && *index == 0
    }
}

#[derive(Template)]
#[template(path = "posts/home.html")]
pub struct HomePage {
    pub layout: Layout,
    pub list: CardList,
    pub cloud: Vec<CloudTag>,
}

#[derive(Template)]
#[template(path = "posts/show.html")]
pub struct ShowPage {
    layout: Layout,
    meta: PostMeta,
    /// `None`: the body is missing, and the page says so.
    body: Option<PostBody>,
    newer: Option<PostLink>,
    older: Option<PostLink>,
    related: Vec<PostLink>,
    top_comments: Vec<CommentItem>,
    /// Those of the newest that are not among the best.
    latest_comments: Vec<CommentItem>,
    has_comments: bool,
    form: Option<CommentFormPart>,
    is_editor: bool,
    toc: Vec<TocGroup>,
}

/// A heading with those below it.
struct TocGroup {
    entry: TocEntry,
    inner: Vec<TocEntry>,
}

/// Two levels are enough to find one's way: deeper headings stand with the
/// second.
fn group(entries: &[TocEntry]) -> Vec<TocGroup> {
    let mut groups: Vec<TocGroup> = Vec::new();
    for entry in entries.iter().cloned() {
        match groups.last_mut() {
            Some(group) if entry.level > group.entry.level => group.inner.push(entry),
            _ => groups.push(TocGroup { entry, inner: Vec::new() }),
        }
    }
    groups
}

/// The first letters of a text, without markup, white space and punctuation:
/// enough to see whether one text begins like another.
fn letters(html: &str) -> String {
    let mut is_in_tag = false;
    html.chars()
        .filter(|c| match c {
            '<' => {
                is_in_tag = true;
                false
            }
            '>' => {
                is_in_tag = false;
                false
            }
            c => !is_in_tag && c.is_alphanumeric(),
        })
        .take(60)
        .collect()
}

/// What a post page is made from.
pub struct ShowParts {
    pub meta: PostMeta,
    pub body: Option<PostBody>,
    /// Neighbours and related posts, in any order.
    pub links: Vec<PostLink>,
    pub form: Option<CommentFormPart>,
    /// Whether the viewer may edit the post.
    pub is_editor: bool,
}

impl ShowPage {
    #[must_use]
    pub fn new(layout: Layout, parts: ShowParts) -> Self {
        let ShowParts { mut meta, body, links, form, is_editor } = parts;
        let link = |id| links.iter().find(|link| Some(link.id) == id).cloned();
        let top = std::mem::take(&mut meta.top_comments);
        let latest = std::mem::take(&mut meta.latest_comments);
        // One comment has one place (and one id) on a page.
        let best: Vec<_> = top.iter().map(|card| card.id).collect();
        let has_comments = !latest.is_empty();
        let item = |card| CommentItem::of_card(&layout, &meta, card);
        Self {
            is_editor,
            top_comments: top.into_iter().map(item).collect(),
            latest_comments: latest
                .into_iter()
                .filter(|card| !best.contains(&card.id))
                .map(item)
                .collect(),
            has_comments,
            newer: link(body.as_ref().and_then(|body| body.prev)),
            older: link(body.as_ref().and_then(|body| body.next)),
            related: body
                .iter()
                .flat_map(|body| &body.related)
                .filter_map(|id| link(Some(*id)))
                .collect(),
            toc: body.as_ref().map(|body| group(&body.toc)).unwrap_or_default(),
            form,
            body,
            meta,
            layout,
        }
    }

    fn title(&self) -> &str {
        self.meta.seo.title.as_deref().unwrap_or(&self.meta.title)
    }

    fn description(&self) -> &str {
        self.meta.seo.description.as_deref().unwrap_or(&self.meta.excerpt)
    }

    fn is_noindex(&self) -> bool {
        self.meta.seo.noindex || self.meta.status == PostStatus::Archived
    }

    fn has_mistakes(&self) -> bool {
        self.form.as_ref().is_some_and(CommentFormPart::has_mistakes)
    }

    /// The excerpt, unless it is only the beginning of the text below it.
    fn lede(&self) -> Option<&str> {
        let body = self.body.as_ref()?;
        let excerpt = self.meta.excerpt.as_str();
        let repeats = letters(&body.html.to_string()).starts_with(&letters(excerpt));
        (!repeats && !excerpt.is_empty()).then_some(excerpt)
    }
}
