//! Where files may be read and written: paths are judged by where they really lead, and opened from the handle of an
//! allowed folder without following a link, so that nothing exchanged between the check and the opening leads outside.

mod beneath;
mod error;
mod place;

pub(crate) use beneath::{Kind, kind_of, open_file, open_folder, open_listed_file};
pub use error::{PathError, PathErrorKind};
pub(crate) use place::{MadeFolder, Place};

use std::io;
use std::os::fd::OwnedFd;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use rustix::fs::Mode;
use rustix::io::Errno;

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

    /// One folder, for reading only; the root of a category that has its own, such as skills.
    ///
    /// # Errors
    ///
    /// When it is no folder that can be opened.
    #[cfg(feature = "skills")]
    pub(crate) fn reading(folder: &Path) -> Result<Self, PathError> {
        let root = Root::open(folder, false)?;
        Ok(Self { workspace: root.path.clone(), home: root.path.clone(), roots: vec![root.into()] })
    }

    pub(super) fn workspace(&self) -> &Path {
        &self.workspace
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    /// The real paths of the folders that may be written, and of those that may only be read, outer ones first. None lies
    /// inside one of the first kind that comes before it.
    pub(super) fn folders(&self) -> (Vec<PathBuf>, Vec<PathBuf>) {
        let outermost = |mut folders: Vec<PathBuf>, writable: &[PathBuf]| {
            folders.sort();
            let mut kept: Vec<PathBuf> = Vec::new();
            for folder in folders {
                if !kept.iter().chain(writable).any(|outer| folder.starts_with(outer)) {
                    kept.push(folder);
                }
            }
            kept
        };
        let paths = |may_write| {
            self.roots
                .iter()
                .filter(|root| root.may_write == may_write)
                .map(|root| root.path.clone())
                .collect()
        };
        let writable = outermost(paths(true), &[]);
        let readable = outermost(paths(false), &writable);
        (writable, readable)
    }

    /// Where `path` leads for reading: `~`, `~/x`, absolute, or relative to `base`.
    ///
    /// # Errors
    ///
    /// When it leads outside of all folders, or nowhere, as in a file taken for a folder.
    pub(crate) fn to_read(&self, path: &str, base: &Path) -> Result<Place, PathError> {
        self.find(path, base, real_path, |_| true)
    }

    /// Where `path` lies for writing: a link at its end is the place itself, and is not followed.
    ///
    /// # Errors
    ///
    /// As for reading; folders that may only be read count as outside.
    pub(crate) fn to_write(&self, path: &str, base: &Path) -> Result<Place, PathError> {
        self.find(path, base, real_entry, |root| root.may_write)
    }

    /// The folder that relative paths of a call start from: the workspace, or `cwd` if the call gives one.
    ///
    /// # Errors
    ///
    /// When `cwd` is no folder that may be read.
    pub(crate) fn base(&self, cwd: Option<&str>) -> Result<PathBuf, PathError> {
        let Some(cwd) = cwd else { return Ok(self.workspace.clone()) };
        let place = self.to_read(cwd, &self.workspace)?;
        place.open_folder()?;
        Ok(place.path())
    }

    fn find(
        &self,
        path: &str,
        base: &Path,
        real: fn(&Path) -> io::Result<PathBuf>,
        allowed: impl Fn(&Root) -> bool,
    ) -> Result<Place, PathError> {
        let given = PathBuf::from(path);
        if path.contains('\0') {
            return Err(PathError::new(
                PathErrorKind::NotFound,
                &given,
                "holds a NUL character, which no path can",
            ));
        }
        let real = real(&self.absolute(path, base)).map_err(|error| PathError::from_io(&given, &error))?;
        let root = self.roots.iter().filter(|root| allowed(root)).find(|root| real.starts_with(&root.path));
        let Some(root) = root else {
            return Err(PathError::new(PathErrorKind::Outside, &given, self.outside(&allowed)));
        };
        let inside = real.strip_prefix(&root.path).unwrap_or(Path::new("")).to_path_buf();
        Ok(Place::new(Arc::clone(root), inside, given))
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
        let handle = rustix::fs::open(&real, beneath::FOLDER, Mode::empty())
            .map_err(|error| PathError::from_io(path, &error.into()))?;
        Ok(Self { path: real, handle, may_write })
    }
}

/// The real path of a folder.
///
/// # Errors
///
/// When it is none, or cannot be reached.
pub(super) fn real_folder(path: &Path) -> Result<PathBuf, PathError> {
    let real = std::fs::canonicalize(path).map_err(|error| PathError::from_io(path, &error))?;
    if real.is_dir() { Ok(real) } else { Err(PathError::new(PathErrorKind::WrongType, path, "is no folder")) }
}

/// The longest path that the system takes, in bytes.
const LONGEST: usize = 4_095;

/// The path with all links resolved; of what does not exist, the deepest part that does.
fn real_path(path: &Path) -> io::Result<PathBuf> {
    // What the system says as well, once a part of the path exists; until then each part would be tried.
    if path.as_os_str().len() > LONGEST {
        return Err(Errno::NAMETOOLONG.into());
    }
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

/// The real path of an entry of a folder: only the way to it is followed, not the entry itself.
fn real_entry(path: &Path) -> io::Result<PathBuf> {
    match (path.parent(), path.components().next_back()) {
        (Some(folder), Some(Component::Normal(name))) => Ok(real_path(folder)?.join(name)),
        _ => real_path(path),
    }
}
