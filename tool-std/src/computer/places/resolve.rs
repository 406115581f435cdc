//! Where a path really leads. It is walked part by part: inside of the allowed folders from their handles, so that each
//! error is about what is there; outside of them the system resolves it, and whatever it says there is told as one thing:
//! that the path leads outside.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::io::Errno;

use super::beneath::Kind;
use super::{PathError, Place, Root};

/// The longest path that the system takes, in bytes.
const LONGEST: usize = 4_095;
/// How many links the system follows in one path.
const MOST_LINKS: u32 = 40;

/// A folder in which a path may lead, with the allowed folder in which that lies.
pub(super) struct Area<'p> {
    pub(super) root: &'p Arc<Root>,
    /// The allowed folder itself, or one in it.
    pub(super) path: &'p Path,
}

/// What becomes of a link at the end of a path.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Last {
    Followed,
    /// It is the place itself.
    Kept,
}

/// Walks `path` from the real path `from` on; `given` is what the error says.
///
/// # Errors
///
/// When it leads outside of all areas, or has no place in them.
pub(super) fn resolve(
    areas: &[Area<'_>],
    from: &Path,
    path: &OsStr,
    last: Last,
    given: &Path,
) -> Result<Place, PathError> {
    let whole = path.as_bytes();
    let is_too_long = whole.len() > LONGEST;
    let mut parts = Vec::new();
    push(&mut parts, whole.get(..LONGEST).unwrap_or(whole), false);
    if is_too_long {
        // Its start shows whether it leads outside at once; the part that was cut is no name.
        parts.drain(..1);
    }
    let end = if last == Last::Kept { end(&mut parts) } else { None };
    let at = if whole.starts_with(b"/") { Path::new("/") } else { from };
    let mut walk = Walk { areas, given, at: at.to_path_buf(), is_missing: false, parts, links: 0 };
    walk.run()?;
    walk.at.extend(end);
    match walk.place(&walk.at) {
        Some(_) if is_too_long => Err(PathError::from_errno(given, Errno::NAMETOOLONG)),
        Some(place) => Ok(place),
        None => Err(walk.outside()),
    }
}

/// A part of a path that is still to be walked.
struct Part {
    name: OsString,
    is_of_link: bool,
}

/// Adds the parts of a path, the first one last.
fn push(parts: &mut Vec<Part>, path: &[u8], is_of_link: bool) {
    let names = path.rsplit(|byte| *byte == b'/').map(|name| OsString::from_vec(name.to_vec()));
    parts.extend(names.map(|name| Part { name, is_of_link }));
}

/// Takes the name at the end of a path, if it has one.
fn end(parts: &mut Vec<Part>) -> Option<OsString> {
    let at = parts.iter().position(|part| !matches!(part.name.as_bytes(), b"" | b"."))?;
    let is_name = parts.get(at).is_some_and(|part| part.name != "..");
    is_name.then(|| parts.drain(..=at).next_back().map(|part| part.name)).flatten()
}

struct Walk<'w> {
    areas: &'w [Area<'w>],
    given: &'w Path,
    /// The real path so far.
    at: PathBuf,
    /// Whether nothing is at `at`, and so nothing behind it either.
    is_missing: bool,
    /// What is left, the next one last.
    parts: Vec<Part>,
    links: u32,
}

impl Walk<'_> {
    fn run(&mut self) -> Result<(), PathError> {
        while let Some(part) = self.parts.pop() {
            match self.place(&self.at) {
                Some(place) => self.step_inside(&place, part)?,
                None => self.step_outside(&part.name)?,
            }
        }
        Ok(())
    }

    fn step_outside(&mut self, name: &OsStr) -> Result<(), PathError> {
        match name.as_bytes() {
            b"" | b"." => {}
            b".." if self.surrounds_an_area(&self.at) => _ = self.at.pop(),
            // To come back inside would tell that the folder is there.
            b".." => return Err(self.outside()),
            _ => {
                let next = self.at.join(name);
                // What surrounds an area is a real path, and need not be asked for.
                self.at = if self.surrounds_an_area(&next) {
                    next
                } else {
                    std::fs::canonicalize(next).map_err(|_| self.outside())?
                };
            }
        }
        Ok(())
    }

    fn step_inside(&mut self, here: &Place, part: Part) -> Result<(), PathError> {
        match part.name.as_bytes() {
            b".." if self.is_missing => return Err(self.error(Errno::NOENT)),
            b"" | b"." if self.is_missing => {}
            b"" | b"." | b".." => {
                if here.status()?.0 != Kind::Folder {
                    return Err(self.error(Errno::NOTDIR));
                }
                if part.name == ".." {
                    self.at.pop();
                }
            }
            _ if self.is_missing => self.at.push(part.name),
            _ => {
                let folder = here.open_as_step()?;
                match rustix::fs::readlinkat(&folder, &part.name, Vec::new()) {
                    Ok(target) => self.follow(target.as_bytes())?,
                    // It is there, and no link.
                    Err(Errno::INVAL) => self.at.push(part.name),
                    // A link to nothing exists itself: what is made through it would lie where it points to.
                    Err(Errno::NOENT) if !part.is_of_link => {
                        self.is_missing = true;
                        self.at.push(part.name);
                    }
                    Err(error) => return Err(self.error(error)),
                }
            }
        }
        Ok(())
    }

    fn follow(&mut self, target: &[u8]) -> Result<(), PathError> {
        self.links += 1;
        if self.links > MOST_LINKS {
            return Err(self.error(Errno::LOOP));
        }
        push(&mut self.parts, target, true);
        if target.starts_with(b"/") {
            self.at = PathBuf::from("/");
        }
        Ok(())
    }

    /// The place of a real path, if it lies in an area.
    fn place(&self, real: &Path) -> Option<Place> {
        let area = self.areas.iter().find(|area| real.starts_with(area.path))?;
        let inside = real.strip_prefix(&area.root.path).ok()?;
        Some(Place::new(Arc::clone(area.root), inside.to_path_buf(), self.given.to_path_buf()))
    }

    /// Whether it is an area, or a folder around one.
    fn surrounds_an_area(&self, real: &Path) -> bool {
        self.areas.iter().any(|area| area.path.starts_with(real))
    }

    fn error(&self, error: Errno) -> PathError {
        PathError::from_errno(self.given, error)
    }

    fn outside(&self) -> PathError {
        // One that lies in another is said already, unless it comes first, as the workspace does.
        let mut folders: Vec<&Path> = Vec::new();
        for area in self.areas {
            if !folders.iter().any(|folder| area.path.starts_with(folder)) {
                folders.push(area.path);
            }
        }
        PathError::outside(self.given, &folders)
    }
}
