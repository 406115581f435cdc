//! Faults that a single rule finds by itself, and how they are told.

use std::collections::HashSet;

use crate::check::bounds::{admits_literal, length_fits, number_fits, string_fits};
use crate::check::describe::{self, describe, listed};
use crate::check::equal::canonical;
use crate::check::near::nearest;
use crate::check::number::Num;
use crate::check::path::{Path, shown};
use crate::check::pattern::LONGEST_MATCHED;
use crate::check::rule::{Literals, ObjectRule, Rule, RuleId, Rules};
use crate::error::{Problem, quoted};
use crate::json::Node;

pub(super) fn wrong_kind(rules: &Rules, id: RuleId, node: &Node, path: &Path<'_>) -> Problem {
    let problem = Problem::new(path.to_string(), describe(rules, id), shown(node));
    match node {
        Node::Number(_) if rules.get(id).types.is_integral() => problem.with_hint("it has a fraction"),
        _ => problem,
    }
}

pub(super) fn unknown_key(
    object: &ObjectRule,
    members: &[(String, Node)],
    key: &str,
    path: &Path<'_>,
) -> Problem {
    let names: Vec<&str> = object
        .properties
        .iter()
        .filter(|property| property.declared)
        .map(|property| property.name.as_str())
        .collect();
    let expected = match names.as_slice() {
        [] => "no keys at all".to_owned(),
        names => {
            let quoted: Vec<String> = names.iter().map(|name| quoted(name)).collect();
            format!("only the keys {}", listed(&quoted))
        }
    };
    let problem = Problem::new(path.to_string(), expected, format!("the unknown key {}", quoted(key)));
    let is_free = |name: &&str| !members.iter().any(|(key, _)| key == *name);
    match nearest(key, names.iter().copied()).filter(is_free) {
        Some(name) => problem.with_hint(format!("did you mean {}", quoted(name))),
        None => problem,
    }
}

pub(super) fn not_a_member(literals: &Literals, node: &Node, path: &Path<'_>) -> Problem {
    let problem = Problem::new(path.to_string(), describe::one_of(literals), shown(node));
    let Node::String(text) = node else { return problem };
    let texts = literals.members.iter().filter_map(|member| match member {
        Node::String(text) => Some(text.as_str()),
        _ => None,
    });
    match nearest(text, texts) {
        Some(name) if literals.members.len() > 1 => {
            problem.with_hint(format!("did you mean {}", quoted(name)))
        }
        _ => problem,
    }
}

/// What the rule itself expects of this value and does not get, in words; kinds fit already.
pub(super) fn own_fault(rule: &Rule, node: &Node) -> Option<Fault> {
    if let Some(literals) = &rule.literals
        && !admits_literal(literals, node)
    {
        return Some(Fault::Literal);
    }
    match node {
        Node::Number(spelling) => match Num::parse(spelling) {
            None => Some(Fault::Huge),
            Some(number) => {
                rule.number.as_ref().filter(|rule| !number_fits(rule, &number)).map(|_| Fault::Number)
            }
        },
        Node::String(text) => {
            rule.string.as_ref().filter(|rule| !string_fits(rule, text)).map(|_| Fault::String)
        }
        Node::Array(items) => {
            let array = rule.array.as_ref()?;
            if !length_fits(array.least, array.most, items.len()) {
                return Some(Fault::List);
            }
            repeated(rule, items).map(|_| Fault::List)
        }
        Node::Object(members) => {
            let object = rule.object.as_ref()?;
            (!length_fits(object.least, object.most, members.len())).then_some(Fault::Keys)
        }
        Node::Null | Node::Bool(_) => None,
    }
}

/// An item that stands in the list before, where that is not allowed.
fn repeated<'n>(rule: &Rule, items: &'n [Node]) -> Option<&'n Node> {
    let is_unique = rule.array.as_ref().is_some_and(|array| array.unique);
    let mut seen = HashSet::new();
    items.iter().filter(|_| is_unique).find(|item| !seen.insert(canonical(item)))
}

/// Which of a rule's own parts is not met.
pub(super) enum Fault {
    Literal,
    Huge,
    Number,
    String,
    List,
    Keys,
}

pub(super) fn own_problem(rule: &Rule, node: &Node, fault: Fault, path: &Path<'_>) -> Problem {
    let literals = rule.literals.as_ref();
    let expected = match fault {
        Fault::Literal => {
            let none = Literals::default();
            return not_a_member(literals.unwrap_or(&none), node, path);
        }
        Fault::Huge => "a number of at most 1.7e308".to_owned(),
        Fault::Number => {
            let name = if rule.outline.reach.is_integral() { "an integer" } else { "a number" };
            rule.number.as_ref().map_or_else(String::new, |rule| describe::number(name, rule))
        }
        Fault::String => rule.string.as_ref().map_or_else(String::new, describe::string),
        Fault::List => rule.array.as_ref().map_or_else(String::new, describe::list),
        Fault::Keys => {
            let counts =
                rule.object.as_ref().and_then(|object| describe::count(object.least, object.most, "key"));
            format!("an object of {}", counts.unwrap_or_default())
        }
    };
    let found = match node {
        Node::String(text) if text.chars().nth(20).is_some() => {
            format!("{} of {} characters", shown(node), text.chars().count())
        }
        Node::Array(items) => match repeated(rule, items) {
            Some(item) => format!("{} more than once", shown(item)),
            None => format!("a list of {}", describe::counted(items.len(), "item")),
        },
        Node::Object(members) => format!("an object of {}", describe::counted(members.len(), "key")),
        _ => shown(node),
    };
    let problem = Problem::new(path.to_string(), expected, found);
    let has_pattern = rule.string.as_ref().is_some_and(|string| string.pattern.is_some());
    match node {
        Node::String(text) if has_pattern && text.len() > LONGEST_MATCHED => {
            problem.with_hint(format!("a text with a pattern may have at most {LONGEST_MATCHED} bytes"))
        }
        _ => problem,
    }
}
