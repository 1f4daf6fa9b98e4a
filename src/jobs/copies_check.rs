//! Looks at every copy in every document, whatever the change stream said, and
//! repairs what differs.

use super::Counts;
use crate::{copies, state::AppState};

pub(super) async fn run(state: &AppState) -> anyhow::Result<Counts> {
    Ok(copies::check_all(&state.db).await?)
}
