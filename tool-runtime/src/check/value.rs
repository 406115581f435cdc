//! Judging a value that has been read: whether it fits, and all that is wrong with it.

use std::collections::{HashMap, HashSet};

use super::describe::{self, describe, listed};
use super::equal::canonical;
use super::near::nearest;
use super::number::{Decimal, Num};
use super::path::{Path, shown};
use super::rule::{Literals, NumberRule, ObjectRule, Rule, RuleId, Rules, StringRule, Types, Union};
use crate::error::{Problem, quoted};
use crate::json::Node;

/// How often rules may be asked about each value on average. Only a schema whose unions nest in each other in many ways
/// gets there; the value is then refused.
const WORK_PER_VALUE: usize = 256;

/// What may be asked on top of that, for small values with large schemas.
const WORK_BASE: usize = 200_000;

/// The most problems that are gathered.
const PROBLEM_LIMIT: usize = 100;

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

/// How many values it is made of.
pub(crate) fn size(node: &Node) -> usize {
    match node {
        Node::Array(items) => 1 + items.iter().map(size).sum::<usize>(),
        Node::Object(members) => 1 + members.iter().map(|(_, value)| size(value)).sum::<usize>(),
        _ => 1,
    }
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
        Self { rules, said: HashMap::new(), work: 0, work_limit: WORK_BASE + WORK_PER_VALUE * size(node) }
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
        if self.is_exhausted() || report.as_ref().is_some_and(|problems| problems.len() >= PROBLEM_LIMIT) {
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
        if !fits && report.is_none() {
            return false;
        }
        fits &= match node {
            Node::Array(items) => self.items(items, rule, path, report.as_deref_mut()),
            Node::Object(members) => self.members(members, rule, path, report.as_deref_mut()),
            _ => true,
        };
        for part in &rule.all {
            if !fits && report.is_none() {
                return false;
            }
            fits &= match report.as_deref_mut() {
                None => self.fits(node, *part),
                Some(problems) => self.judge(node, *part, path, Some(problems)),
            };
        }
        for union in &rule.unions {
            if !fits && report.is_none() {
                return false;
            }
            fits &= self.union(node, union, path, report.as_deref_mut());
        }
        for refused in &rule.none {
            if !fits && report.is_none() {
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
            if !fits && report.is_none() {
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
            if !fits && report.is_none() {
                return false;
            }
        }
        let required: Vec<&super::rule::Property> =
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

    /// What is wrong with a value that fits no branch: the faults of the branch that was meant, if that can be told.
    fn union_problems(
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
        problems.push(Problem::new(path.to_string(), describe::joined(&expected, "or"), shown(node)));
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

/// Notes a fault, if anyone wants to know. Gives the verdict: it does not fit.
fn fault(report: &mut Report<'_>, problem: impl FnOnce() -> Problem) -> bool {
    if let Some(problems) = report {
        let problem = problem();
        if !problems.contains(&problem) {
            problems.push(problem);
        }
    }
    false
}

fn wrong_kind(rules: &Rules, id: RuleId, node: &Node, path: &Path<'_>) -> Problem {
    let problem = Problem::new(path.to_string(), describe(rules, id), shown(node));
    match node {
        Node::Number(_) if rules.get(id).types.is_integral() => problem.with_hint("it has a fraction"),
        _ => problem,
    }
}

fn unknown_key(object: &ObjectRule, members: &[(String, Node)], key: &str, path: &Path<'_>) -> Problem {
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
    match nearest(key, names.iter().copied().filter(is_free)) {
        Some(name) => problem.with_hint(format!("did you mean {}", quoted(name))),
        None => problem,
    }
}

fn not_a_member(literals: &Literals, node: &Node, path: &Path<'_>) -> Problem {
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
fn own_fault(rule: &Rule, node: &Node) -> Option<Fault> {
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
enum Fault {
    Literal,
    Huge,
    Number,
    String,
    List,
    Keys,
}

fn own_problem(rule: &Rule, node: &Node, fault: Fault, path: &Path<'_>) -> Problem {
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
    Problem::new(path.to_string(), expected, found)
}

/// Whether the value is one of the literals.
pub(crate) fn admits_literal(literals: &Literals, node: &Node) -> bool {
    match node {
        Node::Null => literals.null,
        Node::Bool(true) => literals.yes,
        Node::Bool(false) => literals.no,
        Node::Number(spelling) => Num::parse(spelling)
            .is_some_and(|number| literals.numbers.iter().any(|member| member.same(&number))),
        Node::String(text) => literals.strings.iter().any(|member| member == text),
        Node::Array(_) | Node::Object(_) => {
            !literals.composites.is_empty() && literals.composites.contains(&canonical(node))
        }
    }
}

/// Whether the number is within its bounds.
pub(super) fn number_fits(rule: &NumberRule, number: &Num<'_>) -> bool {
    let within =
        match (number.small_integer(), number) {
            (Some(integer), _) => rule.integers.0 <= integer && integer <= rule.integers.1,
            (None, Num::Fraction(float)) => {
                rule.lower
                    .iter()
                    .all(|bound| if bound.exclusive { *float > bound.float } else { *float >= bound.float })
                    && rule.upper.iter().all(|bound| {
                        if bound.exclusive { *float < bound.float } else { *float <= bound.float }
                    })
            }
            (None, _) => {
                let decimal = number.decimal();
                rule.lower.iter().all(|bound| {
                    if bound.exclusive { decimal > bound.decimal } else { decimal >= bound.decimal }
                }) && rule.upper.iter().all(|bound| {
                    if bound.exclusive { decimal < bound.decimal } else { decimal <= bound.decimal }
                })
            }
        };
    within
        && rule.multiple_of.as_ref().is_none_or(|divisor| match (divisor.integer, number) {
            (Some(divisor), Num::Positive(value)) => value.is_multiple_of(divisor),
            (Some(divisor), Num::Negative(value)) => value.unsigned_abs().is_multiple_of(divisor),
            _ => number.decimal().is_multiple_of(&divisor.decimal),
        })
}

/// The same for an integer of 64 bits.
#[inline]
pub(super) fn small_integer_fits(rule: &NumberRule, integer: i64) -> bool {
    let value = i128::from(integer);
    rule.integers.0 <= value
        && value <= rule.integers.1
        && rule.multiple_of.as_ref().is_none_or(|divisor| match divisor.integer {
            Some(divisor) => integer.unsigned_abs().is_multiple_of(divisor),
            None => Num::from_integer(integer).decimal().is_multiple_of(&divisor.decimal),
        })
}

/// Whether the text is as asked. Its characters are counted only where its bytes do not tell.
pub(super) fn string_fits(rule: &StringRule, text: &str) -> bool {
    let bytes = text.len();
    let least = rule.least.is_none_or(|least| {
        bytes >= least && (bytes / 4 >= least || text.chars().take(least).count() == least)
    });
    let most = rule.most.is_none_or(|most| bytes <= most || text.chars().nth(most).is_none());
    least
        && most
        && rule.format.is_none_or(|format| format.admits(text))
        && rule.pattern.as_ref().is_none_or(|pattern| pattern.is_match(text))
}

/// Whether a count is within its bounds.
pub(super) fn length_fits(least: Option<usize>, most: Option<usize>, length: usize) -> bool {
    least.is_none_or(|least| length >= least) && most.is_none_or(|most| length <= most)
}
