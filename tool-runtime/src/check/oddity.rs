//! What JSON can spell and a Rust value cannot hold: a key with two values, a number beyond every float.

use std::collections::{HashMap, HashSet};

use super::equal::canonical;
use super::number::{Decimal, Num};
use super::path::{Path, shown};
use super::value::PROBLEM_LIMIT;
use crate::error::{Problem, quoted};
use crate::json::Node;

/// Where a value cannot be held as it is spelled, at most 100 places. Keys given twice with the same value count too.
pub(crate) fn oddities(node: &Node) -> Vec<Problem> {
    let mut problems = Vec::new();
    walk(node, &Path::Root, &mut problems);
    problems
}

fn walk(node: &Node, path: &Path<'_>, problems: &mut Vec<Problem>) {
    if problems.len() >= PROBLEM_LIMIT {
        return;
    }
    match node {
        Node::Number(spelling) if Num::parse(spelling).is_none() => {
            problems.push(Problem::new(path.to_string(), "a number of at most 1.7e308", shown(node)));
        }
        Node::Array(items) => {
            for (index, item) in items.iter().enumerate() {
                walk(item, &path.index(index), problems);
            }
        }
        Node::Object(members) => {
            let repeats = has_repeats(members);
            let mut seen: HashMap<&str, &Node> = HashMap::new();
            for (key, value) in members {
                let path = path.key(key);
                if problems.len() >= PROBLEM_LIMIT {
                    return;
                }
                if repeats && let Some(first) = seen.insert(key, value) {
                    problems.push(
                        Problem::new(
                            path.to_string(),
                            "each key once",
                            format!("{} and {}", shown(first), shown(value)),
                        )
                        .with_hint(format!("{} is given twice with different values", quoted(key))),
                    );
                }
                walk(value, &path, problems);
            }
        }
        _ => {}
    }
}

/// Whether a number in it is whole and yet not spelled as an integer, which serde would refuse for one.
pub(crate) fn has_loose_integer(node: &Node) -> bool {
    match node {
        Node::Number(spelling) => is_loose_integer(spelling),
        Node::Array(items) => items.iter().any(has_loose_integer),
        Node::Object(members) => members.iter().any(|(_, value)| has_loose_integer(value)),
        _ => false,
    }
}

/// Whether the number is whole and yet not spelled as an integer: `40.0`, `4e1`, `-0`.
pub(crate) fn is_loose_integer(spelling: &str) -> bool {
    (spelling.contains(['.', 'e', 'E']) || spelling == "-0") && Decimal::parse(spelling).is_whole()
}

/// Takes out what is said twice in the same way. Gives the paths of what was taken out.
pub(crate) fn merge_repeats(node: &mut Node) -> Vec<String> {
    let mut merged = Vec::new();
    merge(node, &Path::Root, &mut merged);
    merged
}

fn merge(node: &mut Node, path: &Path<'_>, merged: &mut Vec<String>) {
    match node {
        Node::Array(items) => {
            for (index, item) in items.iter_mut().enumerate() {
                merge(item, &path.index(index), merged);
            }
        }
        Node::Object(members) => {
            for (key, value) in members.iter_mut() {
                merge(value, &path.key(key), merged);
            }
            if !has_repeats(members) {
                return;
            }
            let mut seen: HashMap<String, String> = HashMap::new();
            members.retain(|(key, value)| {
                let value = canonical(value);
                if seen.get(key).is_some_and(|first| *first == value) {
                    merged.push(path.key(key).to_string());
                    return false;
                }
                seen.entry(key.clone()).or_insert(value);
                true
            });
        }
        _ => {}
    }
}

fn has_repeats(members: &[(String, Node)]) -> bool {
    /// Up to here keys are compared one by one.
    const FEW: usize = 8;
    if members.len() <= FEW {
        let before = |at: usize| members.iter().take(at);
        return members.iter().enumerate().any(|(at, (key, _))| before(at).any(|(other, _)| other == key));
    }
    let mut seen = HashSet::with_capacity(members.len());
    !members.iter().all(|(key, _)| seen.insert(key))
}
