//! Ids of seeded documents: made of what is known, never of chance.

use mongodb::bson::{DateTime, oid::ObjectId};

/// Which content a document belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Set {
    Sample,
    /// Bulk content, by its seed.
    Bulk(u16),
}

/// What an id is of; part of the id, so that no two meet.
#[derive(Debug, Clone, Copy)]
pub enum Kind {
    User = 1,
    Category = 2,
    Post = 3,
    Comment = 4,
}

impl Set {
    /// An id made of a time, the set, a kind and a number: the same each time,
    /// and in the order of time and number within one set and kind.
    pub fn id(self, kind: Kind, at: DateTime, number: usize) -> ObjectId {
        let seconds = u32::try_from(at.timestamp_millis() / 1000).unwrap_or_default();
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        let [s0, s1, s2, s3] = seconds.to_be_bytes();
        let [m0, m1, m2] = self.mark();
        let [n0, n1, n2, n3] = number.to_be_bytes();
        ObjectId::from_bytes([s0, s1, s2, s3, m0, m1, m2, kind as u8, n0, n1, n2, n3])
    }

    fn mark(self) -> [u8; 3] {
        match self {
            Self::Sample => *b"see",
            Self::Bulk(seed) => {
                let [high, low] = seed.to_be_bytes();
                [b'b', high, low]
            }
        }
    }
}

/// Whether two ids were made by the same hand: of one set here, or by one
/// process that served the site.
pub fn are_of_one_set(a: ObjectId, b: ObjectId) -> bool {
    let mark = |id: ObjectId| {
        let [_, _, _, _, m0, m1, m2, ..] = id.bytes();
        [m0, m1, m2]
    };
    mark(a) == mark(b)
}
