//! The names in a folder that are like one that is not there.

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};

use rustix::fs::Dir;

use super::places::{PathError, Place};
use super::shown;

/// How many names are looked at, and how many characters of each.
const LOOKED_AT: usize = 20_000;
const COMPARED: usize = 64;
/// How many are given.
const GIVEN: usize = 3;
/// From 0 to 1, how alike names are at least.
const ALIKE: f64 = 0.6;

/// The names that are most like one name.
pub(super) struct Nearest {
    wanted: String,
    best: Vec<(f64, PathBuf)>,
}

impl Nearest {
    pub(super) fn to(wanted: &str) -> Self {
        Self { wanted: comparable(wanted), best: Vec::new() }
    }

    /// Looks at one more: its name, and its path if that counts.
    pub(super) fn add(&mut self, name: &str, path: impl FnOnce() -> PathBuf) {
        let alike = alike(&comparable(name), &self.wanted);
        if alike >= ALIKE {
            self.insert(alike, path());
        }
    }

    /// The best of both.
    pub(super) fn or(mut self, other: Self) -> Self {
        other.best.into_iter().for_each(|(alike, path)| self.insert(alike, path));
        self
    }

    fn insert(&mut self, alike: f64, path: PathBuf) {
        let before = |other: &(f64, PathBuf)| (-other.0, &other.1) < (-alike, &path);
        let at = self.best.iter().take_while(|other| before(other)).count();
        if at < GIVEN {
            self.best.insert(at, (alike, path));
            self.best.truncate(GIVEN);
        }
    }

    /// The paths, the most alike first.
    pub(super) fn into_paths(self) -> Vec<PathBuf> {
        self.best.into_iter().map(|(_, path)| path).collect()
    }
}

fn comparable(name: &str) -> String {
    name.chars().take(COMPARED).flat_map(char::to_lowercase).collect()
}

fn alike(name: &str, wanted: &str) -> f64 {
    let stem = |name: &str| name.split_once('.').map_or(name.len(), |(stem, _)| stem.len());
    let (of_name, of_wanted) = (name.get(..stem(name)), wanted.get(..stem(wanted)));
    if of_name == of_wanted && of_name != Some("") {
        return 0.95;
    }
    strsim::normalized_damerau_levenshtein(name, wanted)
}

/// Says where a path goes wrong that leads to nothing: the deepest folder of it that exists, and what is there that is like
/// the name that is not.
pub(super) fn describe(error: &PathError, place: &Place, workspace: &Path) -> String {
    let mut at = place.clone();
    while let (Some(name), Some(folder)) = (at.inside().file_name(), at.folder()) {
        let name = name.to_string_lossy().into_owned();
        at = folder;
        let Ok(opened) = at.open_folder() else { continue };
        let folder = at.path();
        let near = near(opened, &name, &folder);
        let mut message = error.to_string();
        if folder.join(&name) != place.path() {
            message.push_str(&format!(": there is no `{name}` in `{}`", shown::place(&folder, workspace)));
        }
        message.push_str(&did_you_mean(&near, workspace));
        return message;
    }
    error.to_string()
}

/// A question behind a sentence; empty if nothing is near.
pub(super) fn did_you_mean(near: &[PathBuf], workspace: &Path) -> String {
    let names: Vec<_> = near.iter().map(|path| format!("`{}`", shown::place(path, workspace))).collect();
    if names.is_empty() { String::new() } else { format!("; did you mean {}", names.join(" or ")) }
}

fn near(folder: OwnedFd, name: &str, path: &Path) -> Vec<PathBuf> {
    let mut nearest = Nearest::to(name);
    let entries = Dir::new(folder).into_iter().flatten();
    for entry in entries.map_while(Result::ok).take(LOOKED_AT) {
        // A name that is no UTF-8 could not be asked for.
        if let Ok(name) = entry.file_name().to_str()
            && !matches!(name, "." | "..")
        {
            nearest.add(name, || path.join(name));
        }
    }
    nearest.into_paths()
}
