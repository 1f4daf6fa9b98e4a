//! Publishes what was scheduled, once its time has come.

use super::Counts;
use crate::{state::AppState, writing::due};

pub(super) async fn run(state: &AppState) -> anyhow::Result<Counts> {
    let published = due::publish_due(state).await?;
    Ok(vec![("published", u64::try_from(published)?)])
}
