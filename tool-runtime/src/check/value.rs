//! Judging a value that has been read: whether it fits, and all that is wrong with it.

mod fault;
mod union;

use std::collections::{HashMap, HashSet};

use self::fault::{own_fault, own_problem, unknown_key, wrong_kind};
use super::describe::describe;
use super::number::Decimal;
use super::path::{Path, shown};
use super::rule::{Property, Rule, RuleId, Rules, Types, Union};
use crate::error::{Problem, quoted};
use crate::json::Node;

/// How often rules may be asked about each value on average. Only a schema whose unions nest in each other in many ways
/// gets there; the value is then refused.
const WORK_PER_VALUE: usize = 256;

/// What may be asked on top of that, for small values with large schemas.
const WORK_BASE: usize = 200_000;

/// The most problems that are gathered.
pub(super) const PROBLEM_LIMIT: usize = 100;

/// The kinds that a value belongs to.
pub(crate) fn kind_of(node: &Node) -> Types {
    match node {
        Node::Null => Types::NULL,
        Node::Bool(_) => Types::BOOLEAN,
        Node::Number(spelling) if Decimal::parse(spelling).is_whole() => Types::INTEGER,
        Node::Number(_) => Types::FRACTION,
        Node::String(_) => Types::STRING,
        Node::Array(_) => Types::ARRAY,
        Node::Object(_) => Types::OBJECT,
    }
}

/// How much there is to look at: each value counts as one, a text as more the longer it is.
pub(crate) fn size(node: &Node) -> usize {
    match node {
        Node::String(text) | Node::Number(text) => text_size(text),
        Node::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Node::Object(members) => {
            1 + members.iter().map(|(key, value)| text_size(key) + size(value)).sum::<usize>()
        }
        Node::Null | Node::Bool(_) => 1,
    }
}

/// The same for a text: about as many values as could be written in it.
pub(crate) fn text_size(text: &str) -> usize {
    1 + text.len() / 8
}

/// Asks rules about a value and its parts. They must stay as they are as long as this lives.
pub(crate) struct Judge<'c> {
    rules: &'c Rules,
    /// What compound rules said of lists and objects, so that nested unions ask once.
    said: HashMap<(*const Node, RuleId), bool>,
    work: usize,
    work_limit: usize,
}

/// Where problems go; `None` if only the verdict is wanted.
type Report<'r> = Option<&'r mut Vec<Problem>>;

impl<'c> Judge<'c> {
    /// For this value and its parts.
    pub(crate) fn new(rules: &'c Rules, node: &Node) -> Self {
        Self::for_size(rules, size(node))
    }

    /// For a value of at most this [`size`], and its parts.
    pub(crate) fn for_size(rules: &'c Rules, size: usize) -> Self {
        Self { rules, said: HashMap::new(), work: 0, work_limit: WORK_BASE + WORK_PER_VALUE * size }
    }

    /// Whether the value fits the rule.
    pub(crate) fn fits(&mut self, node: &Node, id: RuleId) -> bool {
        let remembers = matches!(node, Node::Array(_) | Node::Object(_)) && self.rules.get(id).is_compound();
        if !remembers {
            return self.judge(node, id, &Path::Root, None);
        }
        let key = (std::ptr::from_ref(node), id);
        if let Some(said) = self.said.get(&key) {
            return *said;
        }
        let fits = self.judge(node, id, &Path::Root, None);
        self.said.insert(key, fits);
        fits
    }

    /// How many rules were asked so far.
    pub(crate) fn work(&self) -> usize {
        self.work
    }

