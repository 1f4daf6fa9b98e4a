//! Keyset paging: where a page of a list starts, and where the next ones do.
//!
//! A cursor names the last thing shown, not a number of things to skip, so page
//! 200 costs what page 1 costs and nothing repeats or vanishes when others are
//! added meanwhile. Ties are broken by `_id`.

use mongodb::bson::{DateTime, oid::ObjectId};

/// Cards on a page of posts, and top-level comments on a page of comments.
pub const PAGE_SIZE: usize = 20;

/// Where something stands in a list ordered by time, then `_id`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    pub at: DateTime,
    pub id: ObjectId,
}

impl Cursor {
    /// The form used in addresses: milliseconds since 1970, `-`, 24 hex digits.
    #[must_use]
    pub fn encode(&self) -> String {
        format!("{}-{}", self.at.timestamp_millis(), self.id.to_hex())
    }

    /// Reads what [`Cursor::encode`] wrote; anything else is `None`.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let (at, id) = text.rsplit_once('-')?;
        let millis: i64 = at.parse().ok()?;
        let cursor = Self { at: DateTime::from_millis(millis), id: ObjectId::parse_str(id).ok()? };
        // One spelling for each cursor, so one page has one address.
        (cursor.encode() == text).then_some(cursor)
    }
}

/// Where something stands in a list ordered by a count, largest first, then
/// `_id`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CountCursor {
    pub count: i64,
    pub id: String,
}

impl CountCursor {
    /// The form used in addresses: the count, `-`, the id.
    #[must_use]
    pub fn encode(&self) -> String {
        format!("{}-{}", self.count, self.id)
    }

    /// Reads what [`CountCursor::encode`] wrote of a count that is not negative;
    /// anything else is `None`.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        let (count, id) = text.split_once('-')?;
        let cursor = Self { count: count.parse().ok()?, id: id.to_owned() };
        (cursor.encode() == text).then_some(cursor)
    }
}

/// Moments from `first` to `last`, both among them: times are stored in whole
/// milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeRange {
    pub first: DateTime,
    pub last: DateTime,
}

/// Which page of a list is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position<C> {
    First,
    /// The page that follows the item at the cursor, in list order.
    Following(C),
    /// The page that comes right before the item at the cursor.
    Preceding(C),
}

impl<C> Position<C> {
    /// Where reading begins, if not at the beginning.
    #[must_use]
    pub fn cursor(&self) -> Option<&C> {
        match self {
            Self::First => None,
            Self::Following(cursor) | Self::Preceding(cursor) => Some(cursor),
        }
    }

    /// Whether the list is read against its order.
    #[must_use]
    pub fn is_backwards(&self) -> bool {
        matches!(self, Self::Preceding(_))
    }
}

/// One page of a list, in list order, with the cursors of its neighbours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Page<T, C> {
    pub items: Vec<T>,
    /// Give to [`Position::Preceding`].
    pub preceding: Option<C>,
    /// Give to [`Position::Following`].
    pub following: Option<C>,
}

impl<T, C> Page<T, C> {
    /// Cuts what was read into a page. `read` holds up to `size + 1` items in
    /// the direction of reading; the extra one only tells that there are more.
    pub fn cut(
        mut read: Vec<T>,
        size: usize,
        position: &Position<C>,
        cursor_of: impl Fn(&T) -> C,
    ) -> Self {
        let more = read.len() > size;
        read.truncate(size);
        let backwards = position.is_backwards();
        if backwards {
            read.reverse();
        }
        let has_preceding = match position {
            Position::First => false,
            Position::Following(_) => true,
            Position::Preceding(_) => more,
        };
        let has_following = more || backwards;
        Self {
            preceding: read.first().filter(|_| has_preceding).map(&cursor_of),
            following: read.last().filter(|_| has_following).map(&cursor_of),
            items: read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_survives_its_address() {
        for millis in [0, -1, 1_778_575_800_123, i64::MIN / 2] {
            let cursor =
                Cursor { at: DateTime::from_millis(millis), id: ObjectId::from_bytes([7; 12]) };
            assert_eq!(Cursor::decode(&cursor.encode()), Some(cursor));
        }
    }

    #[test]
    fn anything_else_is_no_cursor() {
        for bad in [
            "",
            "-",
            "1",
            "1-",
            "x-070707070707070707070707",
            "1-07070707070707070707070",
            "+1-070707070707070707070707",
            "01-070707070707070707070707",
            "1-070707070707070707070707 ",
            "99999999999999999999-070707070707070707070707",
            "1-07070707070707070707070G",
            "１-070707070707070707070707",
        ] {
            assert_eq!(Cursor::decode(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn a_counting_cursor_survives_its_address_whatever_the_id_holds() {
        for id in ["rust", "c++", "-", "a-b", "排版", ""] {
            let cursor = CountCursor { count: 12, id: id.to_owned() };
            assert_eq!(CountCursor::decode(&cursor.encode()), Some(cursor));
        }
        for bad in ["", "rust", "-1-rust", "01-rust", "+1-rust", "99999999999999999999-rust", "x-y"]
        {
            assert_eq!(CountCursor::decode(bad), None, "{bad:?}");
        }
    }

    #[test]
    fn pages_know_their_neighbours() {
        let cut = |read: &[i32], position| Page::cut(read.to_vec(), 2, &position, |item| *item);
        let page = cut(&[1, 2, 3], Position::First);
        assert_eq!(
            (page.items.as_slice(), page.preceding, page.following),
            (&[1, 2][..], None, Some(2))
        );
        let page = cut(&[3, 4], Position::Following(2));
        assert_eq!(
            (page.items.as_slice(), page.preceding, page.following),
            (&[3, 4][..], Some(3), None)
        );
        let page = cut(&[4, 3, 2], Position::Preceding(5));
        assert_eq!(
            (page.items.as_slice(), page.preceding, page.following),
            (&[3, 4][..], Some(3), Some(4))
        );
        let page = cut(&[2, 1], Position::Preceding(3));
        assert_eq!(
            (page.items.as_slice(), page.preceding, page.following),
            (&[1, 2][..], None, Some(2))
        );
        let page = cut(&[], Position::First);
        assert_eq!((page.items.len(), page.preceding, page.following), (0, None, None));
    }
}
