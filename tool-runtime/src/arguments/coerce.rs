//! Goes through a value with its schema and applies the coercions where the value does not fit as it is.
//!
//! A value that a union's branch admits as it is stays. Otherwise each branch tries on a copy, and the result counts only
//! if there is exactly one.

use super::coercions::{COERCIONS, Member, Object, Read, Step, Value};
use super::readings::ReadOptions;
use crate::call::Repair;
use crate::check::{
    Checks, Judge, Path, Rule, RuleId, Rules, Types, Union, admits_literal, has_loose_integer, kind_of, size,
    text_size,
};
use crate::json::{MAX_DEPTH, Node};

/// How often each value may be looked at on average, copies for the branches of unions and for wrappers included, and
/// texts by their length. Past it nothing more is coerced, so what does not fit by then is refused.
const WORK_PER_VALUE: usize = 64;

/// What may be done on top of that, for small values with large schemas.
const WORK_BASE: usize = 20_000;

/// Says once what a value as it was written says twice. Gives what was done, in the order of the value.
pub(super) fn merge(node: &mut Node, path: &Path<'_>) -> Vec<Repair> {
    let mut repairs = Vec::new();
    for coercion in COERCIONS {
        let Step::Whole(step) = coercion.step else { continue };
        repairs
            .extend(step(node).into_iter().map(|place| Repair::new(coercion.name, format!("{path}{place}"))));
    }
    repairs
}

/// Coerces the arguments. Gives what was done, in the order of the value.
pub(super) fn coerce(node: &mut Node, checks: &Checks, options: &ReadOptions) -> Vec<Repair> {
    let size = size(node);
    let mut pass = Pass { rules: checks.rules(), options, repairs: Vec::new(), work: 0, size };
    pass.value(node, &[checks.root()], &Path::Root);
    pass.repairs
}

/// One pass over a value, or over a copy of it for one branch.
struct Pass<'c> {
    rules: &'c Rules,
    options: &'c ReadOptions,
    repairs: Vec<Repair>,
    work: usize,
    /// That of the arguments as they came.
    size: usize,
}

impl<'c> Pass<'c> {
    /// Coerces a value that all of `asked` must admit.
    fn value(&mut self, node: &mut Node, asked: &[RuleId], path: &Path<'_>) {
        self.work += 1;
        if self.is_exhausted() {
            return;
        }
        let accepts = self.accepts(asked);
        self.read_as_meant(node, accepts, path);
        let parts = parts(self.rules, asked);
        if accepts.meets(Types::OBJECT) {
            self.unwrap(node, asked, &parts, path);
        }
        match node {
            Node::Object(members) => self.members(members, &parts, path),
            Node::Array(items) => self.items(items, &parts, path),
            _ => {}
        }
        for union in parts.iter().flat_map(|part| &part.unions) {
            self.union(node, union, path);
        }
    }

    fn is_exhausted(&self) -> bool {
        self.work > WORK_BASE + WORK_PER_VALUE * self.size
    }

    fn accepts(&self, asked: &[RuleId]) -> Types {
        asked.iter().fold(Types::ALL, |accepts, id| accepts & self.rules.get(*id).outline.reach)
    }

    fn fits(&mut self, node: &Node, asked: &[RuleId]) -> bool {
        let mut judge = Judge::for_size(self.rules, self.size);
        let fits = asked.iter().all(|id| judge.fits(node, *id)) && !judge.is_exhausted();
        self.work += judge.work();
        fits
    }

    fn note(&mut self, name: &'static str, path: &Path<'_>) {
        self.repairs.push(Repair::new(name, path.to_string()));
    }

    fn read_as_meant(&mut self, node: &mut Node, accepts: Types, path: &Path<'_>) {
        if let Node::String(text) = node {
            self.work += text_size(text);
        }
        for coercion in COERCIONS {
            let Step::Value(step) = coercion.step else { continue };
            let room = MAX_DEPTH.saturating_sub(path.depth());
            if let Some(Read { node: meant, rungs }) =
                step(&Value { node, accepts, room, options: self.options })
            {
                *node = meant;
                self.note(coercion.name, path);
                // Keys within the text that say the same twice, as in the arguments themselves.
                self.repairs.extend(merge(node, path));
                for rung in rungs {
                    self.note(rung, path);
                }
            }
        }
    }