    /// Whether so much was asked that the last verdicts are worth nothing.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.work > self.work_limit
    }

    /// All that is wrong with the value.
    pub(crate) fn problems(&mut self, node: &Node, id: RuleId) -> Vec<Problem> {
        let mut problems = Vec::new();
        let fits = self.judge(node, id, &Path::Root, Some(&mut problems));
        if self.is_exhausted() {
            problems.truncate(PROBLEM_LIMIT - 1);
            problems.push(Problem::new(
                String::new(),
                "a value that can be checked in reasonable time",
                shown(node),
            ));
        } else if !fits && problems.is_empty() {
            problems.push(Problem::new(String::new(), describe(self.rules, id), shown(node)));
        }
        problems
    }

    /// The verdict; with a report, everything wrong is noted, without one the first fault ends it.
    fn judge(&mut self, node: &Node, id: RuleId, path: &Path<'_>, mut report: Report<'_>) -> bool {
        self.work += 1;
        if self.is_exhausted() || report.is_some() && is_enough(&report) {
            return false;
        }
        let rules = self.rules;
        let rule = rules.get(id);
        if !rule.types.meets(kind_of(node)) {
            return fault(&mut report, || wrong_kind(rules, id, node, path));
        }
        let mut fits = match own_fault(rule, node) {
            Some(expected) => fault(&mut report, || own_problem(rule, node, expected, path)),
            None => true,
        };
        if !fits && is_enough(&report) {
            return false;
        }
        fits &= match node {
            Node::Array(items) => self.items(items, rule, path, report.as_deref_mut()),
            Node::Object(members) => self.members(members, rule, path, report.as_deref_mut()),
            _ => true,
        };
        for part in &rule.all {
            if !fits && is_enough(&report) {
                return false;
            }
            fits &= match report.as_deref_mut() {
                None => self.fits(node, *part),
                Some(problems) => self.judge(node, *part, path, Some(problems)),
            };
        }
        for union in &rule.unions {
            if !fits && is_enough(&report) {
                return false;
            }
            fits &= self.union(node, union, path, report.as_deref_mut());
        }
        for refused in &rule.none {
            if !fits && is_enough(&report) {
                return false;
            }
            if self.fits(node, *refused) {
                fits = fault(&mut report, || {
                    let expected = format!("anything but {}", describe(rules, *refused));
                    Problem::new(path.to_string(), expected, shown(node))
                });
            }
        }
        fits
    }

    fn child(&mut self, node: &Node, id: RuleId, path: &Path<'_>, report: Report<'_>) -> bool {
        match report {
            None => self.fits(node, id),
            Some(problems) => self.judge(node, id, path, Some(problems)),
        }
    }

    fn items(&mut self, items: &[Node], rule: &Rule, path: &Path<'_>, mut report: Report<'_>) -> bool {
        let Some(array) = &rule.array else { return true };
        let mut fits = true;
        for (index, item) in items.iter().enumerate() {
            fits &= self.child(item, array.item(index), &path.index(index), report.as_deref_mut());
            if !fits && is_enough(&report) {
                return false;
            }
        }
        fits
    }

    fn members(
        &mut self,
        members: &[(String, Node)],
        rule: &Rule,
        path: &Path<'_>,
        mut report: Report<'_>,
    ) -> bool {
        let Some(object) = &rule.object else { return true };
        let rules = self.rules;
        let mut fits = true;
        for (key, value) in members {
            let member = object.member(key);
            let path = path.key(key);
            if !member.declared && object.is_closed() {
                fits = fault(&mut report, || unknown_key(object, members, key, &path));
            } else {
                for rule in member.rules {
                    fits &= self.child(value, rule, &path, report.as_deref_mut());
                }
            }
            if let Some(names) = object.names
                && !self.fits(&Node::String(key.clone()), names)
            {
                fits = fault(&mut report, || {
                    let expected = format!("keys that are each {}", describe(rules, names));
                    Problem::new(path.to_string(), expected, format!("the key {}", quoted(key)))
                });
            }
            if !fits && is_enough(&report) {
                return false;
            }
        }
        let required: Vec<&Property> =
            object.properties.iter().filter(|property| property.required).collect();
        if required.is_empty() {
            return fits;
        }
        let keys: HashSet<&str> = members.iter().map(|(key, _)| key.as_str()).collect();
        for property in required {
            if !keys.contains(property.name.as_str()) {
                fits = fault(&mut report, || {
                    Problem::new(
                        path.key(&property.name).to_string(),
                        describe(rules, property.rule),
                        "nothing",
                    )
                    .with_hint(format!("{} is required", quoted(&property.name)))
                });
            }
        }
        fits
    }

    fn union(&mut self, node: &Node, union: &Union, path: &Path<'_>, report: Report<'_>) -> bool {
        let mut fitting = 0;
        for branch in &union.branches {
            if self.fits(node, *branch) {
                fitting += 1;
                if !union.exactly_one {
                    break;
                }
            }
        }
        if fitting == 1 {
            return true;
        }
        if let Some(problems) = report {
            self.union_problems(node, union, fitting, path, problems);
        }
        false
    }
}

/// Whether nothing more is wanted once something does not fit.
fn is_enough(report: &Report<'_>) -> bool {
    report.as_ref().is_none_or(|problems| problems.len() >= PROBLEM_LIMIT)
}

/// Notes a fault, if anyone wants to know. Gives the verdict: it does not fit.
fn fault(report: &mut Report<'_>, problem: impl FnOnce() -> Problem) -> bool {
    if is_enough(report) {
        return false;
    }
    if let Some(problems) = report {
        let problem = problem();
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    false
}
