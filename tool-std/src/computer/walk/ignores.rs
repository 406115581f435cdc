//! What ignore files leave out of a walk.

use std::io::Read;
use std::iter::successors;
use std::os::fd::{AsFd, OwnedFd};
use std::path::Path;
use std::sync::Arc;

use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};

use crate::computer::places::{self, Place};

/// The files that say what to leave out, those that weigh more behind.
const NAMES: [&str; 2] = [".gitignore", ".ignore"];
/// How much of such a file is read, in bytes and in lines. Many patterns take long to be made ready.
const READ: u64 = 64 * 1024;
const LINES: usize = 2_000;

/// The rules of a folder and of those above it.
#[derive(Debug)]
pub(super) struct Ignores {
    above: Rules,
    rules: Gitignore,
}

/// `None` where no rule is known.
pub(super) type Rules = Option<Arc<Ignores>>;

/// The rules that hold in a place because of the folders above it, up to the allowed folder in which it lies.
pub(super) fn above(place: &Place) -> Rules {
    let folders: Vec<Place> = successors(place.folder(), Place::folder).collect();
    folders.iter().rev().fold(None, |rules, folder| match folder.open_folder() {
        Ok(opened) => within(&opened, folder.inside(), rules),
        Err(_) => rules,
    })
}

/// The rules that hold within `folder`, which lies at `path` from the allowed folder on.
pub(super) fn within(folder: &OwnedFd, path: &Path, above: Rules) -> Rules {
    let mut builder = None;
    for name in NAMES {
        let Some(text) = text_of(folder, name) else { continue };
        let builder = builder.get_or_insert_with(|| GitignoreBuilder::new(path));
        for line in text.lines().take(LINES) {
            // A line that is no pattern says nothing.
            let _ = builder.add_line(None, line);
        }
    }
    match builder.map(|builder| builder.build()) {
        Some(Ok(rules)) if !rules.is_empty() => Some(Arc::new(Ignores { above, rules })),
        _ => above,
    }
}

/// Whether `path`, from the allowed folder on, is left out. The deepest rule that speaks of it decides.
pub(super) fn leave_out(rules: &Rules, path: &Path, is_folder: bool) -> bool {
    let mut at = rules;
    while let Some(ignores) = at {
        match ignores.rules.matched(path, is_folder) {
            Match::None => at = &ignores.above,
            Match::Ignore(_) => return true,
            Match::Whitelist(_) => return false,
        }
    }
    false
}

/// Like everything else, it is read only if it is a regular file, and to a bound.
fn text_of(folder: &OwnedFd, name: &str) -> Option<String> {
    let file = places::open_file(folder.as_fd(), name).ok()?.ok()?;
    let mut text = Vec::new();
    file.take(READ).read_to_end(&mut text).ok()?;
    if text.len() as u64 == READ {
        // Half a line would be another pattern.
        text.truncate(text.iter().rposition(|&byte| byte == b'\n').unwrap_or(0));
    }
    let text = String::from_utf8_lossy(&text).into_owned();
    Some(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}