    fn unwrap(&mut self, node: &mut Node, asked: &[RuleId], parts: &[&'c Rule], path: &Path<'_>) {
        for coercion in COERCIONS {
            let (Step::Object(step), Node::Object(members)) = (&coercion.step, &*node) else { continue };
            let declares = |key: &str| {
                parts.iter().filter_map(|part| part.object.as_ref()).any(|object| object.member(key).declared)
            };
            let Some(inner) = step(&Object { members, declares: &declares }) else { continue };
            if self.fits(node, asked) {
                continue;
            }
            self.work += size(inner);
            let mut inner = inner.clone();
            let Some(repairs) = self.attempt(&mut inner, asked, path) else { continue };
            *node = inner;
            self.note(coercion.name, path);
            self.repairs.extend(repairs);
        }
    }

    fn members(&mut self, members: &mut Vec<(String, Node)>, parts: &[&'c Rule], path: &Path<'_>) {
        let objects: Vec<_> = parts.iter().filter_map(|part| part.object.as_ref()).collect();
        if objects.is_empty() {
            return;
        }
        members.retain_mut(|(key, value)| {
            let path = path.key(key);
            let mut asked = Vec::new();
            let (mut declared, mut required) = (false, false);
            for object in &objects {
                asked.extend(object.member(key).rules);
                if let Some(property) = object.property(key) {
                    declared |= property.declared;
                    required |= property.required;
                }
            }
            if declared && !required && self.says_nothing(value, &asked, &path) {
                return false;
            }
            self.value(value, &asked, &path);
            true
        });
    }

    /// Whether the member of an optional property may as well not be there, and is noted as left out.
    fn says_nothing(&mut self, value: &Node, asked: &[RuleId], path: &Path<'_>) -> bool {
        let is_blank = match value {
            Node::Null => true,
            Node::String(text) => text.is_empty(),
            _ => false,
        };
        if !is_blank {
            return false;
        }
        let member = Member { value, accepts: self.accepts(asked), fits: self.fits(value, asked) };
        let left_out = COERCIONS.iter().find(|coercion| match coercion.step {
            Step::Member(step) => step(&member),
            _ => false,
        });
        match left_out {
            Some(coercion) => {
                self.note(coercion.name, path);
                true
            }
            None => false,
        }
    }

    fn items(&mut self, items: &mut [Node], parts: &[&'c Rule], path: &Path<'_>) {
        let arrays: Vec<_> = parts.iter().filter_map(|part| part.array.as_ref()).collect();
        if arrays.is_empty() {
            return;
        }
        for (index, item) in items.iter_mut().enumerate() {
            let asked: Vec<RuleId> = arrays.iter().map(|array| array.item(index)).collect();
            self.value(item, &asked, &path.index(index));
        }
    }

    fn union(&mut self, node: &mut Node, union: &Union, path: &Path<'_>) {
        let kind = kind_of(node);
        if kind == Types::OBJECT || kind == Types::ARRAY {
            // No coercion takes a list or an object for another kind, so only these branches can be meant.
            let mut meant = union.branches.iter().filter(|id| self.rules.get(**id).outline.reach.meets(kind));
            if let (Some(only), None) = (meant.next(), meant.next()) {
                return self.value(node, &[*only], path);
            }
        }
        let admitting: Vec<RuleId> =
            union.branches.iter().copied().filter(|branch| self.fits(node, &[*branch])).collect();
        if !admitting.is_empty() && !has_loose_integer(node) {
            return;
        }
        let branches = if admitting.is_empty() { &union.branches } else { &admitting };
        let mut results: Vec<(Node, Vec<Repair>)> = Vec::new();
        for branch in branches {
            if !self.can_take(node, *branch) {
                continue;
            }
            let mut copy = node.clone();
            self.work += size(&copy);
            let Some(repairs) = self.attempt(&mut copy, &[*branch], path) else { continue };
            if results.iter().all(|(result, _)| *result != copy) {
                results.push((copy, repairs));
            }
        }
        if self.is_exhausted() {
            return;
        }
        if let [_] = results.as_slice()
            && let Some((result, repairs)) = results.pop()
        {
            *node = result;
            self.repairs.extend(repairs);
        }
    }

    /// Coerces a copy. Gives what was done if the copy then fits.
    fn attempt(&mut self, copy: &mut Node, asked: &[RuleId], path: &Path<'_>) -> Option<Vec<Repair>> {
        let mut pass = Pass { repairs: Vec::new(), ..*self };
        pass.value(copy, asked, path);
        let fits = pass.fits(copy, asked);
        self.work = pass.work;
        (fits && !self.is_exhausted()).then_some(pass.repairs)
    }

    /// Whether the branch is worth a try: a literal text that it asks for, such as a tag, is not contradicted.
    fn can_take(&self, node: &Node, branch: RuleId) -> bool {
        let Node::Object(members) = node else { return true };
        let parts = parts(self.rules, &[branch]);
        let objects = parts.iter().filter_map(|part| part.object.as_ref());
        let mut properties = objects.flat_map(|object| &object.properties);
        !properties.any(|property| {
            let literals = self.rules.get(property.rule).literals.as_ref();
            let there = members.iter().find(|(key, _)| *key == property.name);
            match (literals, there) {
                (Some(literals), Some((_, value @ Node::String(_)))) => {
                    literals.strings.len() == literals.members.len() && !admits_literal(literals, value)
                }
                _ => false,
            }
        })
    }
}

/// The rules and all that they take in by `allOf` and `$ref`, each once.
fn parts<'c>(rules: &'c Rules, asked: &[RuleId]) -> Vec<&'c Rule> {
    if let [id] = asked
        && rules.get(*id).all.is_empty()
    {
        return vec![rules.get(*id)];
    }
    let mut ids: Vec<RuleId> = Vec::new();
    let mut waiting: Vec<RuleId> = asked.iter().rev().copied().collect();
    while let Some(id) = waiting.pop() {
        if !ids.contains(&id) {
            ids.push(id);
            waiting.extend(rules.get(id).all.iter().rev());
        }
    }
    ids.into_iter().map(|id| rules.get(id)).collect()
}
