//! What a schema became: rules that say what a value must be.

use std::ops::{BitAnd, BitOr, BitOrAssign};

use super::format::Format;
use super::number::{Decimal, Num};
use super::pattern::Pattern;
use crate::json::Node;

/// Kinds of JSON values, as a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Types(u8);

impl Types {
    pub(crate) const NONE: Self = Self(0);
    pub(crate) const NULL: Self = Self(1);
    pub(crate) const BOOLEAN: Self = Self(1 << 1);
    /// Whole numbers, `2.0` among them.
    pub(crate) const INTEGER: Self = Self(1 << 2);
    /// Numbers with a fraction.
    pub(crate) const FRACTION: Self = Self(1 << 3);
    pub(crate) const NUMBER: Self = Self(1 << 2 | 1 << 3);
    pub(crate) const STRING: Self = Self(1 << 4);
    pub(crate) const ARRAY: Self = Self(1 << 5);
    pub(crate) const OBJECT: Self = Self(1 << 6);
    pub(crate) const ALL: Self = Self(0x7f);

    /// The kinds that a word of `type` names.
    pub(crate) fn named(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::NULL,
            "boolean" => Self::BOOLEAN,
            "integer" => Self::INTEGER,
            "number" => Self::NUMBER,
            "string" => Self::STRING,
            "array" => Self::ARRAY,
            "object" => Self::OBJECT,
            _ => return None,
        })
    }

    /// Whether some kind is in both sets.
    pub(crate) fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether whole numbers are in it and fractions are not.
    pub(crate) fn is_integral(self) -> bool {
        self.meets(Self::INTEGER) && !self.meets(Self::FRACTION)
    }
}

impl BitOr for Types {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOrAssign for Types {
    fn bitor_assign(&mut self, other: Self) {
        self.0 |= other.0;
    }
}

impl BitAnd for Types {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Where a rule stands in [`Rules`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct RuleId(pub(super) usize);

/// The rule of the schema `true`.
pub(super) const ANYTHING: RuleId = RuleId(0);
/// The rule of the schema `false`.
pub(super) const NOTHING: RuleId = RuleId(1);

/// All rules of one schema, those of `true` and `false` first. An id that some rule holds is always in it.
#[derive(Debug)]
pub(crate) struct Rules(pub(super) Vec<Rule>);

impl Default for Rules {
    fn default() -> Self {
        Self(vec![Rule::anything(), Rule::nothing()])
    }
}

impl Rules {
    /// The rule with this id.
    #[inline]
    #[expect(clippy::indexing_slicing, reason = "ids are made by the compiler of the same rules")]
    pub(crate) fn get(&self, id: RuleId) -> &Rule {
        &self.0[id.0]
    }
}

/// What one schema object asks of a value. All of it must hold.
#[derive(Debug)]
pub(crate) struct Rule {
    pub(crate) types: Types,
    pub(crate) literals: Option<Literals>,
    pub(crate) number: Option<NumberRule>,
    pub(crate) string: Option<StringRule>,
    pub(crate) array: Option<ArrayRule>,
    pub(crate) object: Option<ObjectRule>,
    /// `allOf` and `$ref`.
    pub(crate) all: Vec<RuleId>,
    /// `anyOf` and `oneOf`.
    pub(crate) unions: Vec<Union>,
    /// `not`.
    pub(crate) none: Vec<RuleId>,
    /// What follows from all of the above, worked out once.
    pub(crate) outline: Outline,
}

impl Rule {
    /// The rule that asks nothing.
    pub(super) fn anything() -> Self {
        Self {
            types: Types::ALL,
            literals: None,
            number: None,
            string: None,
            array: None,
            object: None,
            all: Vec::new(),
            unions: Vec::new(),
            none: Vec::new(),
            outline: Outline::OPEN,
        }
    }

    /// The rule that nothing fits.
    pub(super) fn nothing() -> Self {
        let outline = Outline {
            reach: Types::NONE,
            lists: Structure::Refused,
            objects: Structure::Refused,
            integral: false,
            plain: true,
        };
        Self { types: Types::NONE, outline, ..Self::anything() }
    }

    /// Whether it refers to other rules for the same value.
    #[inline]
    pub(crate) fn is_compound(&self) -> bool {
        !(self.all.is_empty() && self.unions.is_empty() && self.none.is_empty())
    }

    /// Whether it asks something of the value by itself.
    pub(super) fn asks_itself(&self) -> bool {
        self.types != Types::ALL
            || self.literals.is_some()
            || self.number.is_some()
            || self.string.is_some()
            || self.array.is_some()
            || self.object.is_some()
    }
}

/// What a rule amounts to, its parts and branches included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Outline {
    /// Kinds that may fit; none else can.
    pub(crate) reach: Types,
    /// How a list in the text is walked.
    pub(crate) lists: Structure,
    /// How an object in the text is walked.
    pub(crate) objects: Structure,
    /// Whether a part or branch asks for whole numbers.
    pub(crate) integral: bool,
    /// Whether it asks nothing but what a single keyword about one kind can ask: no literals, parts or branches.
    pub(crate) plain: bool,
}

impl Outline {
    pub(super) const OPEN: Self = Self {
        reach: Types::ALL,
        lists: Structure::Free,
        objects: Structure::Free,
        integral: false,
        plain: true,
    };

