//! The keys of an object that were there already.

use std::borrow::Cow;
use std::collections::HashSet;

/// Which properties were there, a bit each.
pub(super) enum Seen {
    Few(u64),
    Many(Vec<u64>),
}

impl Seen {
    #[inline]
    pub(super) fn for_properties(count: usize) -> Self {
        if count <= 64 { Self::Few(0) } else { Self::Many(vec![0; count.div_ceil(64)]) }
    }

    /// False if it was there already.
    #[inline]
    pub(super) fn insert(&mut self, place: usize) -> bool {
        let word = match self {
            Self::Few(word) => word,
            Self::Many(words) => match words.get_mut(place / 64) {
                Some(word) => word,
                None => return false,
            },
        };
        let bit = 1 << (place % 64);
        let is_new = *word & bit == 0;
        *word |= bit;
        is_new
    }

    #[inline]
    pub(super) fn holds(&self, required: &[u64]) -> bool {
        let seen = match self {
            Self::Few(word) => std::slice::from_ref(word),
            Self::Many(words) => words,
        };
        required.iter().zip(seen).all(|(required, seen)| required & !seen == 0)
    }
}

/// Keys that are not declared, each once.
#[derive(Default)]
pub(super) struct Keys<'t> {
    few: Vec<Cow<'t, str>>,
    many: Option<HashSet<Cow<'t, str>>>,
}

impl<'t> Keys<'t> {
    /// Up to here keys are compared one by one.
    const FEW: usize = 8;

    /// False if it was there already.
    pub(super) fn insert(&mut self, key: Cow<'t, str>) -> bool {
        if self.few.contains(&key) {
            return false;
        }
        if self.few.len() < Self::FEW {
            self.few.push(key);
            return true;
        }
        self.many.get_or_insert_default().insert(key)
    }
}
