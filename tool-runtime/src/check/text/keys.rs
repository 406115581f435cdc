//! The keys of an object that were there already.

use std::borrow::Cow;
use std::collections::HashSet;

/// Which properties were there, a bit each.
pub(super) struct Seen {
    /// The first 64; hardly an object has more.
    first: u64,
    /// The others, 64 a word.
    others: Vec<u64>,
}

impl Seen {
    #[inline]
    pub(super) fn for_properties(count: usize) -> Self {
        let others = if count <= 64 { Vec::new() } else { vec![0; count.div_ceil(64) - 1] };
        Self { first: 0, others }
    }

    /// False if it was there already.
    #[inline]
    pub(super) fn insert(&mut self, place: usize) -> bool {
        let word = match place / 64 {
            0 => &mut self.first,
            word => match self.others.get_mut(word - 1) {
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
        let seen = std::iter::once(&self.first).chain(&self.others);
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
