//! Where files may be read and written: paths are judged by where they really lead, and opened from the handle of an
//! allowed folder without following a link, so that nothing exchanged between the check and the opening leads outside.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{Mode, OFlags};
use rustix::io::Errno;

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
    /// The path leads out of the folders that may be used.
    Outside,
    /// Something else is there: a folder instead of a file, a device, a pipe.
    WrongType,
    /// The system refuses it.
    Refused,
}

impl PathError {
    fn new(kind: PathErrorKind, path: &Path, reason: impl Into<String>) -> Self {
        Self { kind, path: path.to_path_buf(), reason: reason.into() }
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
}

impl std::fmt::Display for PathError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "`{}` {}", self.path.display(), self.reason)
    }
}

impl std::error::Error for PathError {}

/// The folders of a computer.
#[derive(Debug)]
pub(crate) struct Places {
    workspace: PathBuf,
    home: PathBuf,
    roots: Vec<Arc<Root>>,
}

/// A folder that may be used, with all that lies in it.
#[derive(Debug)]
struct Root {
    path: PathBuf,
    handle: OwnedFd,
    may_write: bool,
}

/// A path inside an allowed folder. What is there may not exist yet.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    root: Arc<Root>,
    /// Below the root; free of links at the time it was found; empty for the root itself.
    inside: PathBuf,
    given: PathBuf,
}

impl Places {
    /// Opens the folders; `readable` ones may be read only.
    pub(super) fn open(
        workspace: &Path,
        home: &Path,
        readable: impl IntoIterator<Item = PathBuf>,
    ) -> Result<Self, PathError> {
        let (workspace, home) = (Root::open(workspace, true)?, Root::open(home, true)?);
        let mut places = Self {
            workspace: workspace.path.clone(),
            home: home.path.clone(),
            roots: vec![workspace.into(), home.into()],
        };
        for folder in readable {
            places.roots.push(Root::open(&folder, false)?.into());
        }
        Ok(places)
    }

    pub(super) fn workspace(&self) -> &Path {
        &self.workspace
    }

    pub(super) fn home(&self) -> &Path {
        &self.home
    }

    #[allow(dead_code, reason = "used by the tools that read")]
    /// Where `path` leads for reading: `~`, `~/x`, absolute, or relative to `base`.
    ///
    /// # Errors
    ///
    /// When it leads outside of all folders, or nowhere, as in a file taken for a folder.
    pub(crate) fn to_read(&self, path: &str, base: &Path) -> Result<Place, PathError> {
        self.find(path, base, |_| true)
    }

    /// Where `path` leads for writing.
    ///
    /// # Errors
    ///
    /// As for reading; folders that may only be read count as outside.
    #[allow(dead_code, reason = "used by the tools that write")]
    pub(crate) fn to_write(&self, path: &str, base: &Path) -> Result<Place, PathError> {
        self.find(path, base, |root| root.may_write)
    }

    fn find(&self, path: &str, base: &Path, allowed: impl Fn(&Root) -> bool) -> Result<Place, PathError> {
        let given = PathBuf::from(path);
        if path.contains('\0') {
            return Err(PathError::new(
                PathErrorKind::NotFound,
                &given,
                "holds a NUL character, which no path can",
            ));
        }
        let real = real_path(&self.absolute(path, base)).map_err(|error| from_io(&given, &error))?;
        let root = self.roots.iter().filter(|root| allowed(root)).find(|root| real.starts_with(&root.path));
        let Some(root) = root else {
            return Err(PathError::new(PathErrorKind::Outside, &given, self.outside(&allowed)));
        };
        let inside = real.strip_prefix(&root.path).unwrap_or(Path::new("")).to_path_buf();
        Ok(Place { root: Arc::clone(root), inside, given })
    }

    fn absolute(&self, path: &str, base: &Path) -> PathBuf {
        match path.strip_prefix('~') {
            Some("") => self.home.clone(),
            Some(rest) if rest.starts_with('/') => self.home.join(rest.trim_start_matches('/')),
            _ => base.join(path),
        }
    }

    fn outside(&self, allowed: impl Fn(&Root) -> bool) -> String {
        let mut folders: Vec<_> = self
            .roots
            .iter()
            .filter(|root| allowed(root))
            .map(|root| format!("`{}`", root.path.display()))
            .collect();
        folders.dedup();
        format!("lies outside of what may be used here: use a path in {}", folders.join(" or "))
    }
}

impl Root {
    fn open(path: &Path, may_write: bool) -> Result<Self, PathError> {
        let real = real_folder(path)?;
        let handle =
            rustix::fs::open(&real, FOLDER, Mode::empty()).map_err(|error| from_io(path, &error.into()))?;
        Ok(Self { path: real, handle, may_write })
    }
}

const FOLDER: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);
/// Without waiting: a pipe that nobody writes to would be waited for for ever.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

impl Place {
    /// The real path.
    #[allow(dead_code, reason = "used by the tools")]
    pub(crate) fn path(&self) -> PathBuf {
        self.root.path.join(&self.inside)
    }

