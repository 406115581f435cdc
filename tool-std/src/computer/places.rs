//! Where files may be read and written: paths are judged by where they really lead, and opened from the handle of an
//! allowed folder without following a link, so that nothing exchanged between the check and the opening leads outside.

mod beneath;
mod error;
mod place;
mod resolve;
#[cfg(test)]
mod tests;

pub(crate) use beneath::{Kind, kind_of, open_file, open_folder, open_listed_file};
pub use error::{PathError, PathErrorKind};
pub(crate) use place::{MadeFolder, Place};

use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::Mode;

use resolve::{Area, Last, resolve};

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
    /// When it leads outside of all folders, whatever is there, or nowhere in them, as in a file taken for a folder.
    pub(crate) fn to_read(&self, path: &str, base: &Path) -> Result<Place, PathError> {
        self.find(path, base, Last::Followed, &self.areas(|_| true))
    }

    /// Where `path` lies for writing: a link at its end is the place itself, and is not followed.
    ///
    /// # Errors
    ///
    /// As for reading; folders that may only be read count as outside.
    pub(crate) fn to_write(&self, path: &str, base: &Path) -> Result<Place, PathError> {
        self.find(path, base, Last::Kept, &self.areas(|root| root.may_write))
    }

    /// Where `path` leads for reading, if that is in `folder`, which lies in an allowed folder. Relative paths start there.
    ///
    /// # Errors
    ///
    /// As for reading; all but `folder` counts as outside.
    #[cfg(feature = "skills")]
    pub(crate) fn to_read_within(&self, path: &str, folder: &Path) -> Result<Place, PathError> {
        let mut areas = self.areas(|root| folder.starts_with(&root.path));
        areas.iter_mut().for_each(|area| area.path = folder);
        self.find(path, folder, Last::Followed, &areas)
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

    fn areas(&self, allowed: impl Fn(&Root) -> bool) -> Vec<Area<'_>> {
        let roots = self.roots.iter().filter(|root| allowed(root));
        roots.map(|root| Area { root, path: &root.path }).collect()
    }

    fn find(&self, path: &str, base: &Path, last: Last, areas: &[Area<'_>]) -> Result<Place, PathError> {
        let given = Path::new(path);
        if path.contains('\0') {
            return Err(PathError::new(
                PathErrorKind::NotFound,
                given,
                "holds a NUL character, which no path can",
            ));
        }
        let (from, rest) = match path.strip_prefix('~') {
            Some("") => (self.home(), ""),
            Some(rest) if rest.starts_with('/') => (self.home(), rest.trim_start_matches('/')),
            _ => (base, path),
        };
        resolve(areas, from, rest.as_ref(), last, given)
    }
}

impl Root {
    fn open(path: &Path, may_write: bool) -> Result<Self, PathError> {
        let real = real_folder(path)?;
        let handle = rustix::fs::open(&real, beneath::FOLDER, Mode::empty())
            .map_err(|error| PathError::from_errno(path, error))?;
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
