//! The best of what a walk finds, and no more.

use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};

use super::query::Fit;

/// A file that fits. The better ones are less; of equal ones the shorter path, then the first by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Hit {
    pub(super) fit: Fit,
    /// 0 where the length of the path does not count.
    pub(super) length: usize,
    pub(super) path: PathBuf,
    pub(super) is_link: bool,
}

/// The best hits behind one that is known.
#[derive(Debug)]
pub(super) struct Best<'a> {
    most: usize,
    after: Option<&'a Hit>,
    kept: BinaryHeap<Hit>,
    /// How many were offered.
    pub(super) found: u64,
}

impl<'a> Best<'a> {
    /// Keeps at most `most`, all of them worse than `after`.
    pub(super) fn of(most: usize, after: Option<&'a Hit>) -> Self {
        Self { most, after, kept: BinaryHeap::new(), found: 0 }
    }

    pub(super) fn offer(&mut self, fit: Fit, length: usize, path: &Path, is_link: bool) {
        self.found += 1;
        let place = |hit: &Hit| (fit, length, path).cmp(&(hit.fit, hit.length, hit.path.as_path()));
        let is_known = self.after.is_some_and(|after| place(after).is_le());
        let is_full = self.kept.len() == self.most;
        if is_known || (is_full && self.kept.peek().is_none_or(|worst| place(worst).is_ge())) {
            return;
        }
        self.push(Hit { fit, length, path: path.to_path_buf(), is_link });
    }

    /// Takes in what another thread found.
    pub(super) fn absorb(&mut self, other: Self) {
        self.found += other.found;
        other.kept.into_iter().for_each(|hit| self.push(hit));
    }

    fn push(&mut self, hit: Hit) {
        self.kept.push(hit);
        if self.kept.len() > self.most {
            self.kept.pop();
        }
    }

    /// The best first.
    pub(super) fn into_hits(self) -> Vec<Hit> {
        self.kept.into_sorted_vec()
    }
}
