//! Comments in order of making, turned into nested threads.

use std::collections::{HashMap, HashSet};

use mongodb::bson::oid::ObjectId;

use super::model::ShownComment;

/// Deeper replies are reached by a link to their own page.
pub const MAX_LEVELS: usize = 6;

/// A comment with the replies that are shown below it.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    pub comment: ShownComment,
    pub replies: Vec<Node>,
    /// Replies below this one that are on its own page only.
    pub hidden_count: usize,
}

/// Puts each comment under its parent, where the parent is among them; the
/// others become roots. At [`MAX_LEVELS`] nesting ends and what is below is
/// counted instead. `replies` are in the order of making, so a parent comes
/// before its replies.
#[must_use]
pub fn nest(comments: Vec<ShownComment>) -> Vec<Node> {
    let present: HashSet<ObjectId> = comments.iter().map(|comment| comment.id).collect();
    let mut below: HashMap<ObjectId, Vec<ShownComment>> = HashMap::new();
    let mut roots = Vec::new();
    for comment in comments {
        match comment.parent_id.filter(|id| *id != comment.id && present.contains(id)) {
            Some(parent) => below.entry(parent).or_default().push(comment),
            None => roots.push(comment),
        }
    }
    roots.into_iter().map(|root| grow(root, &mut below, 1)).collect()
}

fn grow(
    comment: ShownComment,
    below: &mut HashMap<ObjectId, Vec<ShownComment>>,
    level: usize,
) -> Node {
    let children = below.remove(&comment.id).unwrap_or_default();
    if level == MAX_LEVELS {
        let hidden_count = children.into_iter().map(|child| 1 + count(child.id, below)).sum();
        return Node { comment, replies: Vec::new(), hidden_count };
    }
    let replies = children.into_iter().map(|child| grow(child, below, level + 1)).collect();
    Node { comment, replies, hidden_count: 0 }
}

/// How many are below, taking them out; without recursion, for they may be deep.
fn count(id: ObjectId, below: &mut HashMap<ObjectId, Vec<ShownComment>>) -> usize {
    let mut waiting = vec![id];
    let mut total = 0;
    while let Some(id) = waiting.pop() {
        let children = below.remove(&id).unwrap_or_default();
        total += children.len();
        waiting.extend(children.into_iter().map(|child| child.id));
    }
    total
}

#[cfg(test)]
mod tests {
    use mongodb::bson::DateTime;

    use super::*;
    use crate::domain::{comment_card::Commenter, safe_html::SafeHtml};

    fn id(n: u8) -> ObjectId {
        ObjectId::from_bytes([n; 12])
    }

    fn comment(n: u8, parent: Option<u8>) -> ShownComment {
        ShownComment {
            id: id(n),
            root_id: id(0),
            parent_id: parent.map(id),
            ancestors: Vec::new(),
            author: Commenter::Guest { name: n.to_string(), website: None },
            html: SafeHtml::default(),
            likes: 0,
            reply_count: 0,
            created_at: DateTime::from_millis(i64::from(n)),
        }
    }

    fn shape(nodes: &[Node]) -> String {
        let mut text = String::new();
        for node in nodes {
            text += node.comment.author.name();
            if node.hidden_count > 0 {
                text = format!("{text}+{}", node.hidden_count);
            }
            text = format!("{text}({})", shape(&node.replies));
        }
        text
    }

    #[test]
    fn replies_stand_below_what_they_answer() {
        let read =
            vec![comment(1, None), comment(2, Some(1)), comment(3, Some(2)), comment(4, Some(1))];
        assert_eq!(shape(&nest(read)), "1(2(3())4())");
    }

    #[test]
    fn a_reply_whose_parent_is_on_another_page_is_not_lost() {
        assert_eq!(shape(&nest(vec![comment(5, Some(1)), comment(6, Some(5))])), "5(6())");
    }

    #[test]
    fn nesting_ends_and_what_is_below_is_counted() {
        let chain = (1..=9).map(|n| comment(n, (n > 1).then(|| n - 1))).collect();
        assert_eq!(shape(&nest(chain)), "1(2(3(4(5(6+3())))))");
    }

    #[test]
    fn a_comment_that_answers_itself_is_shown_once() {
        assert_eq!(shape(&nest(vec![comment(1, Some(1))])), "1()");
    }
}
