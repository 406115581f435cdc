//! Kinds of JSON values.

use std::ops::{BitAnd, BitOr, BitOrAssign};

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