    /// Opens the regular file that is there for reading. No link is followed, no device or pipe is opened.
    ///
    /// # Errors
    ///
    /// When nothing is there, or something that is no regular file.
    #[allow(dead_code, reason = "used by the tools that read")]
    pub(crate) fn open_file(&self) -> Result<File, PathError> {
        let Some(name) = self.inside.file_name() else { return Err(self.is_folder()) };
        let file = rustix::fs::openat(self.folder_of(false)?, name, FILE, Mode::empty())
            .map_err(|e| self.failed(e))?;
        let file = File::from(file);
        let kind = file.metadata().map_err(|error| from_io(&self.given, &error))?;
        match kind {
            kind if kind.is_file() => Ok(file),
            kind if kind.is_dir() => Err(self.is_folder()),
            _ => Err(PathError::new(
                PathErrorKind::WrongType,
                &self.given,
                "is a device, pipe or socket, no file",
            )),
        }
    }

    /// Opens the folder that is there.
    ///
    /// # Errors
    ///
    /// When nothing is there, or no folder.
    #[allow(dead_code, reason = "used by the tools that list")]
    pub(crate) fn open_folder(&self) -> Result<OwnedFd, PathError> {
        self.walk(&self.inside, false)
    }

    /// Opens the folder in which it lies, making the folders that are missing if `create`, and gives its name there.
    ///
    /// # Errors
    ///
    /// When a part of the path is no folder, or the place is an allowed folder itself.
    #[allow(dead_code, reason = "used by the tools that write")]
    pub(crate) fn parent(&self, create: bool) -> Result<(OwnedFd, OsString), PathError> {
        let Some(name) = self.inside.file_name() else { return Err(self.is_folder()) };
        Ok((self.folder_of(create)?, name.to_os_string()))
    }

    fn folder_of(&self, create: bool) -> Result<OwnedFd, PathError> {
        self.walk(self.inside.parent().unwrap_or(Path::new("")), create)
    }

    fn walk(&self, folders: &Path, create: bool) -> Result<OwnedFd, PathError> {
        let mut at = self.root.handle.try_clone().map_err(|error| from_io(&self.given, &error))?;
        for name in folders {
            at = self.step(&at, name, create)?;
        }
        Ok(at)
    }

    fn step(&self, at: &OwnedFd, name: &OsStr, create: bool) -> Result<OwnedFd, PathError> {
        match rustix::fs::openat(at, name, FOLDER, Mode::empty()) {
            Err(Errno::NOENT) if create => {
                match rustix::fs::mkdirat(at, name, Mode::from_raw_mode(0o777)) {
                    Ok(()) | Err(Errno::EXIST) => {}
                    Err(error) => return Err(self.failed(error)),
                }
                rustix::fs::openat(at, name, FOLDER, Mode::empty()).map_err(|error| self.failed(error))
            }
            opened => opened.map_err(|error| self.failed(error)),
        }
    }

    fn is_folder(&self) -> PathError {
        PathError::new(PathErrorKind::WrongType, &self.given, "is a folder, no file")
    }

    fn failed(&self, error: Errno) -> PathError {
        match error {
            // The path was free of links when it was found.
            Errno::LOOP => PathError::new(
                PathErrorKind::Outside,
                &self.given,
                "was exchanged for a link while it was opened",
            ),
            error => from_io(&self.given, &error.into()),
        }
    }
}

/// The real path of a folder.
///
/// # Errors
///
/// When it is none, or cannot be reached.
pub(super) fn real_folder(path: &Path) -> Result<PathBuf, PathError> {
    let real = std::fs::canonicalize(path).map_err(|error| from_io(path, &error))?;
    if real.is_dir() { Ok(real) } else { Err(PathError::new(PathErrorKind::WrongType, path, "is no folder")) }
}

/// The path with all links resolved; of what does not exist, the deepest part that does.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    let mut missing = Vec::new();
    let mut existing = path;
    loop {
        match std::fs::canonicalize(existing) {
            Ok(mut real) => {
                real.extend(missing.into_iter().rev());
                return Ok(real);
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A link to nothing exists itself: what is made through it would lie where it points to.
                let is_link = existing.symlink_metadata().is_ok();
                let (Some(parent), Some(Component::Normal(name)), false) =
                    (existing.parent(), existing.components().next_back(), is_link)
                else {
                    return Err(error);
                };
                missing.push(name);
                existing = parent;
            }
            Err(error) => return Err(error),
        }
    }
}

fn from_io(path: &Path, error: &io::Error) -> PathError {
    let (kind, reason) = match error.kind() {
        io::ErrorKind::NotFound => (PathErrorKind::NotFound, "does not exist".to_string()),
        io::ErrorKind::NotADirectory => {
            (PathErrorKind::WrongType, "leads through something that is no folder".to_string())
        }
        io::ErrorKind::PermissionDenied => {
            (PathErrorKind::Refused, "may not be read by this user".to_string())
        }
        _ => (PathErrorKind::Refused, format!("cannot be used: {error}")),
    };
    PathError::new(kind, path, reason)
}
