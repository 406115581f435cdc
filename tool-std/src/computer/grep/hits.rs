//! The lines that a search found, in the order of their paths, and no more of them than a page has.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A line that matches, with those around it.
#[derive(Debug)]
pub(super) struct Hit {
    pub(super) before: Vec<Line>,
    pub(super) line: Line,
    pub(super) after: Vec<Line>,
}

/// A line of a file.
#[derive(Debug)]
pub(super) struct Line {
    /// Counted from 1.
    pub(super) number: u64,
    pub(super) text: String,
}

/// A place in the order of all hits.
#[derive(Clone, Debug)]
pub(super) struct Spot {
    pub(super) path: PathBuf,
    pub(super) line: u64,
}

impl Spot {
    /// The line behind which hits of the file at `path` are wanted; `None` if none of them are.
    pub(super) fn line_in(spot: Option<&Self>, path: &Path) -> Option<u64> {
        match spot {
            None => Some(0),
            Some(spot) if path == spot.path => Some(spot.line),
            Some(spot) => (path > spot.path.as_path()).then_some(0),
        }
    }
}

/// The first hits, by path and line.
#[derive(Debug)]
pub(super) struct Hits {
    most: usize,
    kept: usize,
    files: BTreeMap<PathBuf, Vec<Hit>>,
}

impl Hits {
    pub(super) fn first(most: usize) -> Self {
        Self { most, kept: 0, files: BTreeMap::new() }
    }

    /// Whether hits of the file at `path` would be among the first.
    pub(super) fn wants(&self, path: &Path) -> bool {
        self.kept < self.most || self.files.last_key_value().is_some_and(|(last, _)| path < last.as_path())
    }

    pub(super) fn add(&mut self, path: PathBuf, hits: Vec<Hit>) {
        if hits.is_empty() {
            return;
        }
        self.kept += hits.len();
        self.files.insert(path, hits);
        while let Some(last) = self.files.last_entry()
            && self.kept - last.get().len() >= self.most
        {
            self.kept -= last.remove().len();
        }
    }

    /// Takes in what another thread found.
    pub(super) fn absorb(&mut self, other: Self) {
        other.files.into_iter().for_each(|(path, hits)| self.add(path, hits));
    }

    pub(super) fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// All that is kept, in order; the last file may have more than fit in.
    pub(super) fn into_iter(self) -> impl Iterator<Item = (PathBuf, Hit)> {
        let flat = |(path, hits): (PathBuf, Vec<Hit>)| hits.into_iter().map(move |hit| (path.clone(), hit));
        self.files.into_iter().flat_map(flat).take(self.most)
    }
}
