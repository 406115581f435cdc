//! What is wrong with a value that fits no branch of a union: the faults of the branch that was meant, if that can be told.

use super::fault::not_a_member;
use super::{Judge, kind_of};
use crate::check::bounds::admits_literal;
use crate::check::describe::{describe, joined, listed};
use crate::check::path::{Path, shown};
use crate::check::rule::{Literals, RuleId, Types, Union};
use crate::error::{Problem, quoted};
use crate::json::Node;

impl<'c> Judge<'c> {
    /// What is wrong with a value that fits no branch: the faults of the branch that was meant, if that can be told.
    pub(super) fn union_problems(
        &mut self,
        node: &Node,
        union: &Union,
        fitting: usize,
        path: &Path<'_>,
        problems: &mut Vec<Problem>,
    ) {
        let rules = self.rules;
        if fitting > 1 {
            problems.push(
                Problem::new(path.to_string(), "a value that fits exactly one of the forms", shown(node))
                    .with_hint(format!("it fits {fitting} of them")),
            );
            return;
        }
        let kind = kind_of(node);
        let near: Vec<RuleId> = union
            .branches
            .iter()
            .copied()
            .filter(|branch| rules.get(*branch).outline.reach.meets(kind))
            .collect();
        if let [only] = near.as_slice() {
            self.judge(node, *only, path, Some(problems));
            return;
        }
        if let Some((tag, tags, value)) = self.tag(node, &near) {
            let meant = near.iter().zip(&tags).find(|(_, literals)| admits_literal(literals, value));
            match meant {
                Some((branch, _)) => {
                    self.judge(node, *branch, path, Some(problems));
                }
                None => {
                    let members: Vec<Node> =
                        tags.iter().flat_map(|literals| literals.members.iter().cloned()).collect();
                    let literals = Literals { members, ..Literals::default() };
                    problems.push(not_a_member(&literals, value, &path.key(tag)));
                }
            }
            return;
        }
        let mut expected: Vec<String> = Vec::new();
        for branch in &union.branches {
            let form = self.form(*branch);
            if !expected.contains(&form) {
                expected.push(form);
            }
        }
        problems.push(Problem::new(path.to_string(), joined(&expected, "or"), shown(node)));
    }

    /// A branch in a few words: an object by the keys that it needs.
    fn form(&self, id: RuleId) -> String {
        let rule = self.rules.get(id);
        let required: Vec<String> = rule
            .object
            .iter()
            .flat_map(|object| &object.properties)
            .filter(|property| property.required)
            .map(|property| quoted(&property.name))
            .collect();
        if rule.outline.reach == Types::OBJECT && !required.is_empty() {
            format!("an object with {}", listed(&required))
        } else {
            describe(self.rules, id)
        }
    }

    /// The key that tells the branches apart: each requires it and allows other literals. With it, the literals of each
    /// branch and the value that the object has there.
    fn tag<'v>(&self, node: &'v Node, branches: &[RuleId]) -> Option<(&'v str, Vec<&'c Literals>, &'v Node)> {
        let Node::Object(members) = node else { return None };
        let rules = self.rules;
        members.iter().find_map(|(key, value)| {
            let tags: Option<Vec<&Literals>> = branches
                .iter()
                .map(|branch| {
                    let property = rules.get(*branch).object.as_ref()?.property(key)?;
                    rules.get(property.rule).literals.as_ref().filter(|_| property.required)
                })
                .collect();
            Some((key.as_str(), tags.filter(|tags| !tags.is_empty())?, value))
        })
    }
}
