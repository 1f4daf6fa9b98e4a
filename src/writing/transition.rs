//! What each button makes of a post's status and times.

use mongodb::bson::DateTime;

use crate::posts::{editing::EditedPost, model::PostStatus};

/// A button of the editor that changes something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    Save,
    Publish,
    Schedule,
    Unpublish,
    Archive,
    Delete,
    Restore,
}

impl Action {
    /// As the form names it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Some(match name {
            "save" => Self::Save,
            "publish" => Self::Publish,
            "schedule" => Self::Schedule,
            "unpublish" => Self::Unpublish,
            "archive" => Self::Archive,
            "delete" => Self::Delete,
            "restore" => Self::Restore,
            _ => return None,
        })
    }
}

/// Where a post stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Standing {
    pub status: PostStatus,
    /// Since when it is, or was at last, to be read.
    pub published_at: Option<DateTime>,
    /// When it is to be published by itself.
    pub publish_at: Option<DateTime>,
}

impl Standing {
    /// Of a post that is not there yet.
    pub const NEW: Self = Self { status: PostStatus::Draft, published_at: None, publish_at: None };

    #[must_use]
    pub fn of(post: &EditedPost) -> Self {
        Self { status: post.status, published_at: post.published_at, publish_at: post.publish_at }
    }

    /// Where it stands after a button was pressed at `now`, with a time typed or
    /// not.
    ///
    /// # Errors
    /// The key of the message that says why not.
    pub fn after(
        self,
        action: Action,
        typed: Option<DateTime>,
        now: DateTime,
    ) -> Result<Self, &'static str> {
        use PostStatus::{Archived, Deleted, Draft, Published, Scheduled};
        let upcoming = || match typed {
            None => Err("publish-at-missing"),
            Some(at) if at <= now => Err("publish-at-past"),
            Some(at) => Ok(Self { status: Scheduled, publish_at: Some(at), ..self }),
        };
        let out_since = |at| Self { status: Published, published_at: Some(at), publish_at: None };
        match (action, self.status) {
            (Action::Restore, Deleted) => Ok(Self { status: Draft, publish_at: None, ..self }),
            (Action::Restore, _) | (_, Deleted) => Err("action-impossible"),
            (Action::Delete, _) => Ok(Self { status: Deleted, publish_at: None, ..self }),
            (Action::Unpublish, _) => Ok(Self { status: Draft, publish_at: None, ..self }),
            (Action::Schedule, _) | (Action::Save, Scheduled) => upcoming(),
            (Action::Save, Draft) => Ok(Self { publish_at: typed, ..self }),
            (Action::Save, Published | Archived) | (Action::Publish, Published) => match typed {
                Some(at) if at > now => Err("publish-at-future"),
                typed => Ok(Self { published_at: typed.or(self.published_at), ..self }),
            },
            (Action::Archive, Published | Archived) => Ok(Self { status: Archived, ..self }),
            (Action::Archive, _) => Err("action-impossible"),
            // Its time has not come: whoever presses this wants it out now.
            (Action::Publish, Scheduled) => Ok(out_since(now)),
            (Action::Publish, Draft | Archived) => match typed {
                Some(at) if at > now => upcoming(),
                typed => Ok(out_since(typed.or(self.published_at).unwrap_or(now))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PostStatus::{Archived, Deleted, Draft, Published, Scheduled};

    const NOW: i64 = 1000;

    fn at(millis: i64) -> DateTime {
        DateTime::from_millis(millis)
    }

    fn standing(status: PostStatus, published: Option<i64>, publish: Option<i64>) -> Standing {
        Standing { status, published_at: published.map(at), publish_at: publish.map(at) }
    }

    #[test]
    fn every_button_in_every_status() {
        let draft = Standing::NEW;
        let once_out = standing(Draft, Some(5), None);
        let scheduled = standing(Scheduled, None, Some(2000));
        let out = standing(Published, Some(5), None);
        let archived = standing(Archived, Some(5), None);
        let binned = standing(Deleted, Some(5), None);
        for (before, action, typed, after) in [
            (draft, Action::Save, None, Ok(draft)),
            (draft, Action::Save, Some(2000), Ok(standing(Draft, None, Some(2000)))),
            (draft, Action::Publish, None, Ok(standing(Published, Some(NOW), None))),
            (draft, Action::Publish, Some(7), Ok(standing(Published, Some(7), None))),
            (draft, Action::Publish, Some(2000), Ok(scheduled)),
            (draft, Action::Schedule, Some(2000), Ok(scheduled)),
            (draft, Action::Schedule, Some(NOW), Err("publish-at-past")),
            (draft, Action::Schedule, None, Err("publish-at-missing")),
            (draft, Action::Archive, None, Err("action-impossible")),
            (draft, Action::Delete, None, Ok(standing(Deleted, None, None))),
            (draft, Action::Restore, None, Err("action-impossible")),
            (once_out, Action::Publish, None, Ok(out)),
            (scheduled, Action::Save, Some(3000), Ok(standing(Scheduled, None, Some(3000)))),
            (scheduled, Action::Save, None, Err("publish-at-missing")),
            (scheduled, Action::Publish, Some(2000), Ok(standing(Published, Some(NOW), None))),
            (scheduled, Action::Unpublish, None, Ok(draft)),
            (out, Action::Save, Some(3), Ok(standing(Published, Some(3), None))),
            (out, Action::Save, Some(2000), Err("publish-at-future")),
            (out, Action::Publish, None, Ok(out)),
            (out, Action::Unpublish, None, Ok(once_out)),
            (out, Action::Archive, None, Ok(archived)),
            (out, Action::Schedule, Some(2000), Ok(standing(Scheduled, Some(5), Some(2000)))),
            (out, Action::Delete, None, Ok(binned)),
            (archived, Action::Save, None, Ok(archived)),
            (archived, Action::Publish, None, Ok(out)),
            (binned, Action::Restore, None, Ok(once_out)),
            (binned, Action::Publish, None, Err("action-impossible")),
            (binned, Action::Save, None, Err("action-impossible")),
            (binned, Action::Delete, None, Err("action-impossible")),
        ] {
            let result = before.after(action, typed.map(at), at(NOW));
            assert_eq!(result, after, "{before:?} {action:?} {typed:?}");
        }
    }
}
