//! Comments as pages show them: single ones, threads, the form.

use askama::{Template, filters::HtmlSafe};
use mongodb::bson::{DateTime, oid::ObjectId};

use super::{
    forms::CommentForm,
    model::ShownComment,
    queries::{REPLIES_SHOWN, ThreadOrder},
    tree::{self, Node},
};
use crate::{
    domain::{
        comment_card::{CommentCard, Commenter},
        paging::Page,
        safe_html::SafeHtml,
    },
    posts::model::PostMeta,
    urls,
    web::{
        form_state::{FormState, Mistake},
        layout::Layout,
    },
};

// A nested template has escaped what it holds; a SafeHtml was sanitised. So no
// template needs a filter that switches escaping off.
impl HtmlSafe for SafeHtml {}
impl HtmlSafe for CommentItem {}
impl HtmlSafe for ThreadItem {}
impl HtmlSafe for CommentFormPart {}

/// One comment.
#[derive(Template, Clone)]
#[template(path = "comments/_comment.html")]
pub struct CommentItem {
    layout: Layout,
    id: String,
    author: Commenter,
    html: SafeHtml,
    created_at: DateTime,
    /// Likes, where they are known.
    likes: Option<i64>,
    is_by_post_author: bool,
    /// The comment's own page.
    thread: String,
    /// The page of the comment that this one answers, where that is not above it.
    parent: Option<String>,
    is_cut: bool,
    /// Whether the post takes answers.
    may_be_answered: bool,
}

impl CommentItem {
    /// A comment that its post carries.
    #[must_use]
    pub fn of_card(layout: &Layout, post: &PostMeta, card: CommentCard) -> Self {
        let id = card.id.to_hex();
        Self {
            layout: layout.clone(),
            is_by_post_author: is_by(&card.author, post),
            thread: urls::thread(&post.slug, &id),
            parent: card.parent_id.map(|parent| urls::comment(&post.slug, &parent.to_hex())),
            id,
            author: card.author,
            html: card.html,
            created_at: card.created_at,
            likes: card.likes,
            is_cut: card.is_cut,
            may_be_answered: post.takes_comments(),
        }
    }

    /// A comment from the collection.
    #[must_use]
    pub fn of(layout: &Layout, post: &PostMeta, comment: ShownComment) -> Self {
        let id = comment.id.to_hex();
        Self {
            layout: layout.clone(),
            is_by_post_author: is_by(&comment.author, post),
            thread: urls::thread(&post.slug, &id),
            parent: None,
            id,
            author: comment.author,
            html: comment.html,
            created_at: comment.created_at,
            likes: Some(comment.likes),
            is_cut: false,
            may_be_answered: post.takes_comments(),
        }
    }

    fn answering(mut self, post: &PostMeta, parent: Option<ObjectId>) -> Self {
        self.parent = parent.map(|parent| urls::comment(&post.slug, &parent.to_hex()));
        self
    }
}

fn is_by(author: &Commenter, post: &PostMeta) -> bool {
    matches!(author, Commenter::Member(card) if card.id == post.author.id)
}

/// A comment with the replies below it.
#[derive(Template)]
#[template(path = "comments/_thread.html")]
pub struct ThreadItem {
    layout: Layout,
    item: CommentItem,
    replies: Vec<ThreadItem>,
    /// How many are shown here, with those below them.
    shown_count: i64,
    /// Replies that stand on another page, and that page.
    rest: Option<Rest>,
}

/// Where a thread goes on.
struct Rest {
    count: Option<i64>,
    href: String,
}

impl ThreadItem {
    fn of(layout: &Layout, post: &PostMeta, node: Node) -> Self {
        let Node { comment, replies, hidden_count } = node;
        let thread = urls::thread(&post.slug, &comment.id.to_hex());
        let rest = (hidden_count > 0)
            .then(|| Rest { count: i64::try_from(hidden_count).ok(), href: thread });
        Self {
            layout: layout.clone(),
            item: CommentItem::of(layout, post, comment),
            shown_count: i64::try_from(count(&replies)).unwrap_or(i64::MAX),
            replies: replies.into_iter().map(|reply| Self::of(layout, post, reply)).collect(),
            rest,
        }
    }
}

fn count(nodes: &[Node]) -> usize {
    nodes.iter().map(|node| 1 + node.hidden_count + count(&node.replies)).sum()
}

/// All comments of a post.
#[derive(Template)]
#[template(path = "comments/all.html")]
pub struct CommentsPage {
    layout: Layout,
    post: PostMeta,
    threads: Vec<ThreadItem>,
    order: ThreadOrder,
    preceding: Option<String>,
    following: Option<String>,
    path: String,
    oldest_path: String,
}

impl CommentsPage {
    /// `replies` are the first replies of each thread, in the threads' order.
    #[must_use]
    pub fn new(
        layout: Layout,
        post: PostMeta,
        order: ThreadOrder,
        page: Page<ShownComment, ObjectId>,
        replies: Vec<Vec<ShownComment>>,
    ) -> Self {
        let path = urls::comments(&post.slug);
        let oldest_path = urls::oldest_first(&path);
        let (preceding, following) = match order {
            ThreadOrder::NewestFirst => (
                page.preceding.map(|id| urls::after(&path, &id.to_hex())),
                page.following.map(|id| urls::before(&path, &id.to_hex())),
            ),
            ThreadOrder::OldestFirst => (
                page.preceding.map(|id| urls::before(&oldest_path, &id.to_hex())),
                page.following.map(|id| urls::after(&oldest_path, &id.to_hex())),
            ),
        };
        let threads = page
            .items
            .into_iter()
            .zip(replies)
            .flat_map(|(root, replies)| thread(&layout, &post, root, replies))
            .collect();
        Self { threads, order, preceding, following, path, oldest_path, post, layout }
    }

