//! What a rule amounts to once its parts and branches are counted in.

use super::rule::{Outline, Rule, RuleId, Rules, Structure, Types};
use crate::error::SchemaProblem;

/// The longest chain of rules for one and the same value, as by `$ref` to `$ref`.
const CHAIN_LIMIT: usize = 128;

/// Works out every outline, and shortens every way that goes through a bare `$ref`.
///
/// # Errors
///
/// A rule that leads back to itself without going into a value: nothing could ever be decided by it.
pub(super) fn work_out(rules: &mut Rules, places: &[String]) -> Result<(), SchemaProblem> {
    let mut done: Vec<Option<Outline>> = vec![None; rules.0.len()];
    for index in 0..rules.0.len() {
        visit(rules, RuleId(index), &mut done, &mut Vec::new()).map_err(|id| {
            let place = places.get(id.0).cloned().unwrap_or_default();
            SchemaProblem::new(
                place,
                "this schema leads back to itself, or too deep, without going into a value; nothing can be decided by it",
            )
        })?;
    }
    for (rule, outline) in rules.0.iter_mut().zip(done) {
        rule.outline = outline.unwrap_or(Outline::OPEN);
    }
    shorten(rules);
    Ok(())
}

/// The rule that this one comes down to: itself, or the end of a chain of bare `$ref`s.
pub(super) fn target(rules: &Rules, id: RuleId) -> RuleId {
    let mut id = id;
    for _ in 0..CHAIN_LIMIT {
        let rule = rules.get(id);
        match rule.all.as_slice() {
            [only] if rule.unions.is_empty() && rule.none.is_empty() && !rule.asks_itself() => id = *only,
            _ => break,
        }
    }
    id
}

fn shorten(rules: &mut Rules) {
    let targets: Vec<RuleId> = (0..rules.0.len()).map(|index| target(rules, RuleId(index))).collect();
    let short = |id: &mut RuleId| *id = targets.get(id.0).copied().unwrap_or(*id);
    for rule in &mut rules.0 {
        rule.all.iter_mut().for_each(short);
        rule.none.iter_mut().for_each(short);
        rule.unions.iter_mut().flat_map(|union| &mut union.branches).for_each(short);
        if let Some(array) = &mut rule.array {
            array.prefix.iter_mut().chain(&mut array.items).for_each(short);
        }
        if let Some(object) = &mut rule.object {
            object.properties.iter_mut().for_each(|property| short(&mut property.rule));
            object.patterns.iter_mut().for_each(|(_, rule)| short(rule));
            object.additional.iter_mut().chain(&mut object.names).for_each(short);
        }
    }
}

fn visit(
    rules: &Rules,
    id: RuleId,
    done: &mut [Option<Outline>],
    above: &mut Vec<RuleId>,
) -> Result<Outline, RuleId> {
    if let Some(outline) = done.get(id.0).copied().flatten() {
        return Ok(outline);
    }
    if above.contains(&id) || above.len() >= CHAIN_LIMIT {
        return Err(id);
    }
    above.push(id);
    let rule = rules.get(id);
    let mut outline = own(rule, id);
    for part in &rule.all {
        outline = both(outline, visit(rules, *part, done, above)?);
    }
    for union in &rule.unions {
        let branches: Result<Vec<Outline>, RuleId> =
            union.branches.iter().map(|branch| visit(rules, *branch, done, above)).collect();
        outline = both(outline, either(&branches?, union.exactly_one));
    }
    for refused in &rule.none {
        outline = both(outline, opposite(visit(rules, *refused, done, above)?));
    }
    above.pop();
    if let Some(slot) = done.get_mut(id.0) {
        *slot = Some(outline);
    }
    Ok(outline)
}

/// What the rule asks by itself.
fn own(rule: &Rule, id: RuleId) -> Outline {
    let literals = rule.literals.as_ref();
    let reach = literals.map_or(rule.types, |literals| rule.types & literals.types());
    let structure = |kind: Types, asks: bool, needs_whole: bool| {
        if !reach.meets(kind) {
            Structure::Refused
        } else if literals.is_some() || needs_whole {
            Structure::Whole
        } else if asks {
            Structure::By(id)
        } else {
            Structure::Free
        }
    };
    let unique = rule.array.as_ref().is_some_and(|array| array.unique);
    let patterns = rule.object.as_ref().is_some_and(|object| !object.patterns.is_empty());
    Outline {
        reach,
        lists: structure(Types::ARRAY, rule.array.is_some(), unique),
        objects: structure(Types::OBJECT, rule.object.is_some(), patterns),
        integral: rule.types.is_integral(),
        plain: literals.is_none() && !rule.is_compound(),
    }
}

fn both(left: Outline, right: Outline) -> Outline {
    let structure = |left, right| match (left, right) {
        (Structure::Refused, _) | (_, Structure::Refused) => Structure::Refused,
        (Structure::Free, other) | (other, Structure::Free) => other,
        (left, right) if left == right => left,
        _ => Structure::Whole,
    };
    Outline {
        reach: left.reach & right.reach,
        lists: structure(left.lists, right.lists),
        objects: structure(left.objects, right.objects),
        integral: left.integral || right.integral,
        plain: left.plain,
    }
}

fn either(branches: &[Outline], exactly_one: bool) -> Outline {
    let structure = |of: fn(&Outline) -> Structure| {
        let open: Vec<Structure> =
            branches.iter().map(of).filter(|branch| *branch != Structure::Refused).collect();
        match open.as_slice() {
            [] => Structure::Refused,
            [only] => *only,
            many if !exactly_one && many.contains(&Structure::Free) => Structure::Free,
            _ => Structure::Whole,
        }
    };
    Outline {
        reach: branches.iter().fold(Types::NONE, |reach, branch| reach | branch.reach),
        lists: structure(|branch| branch.lists),
        objects: structure(|branch| branch.objects),
        integral: branches.iter().any(|branch| branch.integral),
        plain: false,
    }
}

fn opposite(refused: Outline) -> Outline {
    let structure = |refused| match refused {
        Structure::Refused => Structure::Free,
        Structure::Free => Structure::Refused,
        _ => Structure::Whole,
    };
    Outline {
        // What it refuses within a kind is not known here, so no kind is ruled out.
        reach: Types::ALL,
        lists: structure(refused.lists),
        objects: structure(refused.objects),
        ..refused
    }
}
