//! The lists and objects that are not closed yet.

use crate::json::Node;

/// A list or object whose end is still to come.
pub(super) enum Open {
    List(Vec<Node>),
    /// The members so far, and the key whose value is being read.
    Object(Vec<(String, Node)>, Option<String>),
}

impl Open {
    /// Whether the last bracket inside may have been this container's own, and the missing one that of a container inside:
    /// `[[1, 2]` is `[[1, 2]]` or `[[1], 2]` or, with an opening bracket too many, `[1, 2]`.
    pub(super) fn may_end_elsewhere(&self) -> bool {
        let mut innermost = match self {
            Self::List(items) => return matches!(items.last(), Some(Node::Array(_))),
            Self::Object(members, _) => members.last(),
        };
        while let Some((_, Node::Object(members))) = innermost {
            if members.len() > 1 {
                return true;
            }
            innermost = members.last();
        }
        false
    }

    pub(super) fn into_node(self) -> Node {
        match self {
            Self::List(items) => Node::Array(items),
            Self::Object(members, _) => Node::Object(members),
        }
    }
}