    fn is_first(&self) -> bool {
        self.preceding.is_none()
    }

    fn is_newest_first(&self) -> bool {
        self.order == ThreadOrder::NewestFirst
    }
}

/// A thread with its first replies and, if there are more, the way to them.
fn thread(
    layout: &Layout,
    post: &PostMeta,
    root: ShownComment,
    mut replies: Vec<ShownComment>,
) -> Vec<ThreadItem> {
    let has_more = replies.len() > REPLIES_SHOWN;
    replies.truncate(REPLIES_SHOWN);
    let href = urls::thread(&post.slug, &root.id.to_hex());
    let mut all = vec![root];
    all.append(&mut replies);
    let mut items: Vec<_> =
        tree::nest(all).into_iter().map(|node| ThreadItem::of(layout, post, node)).collect();
    if has_more && let Some(first) = items.first_mut() {
        first.rest = Some(Rest { count: None, href });
    }
    items
}

/// One comment and everything below it.
#[derive(Template)]
#[template(path = "comments/thread.html")]
pub struct ThreadPage {
    layout: Layout,
    post: PostMeta,
    focus: CommentItem,
    focus_name: String,
    /// The whole thread, if the comment is not its beginning.
    root: Option<String>,
    replies: Vec<ThreadItem>,
    preceding: Option<String>,
    following: Option<String>,
    form: Option<CommentFormPart>,
}

impl ThreadPage {
    #[must_use]
    pub fn new(
        layout: Layout,
        post: PostMeta,
        focus: ShownComment,
        page: Page<ShownComment, ObjectId>,
        form: FormState<CommentForm>,
    ) -> Self {
        let path = urls::thread(&post.slug, &focus.id.to_hex());
        let focus_name = focus.author.name().to_owned();
        let root =
            (!focus.is_top_level()).then(|| urls::thread(&post.slug, &focus.root_id.to_hex()));
        let parent = focus.parent_id;
        let has_form = post.takes_comments() || !form.mistakes.is_empty();
        let form = has_form.then(|| CommentFormPart::for_reply(&layout, &post.slug, &focus, form));
        Self {
            preceding: page.preceding.map(|id| urls::before(&path, &id.to_hex())),
            following: page.following.map(|id| urls::after(&path, &id.to_hex())),
            replies: replies_of(&layout, &post, focus.id, page.items),
            focus: CommentItem::of(&layout, &post, focus).answering(&post, parent),
            focus_name,
            root,
            form,
            post,
            layout,
        }
    }

    fn has_mistakes(&self) -> bool {
        self.form.as_ref().is_some_and(CommentFormPart::has_mistakes)
    }
}

/// Nested as far as their parents are on this page; the others say what they
/// answer.
fn replies_of(
    layout: &Layout,
    post: &PostMeta,
    focus: ObjectId,
    replies: Vec<ShownComment>,
) -> Vec<ThreadItem> {
    tree::nest(replies)
        .into_iter()
        .map(|node| {
            let parent = node.comment.parent_id.filter(|id| *id != focus);
            let mut thread = ThreadItem::of(layout, post, node);
            thread.item = thread.item.answering(post, parent);
            thread
        })
        .collect()
}

/// The form as it was typed, while the database is away.
#[derive(Template)]
#[template(path = "comments/unsent.html")]
pub struct UnsentPage {
    layout: Layout,
    form: CommentFormPart,
}

impl UnsentPage {
    #[must_use]
    pub fn new(layout: Layout, slug: &str, typed: CommentForm) -> Self {
        let parent = typed.parent.clone();
        let mistakes = vec![Mistake::new("", "error-503-advice")];
        let mut form =
            CommentFormPart::for_post(&layout, slug, FormState { values: typed, mistakes });
        form.heading = "h2";
        form.parent = Some(parent).filter(|parent| !parent.is_empty());
        Self { layout, form }
    }
}

/// The form, empty or as it came back.
#[derive(Template)]
#[template(path = "comments/_form.html")]
pub struct CommentFormPart {
    layout: Layout,
    action: String,
    title: String,
    /// `h2` where the form is a part of the page, `h3` inside the comments.
    heading: &'static str,
    /// Id of the comment that is answered.
    parent: Option<String>,
    form: FormState<CommentForm>,
}

impl CommentFormPart {
    #[must_use]
    pub fn for_post(layout: &Layout, slug: &str, form: FormState<CommentForm>) -> Self {
        Self {
            action: urls::comments(slug),
            title: layout.t("comment-write"),
            heading: "h3",
            parent: None,
            form,
            layout: layout.clone(),
        }
    }

    fn for_reply(
        layout: &Layout,
        slug: &str,
        parent: &ShownComment,
        form: FormState<CommentForm>,
    ) -> Self {
        Self {
            action: urls::comments(slug),
            title: layout.named("reply-to", parent.author.name()),
            heading: "h2",
            parent: Some(parent.id.to_hex()),
            form,
            layout: layout.clone(),
        }
    }

    #[must_use]
    pub fn has_mistakes(&self) -> bool {
        !self.form.mistakes.is_empty()
    }

    /// The words about a field's mistake.
    fn mistake(&self, field: &str) -> Option<String> {
        self.form.mistake(field).map(|mistake| self.layout.t(mistake.key))
    }
}
