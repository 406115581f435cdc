//! The files of a skill: found, listed and read inside of its folder only, through the handle of its root.

use std::ffi::OsString;
use std::io::Read;
use std::path::{Component, Path};

use rustix::fs::{AtFlags, Dir, FileType};

use super::skill::Skill;
use crate::computer::{PathErrorKind, Place, Places};

/// The largest file that is read for the model, in bytes.
pub(super) const MAX_FILE: u64 = 100_000;
/// How deep below a skill its files are listed.
const LIST_DEPTH: usize = 3;
/// How many of them are named.
const LIST_SHOWN: usize = 30;

/// Why a file was not read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Unreadable {
    Missing,
    /// A link or an exchanged folder leads out of the skill.
    Outside,
    TooBig {
        size: u64,
        most: u64,
    },
    Binary,
    /// A folder, a device, or what the system refuses, in its words.
    Other(String),
}

impl Unreadable {
    /// What it is, as the end of a sentence that begins with the file.
    pub(super) fn reason(&self) -> String {
        match self {
            Self::Missing => "does not exist".into(),
            Self::Outside => "is or lies behind a link that leads out of the skill's folder".into(),
            Self::TooBig { size, most } => {
                format!("has {size} bytes, and {most} are the most that is read of it")
            }
            Self::Binary => "is no text in UTF-8".into(),
            Self::Other(reason) => reason.clone(),
        }
    }
}

/// A path inside of a skill, checked by its spelling.
///
/// # Errors
///
/// When it is blank, absolute or has parts that are no names.
pub(super) fn inside(path: &str) -> Result<&str, String> {
    let path = path.trim();
    let plain = |part| matches!(part, Component::Normal(_));
    let has_dots = path.split('/').any(|part| part == "." || part == "..");
    if path.is_empty() || path.contains('\0') || has_dots || !Path::new(path).components().all(plain) {
        return Err(format!(
            "`filePath` is {path:?}, and is to be the path of a file inside of the skill's folder, as `references/fields.md`: \
             without a `/` in front and without `.` or `..`"
        ));
    }
    Ok(path)
}

/// The text of the file at `path` in the folder `directory`, which lies in `root`; at most `most` bytes.
///
/// # Errors
///
/// When nothing is there, it is no text, too big, or really lies elsewhere.
pub(super) fn read(root: &Places, directory: &Path, path: &str, most: u64) -> Result<String, Unreadable> {
    let file = place(root, directory, path)?.open_file().map_err(|error| unreadable(&error))?;
    let size = file.metadata().map_err(|error| Unreadable::Other(format!("cannot be read: {error}")))?.len();
    if size > most {
        return Err(Unreadable::TooBig { size, most });
    }
    let mut bytes = Vec::new();
    // It may grow, or not tell its size.
    let read = file.take(most + 1).read_to_end(&mut bytes);
    read.map_err(|error| Unreadable::Other(format!("cannot be read: {error}")))?;
    if bytes.len() as u64 > most {
        return Err(Unreadable::TooBig { size: bytes.len() as u64, most });
    }
    if bytes.contains(&0) {
        return Err(Unreadable::Binary);
    }
    String::from_utf8(bytes).map_err(|_| Unreadable::Binary)
}

/// Where `path` really lies, if that is inside of `directory`.
fn place(root: &Places, directory: &Path, path: &str) -> Result<Place, Unreadable> {
    let whole = directory.join(path);
    let Some(text) = whole.to_str() else {
        return Err(Unreadable::Other("has a name that is not UTF-8".into()));
    };
    root.to_read_within(text, directory).map_err(|error| unreadable(&error))
}

fn unreadable(error: &crate::computer::PathError) -> Unreadable {
    match error.kind() {
        PathErrorKind::NotFound => Unreadable::Missing,
        PathErrorKind::Outside => Unreadable::Outside,
        _ => Unreadable::Other(error.reason().to_owned()),
    }
}

/// What lies in a folder.
#[derive(Debug)]
pub(super) struct Entry {
    pub(super) name: OsString,
    pub(super) kind: FileType,
}

/// What lies in the folder at `path` in `directory`, by name; at most `most`, and whether there is more.
///
/// # Errors
///
/// When it is no folder, really lies elsewhere, or cannot be read.
pub(super) fn entries(
    root: &Places,
    directory: &Path,
    path: &str,
    most: usize,
) -> Result<(Vec<Entry>, bool), Unreadable> {
    let folder = place(root, directory, path)?.open_folder().map_err(|error| unreadable(&error))?;
    let failed = |error: rustix::io::Errno| Unreadable::Other(format!("cannot be listed: {error}"));
    let mut found = Vec::new();
    for entry in Dir::read_from(&folder).map_err(failed)? {
        let entry = entry.map_err(failed)?;
        let name = entry.file_name();
        if name == c"." || name == c".." {
            continue;
        }
        if found.len() == most {
            return Ok((found, true));
        }
        let kind = match entry.file_type() {
            FileType::Unknown => rustix::fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)
                .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode)),
            kind => kind,
        };
        found.push(Entry { name: os_string(name.to_bytes()), kind });
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    Ok((found, false))
}

fn os_string(bytes: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).to_owned()
}

/// The files of a skill for a sentence: some of them, by name.
pub(super) fn listing(skill: &Skill) -> String {
    let mut files = Vec::new();
    list(skill, String::new(), LIST_DEPTH, &mut files);
    let more = if files.len() > LIST_SHOWN { ", and more" } else { "" };
    let shown: Vec<_> = files.iter().take(LIST_SHOWN).map(|file| format!("`{file}`")).collect();
    format!("{}{more}", shown.join(", "))
}

/// Adds the files below `at`, up to one more than is shown.
fn list(skill: &Skill, at: String, depth: usize, files: &mut Vec<String>) {
    let Ok((entries, _)) = entries(&skill.root, &skill.directory, &at, 1_000) else { return };
    for entry in entries {
        if files.len() > LIST_SHOWN {
            return;
        }
        let Some(name) = entry.name.to_str().filter(|name| !name.starts_with('.')) else { continue };
        let path = if at.is_empty() { name.to_owned() } else { format!("{at}/{name}") };
        match entry.kind {
            FileType::RegularFile => files.push(path),
            FileType::Directory if depth > 0 => list(skill, path, depth - 1, files),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::inside;

    #[test]
    fn only_plain_paths_are_inside() {
        for path in ["SKILL.md", "references/fields.md", " a/b/c ", "a//b", "..a/b..", "~/x"] {
            assert!(inside(path).is_ok(), "{path}");
        }
        for path in ["", " ", "/etc/passwd", "..", "../x", "a/../../x", "./a", "a/.", "a\0b"] {
            assert!(inside(path).unwrap_err().contains("inside of the skill's folder"), "{path}");
        }
    }
}
