//! One path inside an allowed folder, and what can be done with it.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{AtFlags, Mode};
use rustix::io::Errno;

use super::beneath::{self, Kind};
use super::{PathError, PathErrorKind, Root};

/// A path inside an allowed folder. What is there may not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    root: Arc<Root>,
    /// Below the root; free of links at the time it was found; empty for the root itself.
    inside: PathBuf,
    given: PathBuf,
}

/// A folder that was made on the way to a place.
#[derive(Debug)]
pub(crate) struct MadeFolder {
    root: Arc<Root>,
    /// Below the root.
    inside: PathBuf,
}

impl MadeFolder {
    /// Removes it again, unless it holds something or something else has its name by now.
    pub(crate) fn remove(&self) {
        let (Some(folder), Some(name)) = (self.inside.parent(), self.inside.file_name()) else { return };
        if let Ok(folder) = beneath::open_folder(self.root.handle.as_fd(), folder) {
            let _removed = rustix::fs::unlinkat(folder, name, AtFlags::REMOVEDIR);
        }
    }
}

impl Place {
    pub(super) fn new(root: Arc<Root>, inside: PathBuf, given: PathBuf) -> Self {
        Self { root, inside, given }
    }

    /// The real path.
    pub(crate) fn path(&self) -> PathBuf {
        self.root.path.join(&self.inside)
    }

    /// The path from the allowed folder on; empty for that folder itself.
    pub(crate) fn inside(&self) -> &Path {
        &self.inside
    }

    /// The folder in which it lies; `None` for an allowed folder itself.
    pub(crate) fn folder(&self) -> Option<Self> {
        let inside = self.inside.parent()?.to_path_buf();
        Some(Self { root: Arc::clone(&self.root), inside, given: self.given.clone() })
    }

    /// What is there, and its size in bytes. Nothing is opened.
    ///
    /// # Errors
    ///
    /// When nothing is there, or it cannot be reached.
    pub(crate) fn status(&self) -> Result<(Kind, u64), PathError> {
        let Some(name) = self.inside.file_name() else { return Ok((Kind::Folder, 0)) };
        beneath::status(self.step_to()?, name).map_err(|error| self.failed(error))
    }

    /// Opens the regular file that is there for reading. No link is followed, no device or pipe is opened.
    ///
    /// # Errors
    ///
    /// When nothing is there, or something that is no regular file.
    pub(crate) fn open_file(&self) -> Result<File, PathError> {
        let Some(name) = self.inside.file_name() else { return Err(self.is(Kind::Folder, "no file")) };
        let opened = beneath::open_file(self.step_to()?, name).map_err(|error| self.failed(error))?;
        opened.map_err(|kind| self.is(kind, "no file"))
    }

    /// Opens the folder that is there.
    ///
    /// # Errors
    ///
    /// When nothing is there, or no folder.
    pub(crate) fn open_folder(&self) -> Result<OwnedFd, PathError> {
        let opened = beneath::open_folder(self.root.handle.as_fd(), &self.inside);
        opened.map_err(|error| match self.status() {
            Ok((kind, _)) if error == Errno::NOTDIR && kind != Kind::Folder => self.is(kind, "no folder"),
            _ => self.failed(error),
        })
    }

    /// Opens what is there as a step of a path that goes on behind it.
    ///
    /// # Errors
    ///
    /// When it is no folder.
    pub(super) fn open_as_step(&self) -> Result<OwnedFd, PathError> {
        beneath::open_step(self.root.handle.as_fd(), &self.inside).map_err(|error| self.failed(error))
    }

    /// Opens the folder in which it lies, and gives its name there.
    ///
    /// # Errors
    ///
    /// When a part of the path is no folder, or the place is an allowed folder itself.
    pub(crate) fn parent(&self) -> Result<(OwnedFd, OsString), PathError> {
        let Some(name) = self.inside.file_name() else { return Err(self.is(Kind::Folder, "no file")) };
        let folder = beneath::open_folder(self.root.handle.as_fd(), self.inside_of_folder());
        Ok((folder.map_err(|error| self.failed(error))?, name.to_os_string()))
    }

    /// As [`parent`](Self::parent); makes the folders that are missing and adds them to `made`, outermost first.
    ///
    /// # Errors
    ///
    /// As for [`parent`](Self::parent). What was made until then is in `made`.
    pub(crate) fn make_parent(&self, made: &mut Vec<MadeFolder>) -> Result<(OwnedFd, OsString), PathError> {
        let Some(name) = self.inside.file_name() else { return Err(self.is(Kind::Folder, "no file")) };
        let root = beneath::open_folder(self.root.handle.as_fd(), Path::new(""));
        let mut at = root.map_err(|error| self.failed(error))?;
        let mut inside = PathBuf::new();
        for step in self.inside.parent().unwrap_or(Path::new("")) {
            inside.push(step);
            let open = || rustix::fs::openat(&at, step, beneath::FOLDER, Mode::empty());
            let opened = match open() {
                Err(Errno::NOENT) => {
                    if self.make(&at, step)? {
                        made.push(MadeFolder { root: Arc::clone(&self.root), inside: inside.clone() });
                    }
                    open()
                }
                opened => opened,
            };
            at = opened.map_err(|error| self.failed(error))?;
        }
        Ok((at, name.to_os_string()))
    }

    /// Makes a folder, and says whether it did: something may be there meanwhile.
    fn make(&self, at: &OwnedFd, name: &OsStr) -> Result<bool, PathError> {
        match rustix::fs::mkdirat(at, name, Mode::from_raw_mode(0o777)) {
            Ok(()) => Ok(true),
            Err(Errno::EXIST) => Ok(false),
            Err(error) => {
                let reason = format!("lies in a folder that cannot be made: {error}");
                Err(PathError::new(PathErrorKind::Refused, &self.given, reason))
            }
        }
    }

    fn step_to(&self) -> Result<OwnedFd, PathError> {
        let step = beneath::open_step(self.root.handle.as_fd(), self.inside_of_folder());
        step.map_err(|error| self.failed(error))
    }

    fn inside_of_folder(&self) -> &Path {
        self.inside.parent().unwrap_or(Path::new(""))
    }

    fn is(&self, kind: Kind, but: &str) -> PathError {
        if kind == Kind::Link {
            return self.failed(Errno::LOOP);
        }
        let reason = format!("is {}, {but}", kind.name());
        PathError::new(PathErrorKind::WrongType, &self.given, reason)
    }

    fn failed(&self, error: Errno) -> PathError {
        match error {
            // The path was free of links when it was found.
            Errno::LOOP => PathError::new(
                PathErrorKind::Outside,
                &self.given,
                "was exchanged for a link while it was opened",
            ),
            error => PathError::from_errno(&self.given, error),
        }
    }
}
