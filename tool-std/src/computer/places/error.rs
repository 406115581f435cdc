//! Why a path cannot be used.

use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use tool_runtime::{ToolError, ToolErrorKind};

use crate::computer::shown;

/// How many characters of a path are shown, and how many of one that has more.
const SHOWN: usize = 1_000;
const SHOWN_OF_LONG: usize = 100;

/// Why a path cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathError {
    kind: PathErrorKind,
    path: PathBuf,
    reason: String,
}

/// The kind of a [`PathError`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PathErrorKind {
    /// Nothing is there.
    NotFound,
    /// The path leads out of the folders that may be used. What is there, or whether anything is, is not told.
    Outside,
    /// Something else is there: a folder instead of a file, a device, a pipe.
    WrongType,
    /// The system refuses it.
    Refused,
}

impl PathError {
    pub(super) fn new(kind: PathErrorKind, path: &Path, reason: impl Into<String>) -> Self {
        Self { kind, path: path.to_path_buf(), reason: reason.into() }
    }

    pub(super) fn from_io(path: &Path, error: &io::Error) -> Self {
        let (kind, reason) = match error.kind() {
            io::ErrorKind::NotFound => (PathErrorKind::NotFound, "does not exist".to_owned()),
            io::ErrorKind::NotADirectory => {
                (PathErrorKind::WrongType, "leads through something that is no folder".to_owned())
            }
            io::ErrorKind::PermissionDenied => {
                (PathErrorKind::Refused, "may not be read by this user".to_owned())
            }
            _ if Errno::from_io_error(error) == Some(Errno::NAMETOOLONG) => {
                (PathErrorKind::NotFound, "is longer than a path can be".to_owned())
            }
            _ if Errno::from_io_error(error) == Some(Errno::LOOP) => {
                (PathErrorKind::WrongType, "leads round in a circle of links".to_owned())
            }
            _ => (PathErrorKind::Refused, format!("cannot be used: {error}")),
        };
        Self::new(kind, path, reason)
    }

    pub(super) fn from_errno(path: &Path, error: Errno) -> Self {
        Self::from_io(path, &error.into())
    }

    /// What is said of every path that leads outside of `folders`.
    pub(super) fn outside(path: &Path, folders: &[&Path]) -> Self {
        let folders: Vec<_> = folders.iter().map(|folder| format!("`{}`", folder.display())).collect();
        let reason = format!("lies outside of what may be used here: use a path in {}", folders.join(" or "));
        Self::new(PathErrorKind::Outside, path, reason)
    }

    /// The error as the model gets it.
    pub(crate) fn into_tool_error(self) -> ToolError {
        let kind = match self.kind {
            PathErrorKind::NotFound => ToolErrorKind::NotFound,
            PathErrorKind::Outside | PathErrorKind::Refused => ToolErrorKind::Denied,
            PathErrorKind::WrongType => ToolErrorKind::InvalidArguments,
        };
        ToolError::new(self.to_string()).with_kind(kind)
    }

    /// What kind of error it is.
    #[must_use]
    pub fn kind(&self) -> PathErrorKind {
        self.kind
    }

    /// The path as it was given.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// What is wrong with it, as the end of a sentence that begins with the path.
    #[must_use]
    pub fn reason(&self) -> &str {
        &self.reason
    }
}

impl std::fmt::Display for PathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (path, _) = shown::name(self.path.as_os_str());
        match shown::cut(&path, SHOWN).and_then(|start| shown::cut(start, SHOWN_OF_LONG)) {
            Some(start) => write!(f, "`{start}…` {}", self.reason),
            None => write!(f, "`{path}` {}", self.reason),
        }
    }
}

impl std::error::Error for PathError {}
