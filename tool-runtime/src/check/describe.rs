//! What a rule asks, in words that a model can act on.

use super::path::shown;
use super::rule::{ArrayRule, Bound, Literals, NumberRule, Rule, RuleId, Rules, StringRule, Types};

/// The most members or names that are listed.
const LISTED: usize = 12;

/// How deep descriptions go into branches and items.
const DEPTH: usize = 3;

/// What a value of this rule is.
pub(crate) fn describe(rules: &Rules, id: RuleId) -> String {
    describe_to(rules, id, DEPTH)
}

fn describe_to(rules: &Rules, id: RuleId, depth: usize) -> String {
    let rule = rules.get(id);
    if let Some(literals) = &rule.literals {
        return one_of(literals);
    }
    let reach = rule.outline.reach;
    if let Some(deeper) = depth.checked_sub(1) {
        // What says most is where the kinds are told apart.
        if let (Types::ALL, [union]) = (rule.types, rule.unions.as_slice()) {
            let mut branches: Vec<String> = Vec::new();
            for branch in union.branches.iter().map(|branch| describe_to(rules, *branch, deeper)) {
                if !branches.contains(&branch) {
                    branches.push(branch);
                }
            }
            return joined(&branches, "or");
        }
        if let (Types::ALL, [only]) = (rule.types, rule.all.as_slice()) {
            return describe_to(rules, *only, deeper);
        }
    }
    kinds(rule, reach)
}

/// The kinds that may fit, with what is asked of each.
fn kinds(rule: &Rule, reach: Types) -> String {
    if reach == Types::ALL {
        // Any kind may fit; worth saying is what is asked of some.
        let asked = [
            rule.string.as_ref().map(string),
            rule.number.as_ref().map(|rule| number("a number", rule)),
            rule.array.as_ref().map(list),
        ];
        let asked: Vec<String> = asked.into_iter().flatten().collect();
        return if asked.is_empty() { "any value".to_owned() } else { joined(&asked, "or") };
    }
    let mut kinds = Vec::new();
    if reach.meets(Types::STRING) {
        kinds.push(rule.string.as_ref().map_or_else(|| "a string".to_owned(), string));
    }
    if reach.meets(Types::NUMBER) {
        let name = if reach.is_integral() { "an integer" } else { "a number" };
        kinds.push(rule.number.as_ref().map_or_else(|| name.to_owned(), |rule| number(name, rule)));
    }
    for (kind, name) in [(Types::BOOLEAN, "a boolean"), (Types::NULL, "null"), (Types::OBJECT, "an object")] {
        if reach.meets(kind) {
            kinds.push(name.to_owned());
        }
    }
    if reach.meets(Types::ARRAY) {
        kinds.push(rule.array.as_ref().map_or_else(|| "a list".to_owned(), list));
    }
    if kinds.is_empty() { "nothing at all here".to_owned() } else { joined(&kinds, "or") }
}

/// The members of an `enum`.
pub(crate) fn one_of(literals: &Literals) -> String {
    let members: Vec<String> = literals.members.iter().map(shown).collect();
    match members.as_slice() {
        [] => "nothing at all here".to_owned(),
        [only] => only.clone(),
        many => format!("one of {}", listed(many)),
    }
}

/// Names in backticks, as many as are worth reading.
pub(crate) fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    if let Some(more) = names.len().checked_sub(LISTED).filter(|more| *more > 0) {
        text.push_str(&format!(" and {more} more"));
    }
    text
}

/// `a`, `a or b`, `a, b or c`.
pub(crate) fn joined(parts: &[String], word: &str) -> String {
    match parts {
        [] => String::new(),
        [only] => only.clone(),
        [first @ .., last] => format!("{} {word} {last}", first.join(", ")),
    }
}

/// A number within its bounds.
pub(crate) fn number(name: &str, rule: &NumberRule) -> String {
    let tightest = |bounds: &[Bound], greatest: bool| {
        let order = |left: &&Bound, right: &&Bound| {
            let order = left.decimal.cmp(&right.decimal);
            (if greatest { order } else { order.reverse() }).then(left.exclusive.cmp(&right.exclusive))
        };
        bounds.iter().max_by(order).map(|bound| (bound.exclusive, bound.spelling.clone()))
    };
    let range = match (tightest(&rule.lower, true), tightest(&rule.upper, false)) {
        (Some((false, lower)), Some((false, upper))) => format!(" from {lower} to {upper}"),
        (lower, upper) => {
            let mut parts = Vec::new();
            if let Some((exclusive, bound)) = lower {
                parts.push(if exclusive {
                    format!("greater than {bound}")
                } else {
                    format!("at least {bound}")
                });
            }
            if let Some((exclusive, bound)) = upper {
                parts.push(if exclusive { format!("less than {bound}") } else { format!("at most {bound}") });
            }
            if parts.is_empty() { String::new() } else { format!(" that is {}", parts.join(" and ")) }
        }
    };
    let multiple =
        rule.multiple_of.as_ref().map_or_else(String::new, |of| format!(", a multiple of {}", of.spelling));
    format!("{name}{range}{multiple}")
}

/// A text within its bounds.
pub(crate) fn string(rule: &StringRule) -> String {
    let mut text = match rule.format {
        Some(format) => format.description().to_owned(),
        None => "a string".to_owned(),
    };
    if let Some(length) = count(rule.least, rule.most, "character") {
        text.push_str(&format!(" of {length}"));
    }
    if let Some(pattern) = &rule.pattern {
        text.push_str(&format!(" that matches `{}`", pattern.source()));
    }
    text
}

/// A list within its bounds.
pub(crate) fn list(rule: &ArrayRule) -> String {
    let unique = if rule.unique { " without repeats" } else { "" };
    match count(rule.least, rule.most, "item") {
        Some(length) => format!("a list of {length}{unique}"),
        None => format!("a list{unique}"),
    }
}

/// `1 key`, `2 keys`.
pub(crate) fn counted(count: usize, unit: &str) -> String {
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// `1 to 3 items`, `at least 2 characters`.
pub(crate) fn count(least: Option<usize>, most: Option<usize>, unit: &str) -> Option<String> {
    match (least.filter(|least| *least > 0), most) {
        (None, None) => None,
        (Some(least), Some(most)) if least == most => Some(format!("exactly {}", counted(least, unit))),
        (Some(least), Some(most)) => Some(format!("{least} to {}", counted(most, unit))),
        (Some(least), None) => Some(format!("at least {}", counted(least, unit))),
        (None, Some(most)) => Some(format!("at most {}", counted(most, unit))),
    }
}
