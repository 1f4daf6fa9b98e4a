//! What the editor answers with: itself, filled, or the way on.

use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
};
use futures_util::future::join;
use mongodb::bson::oid::ObjectId;

use super::{
    actions::Saved,
    forms::{PostForm, Written},
    pages::{Beside, EditorPage, Preview, REVISIONS_BESIDE},
    transition::Action,
};
use crate::{
    categories,
    domain::{names, permission::may_edit, text_diff::text_diff},
    posts::{
        self,
        editing::EditedPost,
        model::{PostSource, PostStatus},
    },
    revisions::{self, editors::Names},
    state::AppState,
    urls,
    web::{
        error::{AppError, AppResult},
        form_state::{FormState, Mistake},
        layout::Layout,
        render::{CachePolicy, DependsOn, render_as},
        viewer::Member,
    },
};

/// A post within reach and its source. What is out of reach is not there.
///
/// # Errors
/// 404.
pub async fn load(
    state: &AppState,
    member: &Member,
    id: ObjectId,
) -> AppResult<(EditedPost, PostSource)> {
    // One after the other: with a save between them, an old version beside a new text
    // ends in a conflict, but a new version beside an old text would undo that save.
    let post = posts::queries::find_edited(&state.db, id)
        .await?
        .filter(|post| may_edit(member.role, post.author.id, member.id))
        .ok_or(AppError::NotFound)?;
    let lost = || AppError::Internal(anyhow::anyhow!("post {id} has no source"));
    let source = posts::queries::find_source(&state.db, id).await?;
    Ok((post, source.ok_or_else(lost)?))
}

/// What stands beside the form of a post.
///
/// # Errors
/// When the database does not answer.
pub async fn beside(state: &AppState, post: Option<EditedPost>) -> AppResult<Beside> {
    let revisions = async {
        match &post {
            Some(post) => revisions::queries::page(&state.db, post.id, post.version).await,
            None => Ok(Vec::new()),
        }
    };
    let (categories, revisions) = join(categories::queries::all(&state.db), revisions).await;
    let (categories, mut revisions) = (categories?, revisions?);
    revisions.truncate(REVISIONS_BESIDE);
    let names = Names::find(&state.db, revisions.iter().map(|row| row.by)).await?;
    Ok(Beside { post, categories, revisions, names, ..Beside::default() })
}

/// The editor.
///
/// # Errors
/// 500 if the template fails.
pub fn show(
    request: &HttpRequest,
    state: &AppState,
    status: StatusCode,
    form: FormState<PostForm>,
    beside: Beside,
) -> AppResult<HttpResponse> {
    let page = EditorPage { layout: Layout::of(request, state), form, beside };
    render_as(status, &page, CachePolicy::Private, DependsOn::nothing())
}

/// Where a button leads.
#[must_use]
pub fn gone_on(id: ObjectId, action: Action, status: PostStatus, saved: &Saved) -> HttpResponse {
    let location = match (action, status) {
        (Action::Delete, _) => urls::drafts_of(PostStatus::Deleted.name()),
        (Action::Save, _) => urls::edit_done(&id.to_hex(), "saved"),
        (Action::Restore, _) => urls::edit_done(&id.to_hex(), "restored"),
        (_, status) => urls::edit_done(&id.to_hex(), status.name()),
    };
    tracing::info!(post = %id, version = saved.version, status = status.name(), "a post was saved");
    HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish()
}

/// The editor again, with everything typed.
pub struct Back<'a> {
    pub request: &'a HttpRequest,
    pub state: &'a AppState,
    /// The post as it was read for this request.
    pub before: Option<EditedPost>,
}

impl Back<'_> {
    /// With mistakes, 422.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn with(self, form: PostForm, mistakes: Vec<Mistake>) -> AppResult<HttpResponse> {
        let beside = beside(self.state, self.before).await?;
        let form = FormState { values: form, mistakes };
        show(self.request, self.state, StatusCode::UNPROCESSABLE_ENTITY, form, beside)
    }

    /// With what the text looks like.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn preview(self, form: PostForm, written: Written) -> AppResult<HttpResponse> {
        let mut beside = beside(self.state, self.before).await?;
        beside.preview = Some(Preview::of(written));
        let form = FormState { values: form, mistakes: Vec::new() };
        show(self.request, self.state, StatusCode::OK, form, beside)
    }

    /// Somebody saved meanwhile: both texts are shown, and the form goes on from
    /// the newest version, so that saving once more is a decision.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn conflict(
        self,
        form: PostForm,
        seen: Option<PostSource>,
    ) -> AppResult<HttpResponse> {
        let Some(id) = self.before.as_ref().map(|post| post.id) else {
            return Err(AppError::NotFound);
        };
        let (post, source) = join(
            posts::queries::find_edited(&self.state.db, id),
            posts::queries::find_source(&self.state.db, id),
        )
        .await;
        let post = post?.ok_or(AppError::NotFound)?;
        let theirs = source?.or(seen).map(|source| source.source).unwrap_or_default();
        let mine = form.body.clone().unwrap_or_else(|| theirs.clone());
        let hunks = self.state.rendering.run(move || text_diff(&theirs, &mine)).await?;
        let values = PostForm { version: post.version.to_string(), ..form };
        let mut beside = beside(self.state, Some(post)).await?;
        beside.conflict = Some(hunks);
        let form = FormState { values, mistakes: Vec::new() };
        show(self.request, self.state, StatusCode::CONFLICT, form, beside)
    }

    /// The form of a new post came twice. The first one made the post; a second one
    /// with another text is a change that has not seen it.
    ///
    /// # Errors
    /// When the database does not answer.
    pub async fn sent_before(
        self,
        member: &Member,
        id: ObjectId,
        form: PostForm,
    ) -> AppResult<HttpResponse> {
        let (post, source) = load(self.state, member, id).await?;
        let is_done = match form.action.as_str() {
            "publish" => matches!(post.status, PostStatus::Published | PostStatus::Scheduled),
            "schedule" => post.status == PostStatus::Scheduled,
            _ => true,
        };
        let is_same_title = names::tidy(&form.title) == post.title || form.title.is_empty();
        if is_done && is_same_title && form.body.as_ref() == Some(&source.source) {
            let location = urls::edit_done(&id.to_hex(), "saved");
            return Ok(HttpResponse::SeeOther()
                .insert_header((header::LOCATION, location))
                .finish());
        }
        Back { before: Some(post), ..self }.conflict(form, Some(source)).await
    }
}
