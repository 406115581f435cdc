//! Rules from which something was left out, and what that does to the rules around them.

use std::collections::HashMap;

use super::Draft;
use crate::check::rule::{Rule, RuleId};

/// Carries looseness from each rule to those that hold it, and weakens what looseness would turn around.
pub(super) fn loosen(drafts: &mut [Draft]) {
    let mut holders: HashMap<RuleId, Vec<usize>> = HashMap::new();
    for (index, draft) in drafts.iter().enumerate() {
        for id in held(&draft.rule) {
            holders.entry(id).or_default().push(index);
        }
    }
    let mut waiting: Vec<usize> = (0..drafts.len()).filter(|index| is_loose(drafts, *index)).collect();
    while let Some(index) = waiting.pop() {
        for holder in holders.get(&RuleId(index)).into_iter().flatten() {
            if let Some(draft) = drafts.get_mut(*holder).filter(|draft| !draft.loose) {
                draft.loose = true;
                waiting.push(*holder);
            }
        }
    }
    let loose: Vec<bool> = drafts.iter().map(|draft| draft.loose).collect();
    let is_loose = |id: &RuleId| loose.get(id.0).copied().unwrap_or(false);
    for draft in drafts {
        draft.rule.none.retain(|id| !is_loose(id));
        for union in &mut draft.rule.unions {
            union.exactly_one &= !union.branches.iter().any(is_loose);
        }
    }
}

fn is_loose(drafts: &[Draft], index: usize) -> bool {
    drafts.get(index).is_some_and(|draft| draft.loose)
}

/// All rules that a rule holds.
fn held(rule: &Rule) -> Vec<RuleId> {
    let mut held = rule.all.clone();
    held.extend(&rule.none);
    held.extend(rule.unions.iter().flat_map(|union| union.branches.iter().copied()));
    if let Some(array) = &rule.array {
        held.extend(&array.prefix);
        held.extend(array.items);
    }
    if let Some(object) = &rule.object {
        held.extend(object.properties.iter().map(|property| property.rule));
        held.extend(object.patterns.iter().map(|(_, rule)| *rule));
        held.extend(object.additional);
        held.extend(object.names);
    }
    held
}
