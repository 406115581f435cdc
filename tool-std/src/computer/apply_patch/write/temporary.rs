//! Files beside the files of a patch, for as long as it is being written.

use std::ffi::OsStr;
use std::fs::File;
use std::hash::{BuildHasher as _, Hasher as _, RandomState};
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use rustix::fs::{AtFlags, Gid, Mode, OFlags, Stat, Uid};
use rustix::io::Errno;

use super::Content;

/// A name in a folder whose file is removed when this is dropped.
pub(super) struct Temporary {
    folder: Rc<OwnedFd>,
    name: String,
    kept: bool,
}

impl Temporary {
    /// A file of this content, on the disk.
    pub(super) fn write(folder: &Rc<OwnedFd>, content: &Content<'_>) -> Result<Self, Errno> {
        // That of a known file is nobody's business until it has that file's permissions.
        let mode = if content.like.is_some() { 0o600 } else { 0o666 };
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let name = random_name();
        let file = rustix::fs::openat(folder, name.as_str(), flags, Mode::from_raw_mode(mode))?;
        let temporary = Self { folder: Rc::clone(folder), name, kept: false };
        let mut file = File::from(file);
        // What the disk refuses has to be known before the first file is exchanged, so it has to be on the disk.
        let written = file.write_all(content.bytes).and_then(|()| file.sync_data());
        written.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        if let Some(like) = content.like {
            own_like(&file, like)?;
        }
        Ok(temporary)
    }

    /// A name that nothing has yet.
    pub(super) fn name_only(folder: &Rc<OwnedFd>) -> Self {
        Self { folder: Rc::clone(folder), name: random_name(), kept: false }
    }

    pub(super) fn name(&self) -> &OsStr {
        self.name.as_ref()
    }

    /// Leaves the file where it is, and gives its name.
    pub(super) fn keep(&mut self) -> &str {
        self.kept = true;
        &self.name
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.kept {
            // A name that was never used, or has become that of a file of the patch, is not there.
            let _gone = rustix::fs::unlinkat(&self.folder, self.name.as_str(), AtFlags::empty());
        }
    }
}

/// Chosen at random, since other patches may be at work in the folder; a name that is taken is an error.
fn random_name() -> String {
    format!(".apply_patch-{:016x}", RandomState::new().build_hasher().finish())
}

/// Gives a file the owner, as far as this user may, and the permissions of another.
fn own_like(file: &File, like: &Stat) -> Result<(), Errno> {
    let (owner, group) = (Uid::from_raw(like.st_uid), Gid::from_raw(like.st_gid));
    let now = rustix::fs::fstat(file)?;
    if (now.st_uid, now.st_gid) != (like.st_uid, like.st_gid)
        && rustix::fs::fchown(file, Some(owner), Some(group)).is_err()
    {
        // Only a group of this user can be given, and only by the owner; else the file is theirs who changed it.
        let _group = rustix::fs::fchown(file, None, Some(group));
    }
    rustix::fs::fchmod(file, Mode::from_raw_mode(like.st_mode))
}
