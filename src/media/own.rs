//! A member's own pictures: the list, uploading, deleting, and one as avatar.

use std::collections::HashMap;

use actix_multipart::Multipart;
use actix_web::{
    HttpRequest, HttpResponse,
    http::{StatusCode, header},
    web::{Data, ServiceConfig, post, resource},
};
use serde::Deserialize;

use super::{
    actions,
    model::{Media, NewMedia, hash_of},
    pages::{MediaPage, RefusedFile, refusal_key},
    queries,
    upload::{SentFile, Upload},
};
use crate::{
    domain::{image, names, permission::may_write},
    posts,
    state::AppState,
    urls,
    web::{
        error::{AppError, AppResult},
        extractors::parameter,
        layout::Layout,
        member_form::MemberForm,
        middleware::error_pages::{WhyKept, keep_text},
        render::{CachePolicy, DependsOn, render_as},
        routing::page,
        viewer::{Member, SignedIn, allowed},
    },
};

/// Characters of a file's name that are kept to be shown.
const MAX_NAME_CHARS: usize = 120;

pub fn routes(cfg: &mut ServiceConfig) {
    cfg.service(page(urls::pattern::MEDIA, mine).route(post().to(upload)))
        .service(resource(urls::pattern::MEDIA_DELETE).route(post().to(delete)))
        .service(resource(urls::pattern::AVATAR).route(post().to(use_as_avatar)));
}

async fn mine(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
) -> AppResult<HttpResponse> {
    allowed(may_write(member.role))?;
    let after = parameter(&request, "before");
    let stored = parameter(&request, "stored").and_then(|count| count.parse().ok()).unwrap_or(0);
    let said = Said { stored, refused: Vec::new(), mistake: None };
    draw(&request, &state, &member, StatusCode::OK, after.as_deref(), said).await
}

/// What is said above the list.
struct Said {
    stored: i64,
    refused: Vec<RefusedFile>,
    mistake: Option<&'static str>,
}

async fn draw(
    request: &HttpRequest,
    state: &AppState,
    member: &Member,
    status: StatusCode,
    after: Option<&str>,
    said: Said,
) -> AppResult<HttpResponse> {
    let all = queries::own(&state.db, member.id).await?;
    let (images, older) = MediaPage::cut(all, after).ok_or(AppError::NotFound)?;
    let ids: Vec<_> = images.iter().flat_map(|image| &image.used_in).copied().collect();
    let titles: HashMap<_, _> = posts::queries::find_titles(&state.db, member.id, &ids)
        .await?
        .into_iter()
        .map(|post| (post.id, post))
        .collect();
    let Said { stored, refused, mistake } = said;
    let layout = Layout::of(request, state);
    let page = MediaPage { layout, images, titles, older, stored, refused, mistake };
    render_as(status, &page, CachePolicy::Private, DependsOn::nothing())
}

/// Each file by itself: one that is refused does not keep the others out.
async fn upload(
    request: HttpRequest,
    state: Data<AppState>,
    SignedIn(member): SignedIn,
    parts: Multipart,
) -> AppResult<HttpResponse> {
    allowed(may_write(member.role))?;
    let mut upload = Upload::new(parts);
    if !member.is_form_token(&state.site_key, &upload.token().await?) {
        return keep_text(&request, &state, WhyKept::StaleForm, Vec::new());
    }
    let mut room =
        queries::MOST_OWN.saturating_sub(queries::own(&state.db, member.id).await?.len());
    let mut said = Said { stored: 0, refused: Vec::new(), mistake: None };
    while let Some(file) = upload.next_file().await? {
        let name = shown_name(&file.name);
        let outcome = if room == 0 {
            Err("images-too-many")
        } else {
            store(&state, &member, &name, file).await?
        };
        match outcome {
            Ok(()) => {
                said.stored += 1;
                room -= 1;
            }
            Err(key) => said.refused.push(RefusedFile { name, key }),
        }
    }
    if said.stored == 0 && said.refused.is_empty() {
        said.mistake = Some("no-image-chosen");
    } else if said.refused.is_empty() {
        let location = urls::media_stored(said.stored);
        return Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish());
    }
    draw(&request, &state, &member, StatusCode::UNPROCESSABLE_ENTITY, None, said).await
}

/// `Err` with the key of the message that says what is wrong with the file.
async fn store(
    state: &AppState,
    member: &Member,
    name: &str,
    file: SentFile,
) -> AppResult<Result<(), &'static str>> {
    let Some(bytes) = file.bytes else {
        return Ok(Err(refusal_key(image::ImageRefusal::TooLarge)));
    };
    let hash = hash_of(member.id, &bytes);
    let processed = match state.images.run(move || image::process(&bytes)).await? {
        Ok(processed) => processed,
        Err(refusal) => return Ok(Err(refusal_key(refusal))),
    };
    let new = NewMedia::new(hash, member.id, name.to_owned(), processed, state.clock.now());
    let db = state.db.clone();
    state.writes.to_the_end(async move { actions::store(&db, &new).await }).await??;
    Ok(Ok(()))
}

/// For its owner to know it by.
fn shown_name(sent: &str) -> String {
    let name = names::tidy(sent);
    // Some browsers send the whole path.
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    last.chars().take(MAX_NAME_CHARS).collect()
}

#[derive(Deserialize)]
struct ImageForm {
    /// Its hash.
    image: String,
}

async fn own_image(state: &AppState, member: &Member, hash: &str) -> AppResult<Media> {
    let found = queries::find_for(&state.db, &[hash.to_owned()]).await?;
    let own = found.into_iter().find(|image| image.owner_id == member.id);
    own.ok_or(AppError::NotFound)
}

/// Only what nothing uses: elsewhere there would be a hole.
async fn delete(state: Data<AppState>, form: MemberForm<ImageForm>) -> AppResult<HttpResponse> {
    let image = own_image(&state, &form.member, &form.fields.image).await?;
    let db = state.db.clone();
    let is_gone =
        state.writes.to_the_end(async move { actions::remove(&db, &image).await }).await??;
    if !is_gone {
        return Err(AppError::NotFound);
    }
    Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, urls::media())).finish())
}

async fn use_as_avatar(
    state: Data<AppState>,
    form: MemberForm<ImageForm>,
) -> AppResult<HttpResponse> {
    let image = own_image(&state, &form.member, &form.fields.image).await?;
    let (db, before) = (state.db.clone(), form.member.avatar.clone());
    let set = async move { actions::use_as_avatar(&db, before.as_deref(), &image).await };
    state.writes.to_the_end(set).await??;
    let location = urls::author(&form.member.username);
    Ok(HttpResponse::SeeOther().insert_header((header::LOCATION, location)).finish())
}
