//! What a schema became: rules that say what a value must be.

mod object;
mod types;

pub(crate) use self::object::{ObjectRule, Property};
pub(crate) use self::types::Types;
use super::format::Format;
use super::number::{Decimal, Num};
use super::pattern::Pattern;
use crate::json::Node;

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
