//! Who may do what. Whatever is not said here may nobody.

use mongodb::bson::oid::ObjectId;
use serde::{Deserialize, Serialize};

/// What a member may do, least first: each may all that those before it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Comments, likes, follows.
    Reader,
    /// Writes and publishes own posts.
    Author,
    /// Edits everybody's posts, reviews comments.
    Editor,
    /// Runs the site.
    Admin,
}

impl Role {
    pub const ALL: [Self; 4] = [Self::Reader, Self::Author, Self::Editor, Self::Admin];

    /// As stored, in forms and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Author => "author",
            Self::Editor => "editor",
            Self::Admin => "admin",
        }
    }

    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.name() == name)
    }

    /// Those who can do damage to others: shorter sessions, longer passwords.
    #[must_use]
    pub fn is_staff(self) -> bool {
        self >= Self::Editor
    }
}

/// Posts of one's own, with all that belongs to them: drafts, revisions, images.
#[must_use]
pub fn may_write(role: Role) -> bool {
    role >= Role::Author
}

/// A post, or anything else that somebody owns.
#[must_use]
pub fn may_edit(role: Role, owner: ObjectId, me: ObjectId) -> bool {
    role >= Role::Editor || (may_write(role) && owner == me)
}

/// What others wrote: approve, hide, put into a category.
#[must_use]
pub fn may_moderate(role: Role) -> bool {
    role >= Role::Editor
}

/// Users, roles, settings, jobs.
#[must_use]
pub fn may_administer(role: Role) -> bool {
    role >= Role::Admin
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_role_may_what_the_ones_below_may() {
        let (me, other) = (ObjectId::from_bytes([1; 12]), ObjectId::from_bytes([2; 12]));
        let can = |role| {
            [
                may_write(role),
                may_edit(role, me, me),
                may_edit(role, other, me),
                may_moderate(role),
                may_administer(role),
            ]
        };
        assert_eq!(can(Role::Reader), [false, false, false, false, false]);
        assert_eq!(can(Role::Author), [true, true, false, false, false]);
        assert_eq!(can(Role::Editor), [true, true, true, true, false]);
        assert_eq!(can(Role::Admin), [true, true, true, true, true]);
    }

    #[test]
    fn names_lead_back_to_their_roles() {
        for role in Role::ALL {
            assert_eq!(Role::named(role.name()), Some(role));
        }
        assert_eq!(Role::named("Admin"), None);
        assert!(Role::Editor.is_staff() && !Role::Author.is_staff());
    }
}
