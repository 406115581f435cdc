//! The smallest questions: one value without parts against one set of bounds. Both ways of asking end here.

use std::cmp::Ordering;

use super::equal::canonical;
use super::number::Num;
use super::rule::{Bound, Literals, NumberRule, StringRule};
use crate::json::Node;

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
pub(crate) fn number_fits(rule: &NumberRule, number: &Num<'_>) -> bool {
    let within = match (number.small_integer(), number) {
        (Some(integer), _) => rule.integers.0 <= integer && integer <= rule.integers.1,
        (None, Num::Fraction(float)) => lies_within(rule, |bound| float.total_cmp(&bound.float)),
        (None, _) => {
            let decimal = number.decimal();
            lies_within(rule, |bound| decimal.cmp(&bound.decimal))
        }
    };
    within
        && rule.multiple_of.as_ref().is_none_or(|divisor| match (divisor.integer, number) {
            (Some(divisor), Num::Positive(value)) => value.is_multiple_of(divisor),
            (Some(divisor), Num::Negative(value)) => value.unsigned_abs().is_multiple_of(divisor),
            _ => number.decimal().is_multiple_of(&divisor.decimal),
        })
}

/// Whether a number is on the right side of all bounds, by how it compares to each.
fn lies_within(rule: &NumberRule, order: impl Fn(&Bound) -> Ordering) -> bool {
    let admits = |bound: &Bound, inside: Ordering| match order(bound) {
        Ordering::Equal => !bound.exclusive,
        order => order == inside,
    };
    rule.lower.iter().all(|bound| admits(bound, Ordering::Greater))
        && rule.upper.iter().all(|bound| admits(bound, Ordering::Less))
}

/// The same for an integer of 64 bits.
#[inline]
pub(crate) fn small_integer_fits(rule: &NumberRule, integer: i64) -> bool {
    let value = i128::from(integer);
    rule.integers.0 <= value
        && value <= rule.integers.1
        && rule.multiple_of.as_ref().is_none_or(|divisor| match divisor.integer {
            Some(divisor) => integer.unsigned_abs().is_multiple_of(divisor),
            None => Num::from_integer(integer).decimal().is_multiple_of(&divisor.decimal),
        })
}

/// Whether the text is as asked. Its characters are counted only where its bytes do not tell.
#[inline]
pub(crate) fn string_fits(rule: &StringRule, text: &str) -> bool {
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
pub(crate) fn length_fits(least: Option<usize>, most: Option<usize>, length: usize) -> bool {
    least.is_none_or(|least| length >= least) && most.is_none_or(|most| length <= most)
}
