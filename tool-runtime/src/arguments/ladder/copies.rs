//! Several objects in one text: the same one again, or different ones.

use std::cmp::Ordering;

use crate::arguments::lenient::Notes;
use crate::json::Node;

/// The one object that `objects` say; `None` if they say different things.
pub(super) fn only_object(mut objects: Vec<Node>, notes: &mut Notes) -> Option<Node> {
    for rule in COPIES {
        let count = objects.len();
        objects = (rule.drop)(objects);
        if objects.len() < count {
            notes.repaired(rule.name);
        }
    }
    if objects.len() == 1 { objects.pop() } else { None }
}

/// A kind of object that can be left out, since nothing is lost.
struct Copies {
    name: &'static str,
    /// Gives back the objects that stay.
    drop: fn(Vec<Node>) -> Vec<Node>,
}

const COPIES: &[Copies] = &[Copies { name: "repeated_object", drop: repeated_objects }];

/// The same object again.
fn repeated_objects(mut objects: Vec<Node>) -> Vec<Node> {
    if objects.split_first().is_some_and(|(first, others)| others.iter().all(|other| same(first, other))) {
        objects.truncate(1);
    }
    objects
}

/// Whether two values are the same, whatever the order of their keys. Numbers must be spelled alike.
fn same(left: &Node, right: &Node) -> bool {
    compare(left, right) == Ordering::Equal
}

/// Orders values; only equality means something.
fn compare(left: &Node, right: &Node) -> Ordering {
    match (left, right) {
        (Node::Bool(left), Node::Bool(right)) => left.cmp(right),
        (Node::Number(left), Node::Number(right)) | (Node::String(left), Node::String(right)) => {
            left.cmp(right)
        }
        (Node::Array(left), Node::Array(right)) => compare_all(left.iter(), right.iter()),
        (Node::Object(left), Node::Object(right)) => {
            let (left, right) = (by_key(left), by_key(right));
            left.iter().map(|member| &member.0).cmp(right.iter().map(|member| &member.0)).then_with(|| {
                compare_all(left.iter().map(|member| &member.1), right.iter().map(|member| &member.1))
            })
        }
        _ => rank(left).cmp(&rank(right)),
    }
}

fn compare_all<'n>(
    left: impl Iterator<Item = &'n Node>,
    mut right: impl Iterator<Item = &'n Node>,
) -> Ordering {
    for left in left {
        let Some(right) = right.next() else { return Ordering::Greater };
        match compare(left, right) {
            Ordering::Equal => {}
            unequal => return unequal,
        }
    }
    if right.next().is_some() { Ordering::Less } else { Ordering::Equal }
}

/// The members in the order of their keys; those of one key stay in the order of the text.
fn by_key(members: &[(String, Node)]) -> Vec<&(String, Node)> {
    let mut sorted: Vec<_> = members.iter().collect();
    sorted.sort_by(|left, right| left.0.cmp(&right.0));
    sorted
}

fn rank(node: &Node) -> u8 {
    match node {
        Node::Null => 0,
        Node::Bool(_) => 1,
        Node::Number(_) => 2,
        Node::String(_) => 3,
        Node::Array(_) => 4,
        Node::Object(_) => 5,
    }
}
