//! `inkstone seed`: sample content for an empty database.

use std::io::Write;

use anyhow::bail;

use crate::{
    config::Config,
    schema,
    seed::{
        content::Content,
        documents::Documents,
        write::{Written, write},
    },
    startup,
    state::AppState,
    users,
};

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let open = startup::open_database(config, None).await?;
    let seeded = seed(config, &open.db).await;
    open.close().await;
    let Written { users, posts, comments } = seeded?;
    let mut out = std::io::stdout();
    writeln!(out, "{posts} posts by {users} authors with {comments} comments")?;
    Ok(())
}

async fn seed(config: &Config, db: &crate::db::Db) -> anyhow::Result<Written> {
    schema::init(db, config.validation).await?;
    if users::queries::is_any(db).await? {
        bail!("there is content in database {} already", config.mongodb_database);
    }
    let documents = Documents::from_content(&Content::load()?, &config.site.zone)?;
    Ok(write(db, &documents).await?)
}

/// Fills a database in which there is nobody yet.
///
/// # Errors
/// The database does not answer.
pub async fn if_empty(state: &AppState) -> anyhow::Result<()> {
    if users::queries::is_any(&state.db).await? {
        return Ok(());
    }
    let documents = Documents::from_content(&Content::load()?, &state.site.zone)?;
    let written = write(&state.db, &documents).await?;
    tracing::info!(posts = written.posts, comments = written.comments, "sample content filled in");
    Ok(())
}
