//! What is asked of the members of an object.

use super::{NOTHING, RuleId};
use crate::check::pattern::Pattern;

/// What is asked of an object.
#[derive(Debug, Default)]
pub(crate) struct ObjectRule {
    pub(crate) properties: Vec<Property>,
    /// Bits of the required properties, 64 a word.
    pub(crate) required: Vec<u64>,
    pub(crate) patterns: Vec<(Pattern, RuleId)>,
    pub(crate) additional: Option<RuleId>,
    pub(crate) names: Option<RuleId>,
    pub(crate) least: Option<usize>,
    pub(crate) most: Option<usize>,
    /// Places in `properties`, ordered by name, for objects of many.
    pub(crate) sorted: Vec<usize>,
}

/// One property. Names that are only required stand here too.
#[derive(Debug)]
pub(crate) struct Property {
    pub(crate) name: String,
    pub(crate) rule: RuleId,
    pub(crate) required: bool,
    /// Whether `properties` has it; otherwise it is only named in `required`.
    pub(crate) declared: bool,
    /// How a text without spaces spells the name as a key, with quotes and colon; `None` if it needs escapes.
    pub(crate) key: Option<String>,
}

impl Property {
    pub(crate) fn new(name: &str, rule: RuleId, declared: bool) -> Self {
        let is_plain = !name.chars().any(|character| matches!(character, '"' | '\\' | '\0'..' '));
        let key = is_plain.then(|| format!("\"{name}\":"));
        Self { name: name.to_owned(), rule, required: !declared, declared, key }
    }
}

/// Up to here properties are compared one by one.
const FEW: usize = 8;

impl ObjectRule {
    /// The place of the property with this name.
    pub(crate) fn place(&self, name: &str) -> Option<usize> {
        if self.properties.len() <= FEW {
            return self.properties.iter().position(|property| property.name == name);
        }
        let name_at = |place: usize| self.properties.get(place).map_or("", |property| property.name.as_str());
        let found = self.sorted.binary_search_by(|place| name_at(*place).cmp(name)).ok()?;
        self.sorted.get(found).copied()
    }

    /// The property with this name.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.get(self.place(name)?)
    }

    /// Whether a key that is not declared is refused.
    pub(crate) fn is_closed(&self) -> bool {
        self.additional == Some(NOTHING)
    }

    /// The rules for the member with this key: its property's, those of its patterns, or that of additional ones.
    pub(crate) fn member(&self, key: &str) -> MemberRules {
        let property = self.property(key).filter(|property| property.declared);
        let mut rules: Vec<RuleId> = property.map(|property| property.rule).into_iter().collect();
        rules
            .extend(self.patterns.iter().filter(|(pattern, _)| pattern.is_match(key)).map(|(_, rule)| *rule));
        let declared = !rules.is_empty();
        if !declared {
            rules.extend(self.additional);
        }
        MemberRules { rules, declared }
    }
}

/// What applies to one member of an object.
pub(crate) struct MemberRules {
    pub(crate) rules: Vec<RuleId>,
    /// Whether a property or a pattern names it.
    pub(crate) declared: bool,
}