    /// Whether the value must be read as a whole before it can be judged.
    #[inline]
    pub(crate) fn needs_whole(&self) -> bool {
        self.lists == Structure::Whole || self.objects == Structure::Whole
    }
}

/// Which rule a list or object is walked by, in one pass over the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Structure {
    /// No such value fits.
    Refused,
    /// Every such value fits.
    Free,
    /// The list or object part of this rule decides.
    By(RuleId),
    /// Several rules decide, so the value is read first.
    Whole,
}

/// `anyOf` or `oneOf`.
#[derive(Debug)]
pub(crate) struct Union {
    pub(crate) exactly_one: bool,
    pub(crate) branches: Vec<RuleId>,
}

/// `enum` and `const`.
#[derive(Debug, Default)]
pub(crate) struct Literals {
    pub(crate) null: bool,
    pub(crate) yes: bool,
    pub(crate) no: bool,
    pub(crate) numbers: Vec<Num<'static>>,
    pub(crate) strings: Vec<String>,
    /// Lists and objects, in canonical form.
    pub(crate) composites: Vec<String>,
    /// All members as they were written, for messages.
    pub(crate) members: Vec<Node>,
}

/// Bounds of numbers.
#[derive(Debug, Default)]
pub(crate) struct NumberRule {
    pub(crate) lower: Vec<Bound>,
    pub(crate) upper: Vec<Bound>,
    pub(crate) multiple_of: Option<Divisor>,
    /// The least and the greatest integer within the bounds, as far as 64-bit integers go.
    pub(crate) integers: (i128, i128),
}

/// One bound.
#[derive(Debug)]
pub(crate) struct Bound {
    pub(crate) decimal: Decimal<'static>,
    pub(crate) float: f64,
    pub(crate) exclusive: bool,
    pub(crate) spelling: String,
}

/// `multipleOf`.
#[derive(Debug)]
pub(crate) struct Divisor {
    pub(crate) decimal: Decimal<'static>,
    pub(crate) integer: Option<u64>,
    pub(crate) spelling: String,
}

/// What is asked of a text. Lengths count characters.
#[derive(Debug, Default)]
pub(crate) struct StringRule {
    pub(crate) least: Option<usize>,
    pub(crate) most: Option<usize>,
    pub(crate) pattern: Option<Pattern>,
    pub(crate) format: Option<Format>,
}

/// What is asked of a list.
#[derive(Debug, Default)]
pub(crate) struct ArrayRule {
    pub(crate) prefix: Vec<RuleId>,
    pub(crate) items: Option<RuleId>,
    pub(crate) least: Option<usize>,
    pub(crate) most: Option<usize>,
    pub(crate) unique: bool,
}

impl ArrayRule {
    /// The rule of the item at this place.
    #[inline]
    pub(crate) fn item(&self, index: usize) -> RuleId {
        self.prefix.get(index).copied().or(self.items).unwrap_or(ANYTHING)
    }
}

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
    /// Whether JSON spells the name as it is, without escapes.
    pub(crate) is_plain: bool,
}

impl Property {
    pub(super) fn new(name: &str, rule: RuleId, declared: bool) -> Self {
        let is_plain = !name.chars().any(|character| matches!(character, '"' | '\\' | '\0'..' '));
        Self { name: name.to_owned(), rule, required: !declared, declared, is_plain }
    }
}

/// Up to here properties are compared one by one.
const FEW: usize = 8;

impl ObjectRule {
    /// The place of the property with this name. `expected` is where it most likely is.
    #[inline]
    pub(crate) fn place(&self, name: &str, expected: usize) -> Option<usize> {
        if self.properties.get(expected).is_some_and(|property| property.name == name) {
            return Some(expected);
        }
        if self.properties.len() <= FEW {
            return self.properties.iter().position(|property| property.name == name);
        }
        let name_at = |place: usize| self.properties.get(place).map_or("", |property| property.name.as_str());
        let found = self.sorted.binary_search_by(|place| name_at(*place).cmp(name)).ok()?;
        self.sorted.get(found).copied()
    }

    /// The property with this name.
    pub(crate) fn property(&self, name: &str) -> Option<&Property> {
        self.properties.get(self.place(name, 0)?)
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
