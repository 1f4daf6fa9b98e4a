//! `inkstone seed`: sample content for an empty database.

use std::io::Write;

use anyhow::bail;

use crate::{
    config::Config, db::Db, schema, seed::sample::Sample, startup, state::AppState, users,
};

pub(super) async fn run(config: &Config) -> anyhow::Result<()> {
    let open = startup::open_database(config, None).await?;
    let seeded = seed(config, &open.db).await;
    open.close().await;
    writeln!(std::io::stdout(), "{}", seeded?)?;
    Ok(())
}

/// Says what was done.
async fn seed(config: &Config, db: &Db) -> anyhow::Result<String> {
    schema::init(db, config.validation).await?;
    if users::queries::is_any(db).await? {
        bail!("there is content in database {} already", config.mongodb_database);
    }
    seed_sample(db).await
}

async fn seed_sample(db: &Db) -> anyhow::Result<String> {
    let sample = Sample::load()?;
    let (posts, users) = (sample.documents.posts.len(), sample.users.len());
    let comments = sample.documents.comments.len();
    sample.write(db).await?;
    Ok(format!("{posts} posts by {users} authors with {comments} comments"))
}

/// Fills a database in which there is nobody yet.
///
/// # Errors
/// The database does not answer.
pub async fn if_empty(state: &AppState) -> anyhow::Result<()> {
    if users::queries::is_any(&state.db).await? {
        return Ok(());
    }
    let filled_in = seed_sample(&state.db).await?;
    tracing::info!("sample content: {filled_in}");
    Ok(())
}
