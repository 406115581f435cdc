//! What lies below the handle of a folder, reached without following a link.

use std::ffi::OsStr;
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use rustix::path::Arg;

/// What something in a folder is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    /// A regular file.
    File,
    Folder,
    Link,
    Pipe,
    Socket,
    Device,
}

impl Kind {
    /// `None` where the folder does not tell; [`kind_of`] finds out.
    pub(crate) fn from_type(kind: FileType) -> Option<Self> {
        Some(match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            FileType::Fifo => Self::Pipe,
            FileType::Socket => Self::Socket,
            FileType::CharacterDevice | FileType::BlockDevice => Self::Device,
            FileType::Unknown => return None,
        })
    }

    fn of(status: &Stat) -> Self {
        // A status knows the type; what is none of those can be used as little as a device.
        Self::from_type(FileType::from_raw_mode(status.st_mode)).unwrap_or(Self::Device)
    }

    /// With its article, for sentences.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::File => "a file",
            Self::Folder => "a folder",
            Self::Link => "a link",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}

pub(super) const FOLDER: OFlags =
    OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);
/// Without waiting: a pipe that nobody writes to would be waited for for ever.
const FILE: OFlags = OFlags::RDONLY.union(OFlags::NONBLOCK).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);

/// A folder that something is reached through, which needs no right to list it.
#[cfg(target_os = "linux")]
const STEP: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC).union(OFlags::NOFOLLOW);
#[cfg(not(target_os = "linux"))]
const STEP: OFlags = FOLDER;

/// Opens the folder at `path`, which is relative to `folder` and holds no `..`; empty for `folder` itself.
///
/// # Errors
///
/// [`Errno::LOOP`] or [`Errno::NOTDIR`] for a link on the way or at the end, and the system's own.
pub(crate) fn open_folder(folder: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    open(folder, path, FOLDER)
}

/// The same for what lies in the folder: the handle cannot be listed or locked.
///
/// # Errors
///
/// Those of [`open_folder`].
pub(super) fn open_step(folder: BorrowedFd<'_>, path: &Path) -> Result<OwnedFd, Errno> {
    open(folder, path, STEP)
}

fn open(folder: BorrowedFd<'_>, path: &Path, flags: OFlags) -> Result<OwnedFd, Errno> {
    if path.as_os_str().is_empty() {
        return rustix::fs::openat(folder, c".", flags, Mode::empty());
    }
    #[cfg(target_os = "linux")]
    {
        use rustix::fs::ResolveFlags;
        let beneath = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
        match rustix::fs::openat2(folder, path, flags, Mode::empty(), beneath) {
            // An old kernel, or a sandbox that keeps the call from this process.
            Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => {}
            opened => return opened,
        }
    }
    open_step_by_step(folder, path, flags)
}

/// One call for each part.
pub(super) fn open_step_by_step(
    folder: BorrowedFd<'_>,
    path: &Path,
    flags: OFlags,
) -> Result<OwnedFd, Errno> {
    let mut at = rustix::fs::openat(folder, c".", STEP, Mode::empty())?;
    for name in path.parent().unwrap_or(Path::new("")) {
        at = rustix::fs::openat(&at, name, STEP, Mode::empty())?;
    }
    let last = path.file_name().unwrap_or(OsStr::new("."));
    rustix::fs::openat(&at, last, flags, Mode::empty())
}

/// Opens the regular file `name` of `folder`; of anything else it gives the kind, and opens no device or pipe, since to
/// open one can have effects.
///
/// # Errors
///
/// The system's own.
pub(crate) fn open_file(folder: impl AsFd, name: impl Arg + Copy) -> Result<Result<File, Kind>, Errno> {
    match kind_of(&folder, name)? {
        Kind::File => open_listed_file(folder, name),
        other => Ok(Err(other)),
    }
}

/// The same where the folder's list says already that it is a regular file.
///
/// # Errors
///
/// The system's own.
pub(crate) fn open_listed_file(folder: impl AsFd, name: impl Arg) -> Result<Result<File, Kind>, Errno> {
    let file = File::from(rustix::fs::openat(&folder, name, FILE, Mode::empty())?);
    // Something else may have taken its place.
    let kind = Kind::of(&rustix::fs::fstat(&file)?);
    Ok(if kind == Kind::File { Ok(file) } else { Err(kind) })
}

/// What `name` of `folder` is.
///
/// # Errors
///
/// The system's own.
pub(crate) fn kind_of(folder: impl AsFd, name: impl Arg) -> Result<Kind, Errno> {
    Ok(Kind::of(&rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?))
}

/// What `name` of `folder` is, and its size in bytes.
///
/// # Errors
///
/// The system's own.
pub(super) fn status(folder: impl AsFd, name: impl Arg) -> Result<(Kind, u64), Errno> {
    let status = rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok((Kind::of(&status), u64::try_from(status.st_size).unwrap_or(0)))
}
