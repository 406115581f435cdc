//! Files as they are on the disk: what is there, whether it may be changed, and whether it still is what it was.

use std::ffi::OsStr;
use std::io::Read;
use std::os::fd::{AsFd, OwnedFd};

use rustix::fs::{Access, AtFlags, FileType, Stat};
use rustix::io::Errno;

use super::text::Text;
use crate::computer::places::{Kind, PathErrorKind, Place, open_file};

/// The largest file that a patch changes, in bytes.
pub(super) const MAX_FILE: usize = 10 << 20;

/// A regular file that this user may change.
#[derive(Debug)]
pub(super) struct OnDisk {
    pub(super) status: Stat,
    /// What it holds, once that was read.
    pub(super) bytes: Option<Vec<u8>>,
}

/// What is at a place: a file, or nothing.
///
/// # Errors
///
/// A sentence that says why the place cannot be used: a link, a folder, a device, a file that may not be changed.
pub(super) fn look(place: &Place, path: &str) -> Result<Option<OnDisk>, String> {
    let (folder, name) = match place.parent() {
        Ok(parent) => parent,
        Err(error) if error.kind() == PathErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.to_string()),
    };
    let status = match status(&folder, &name) {
        Ok(status) => status,
        Err(Errno::NOENT) => return Ok(None),
        Err(error) => return Err(format!("`{path}` cannot be looked at: {error}")),
    };
    match Kind::from_type(FileType::from_raw_mode(status.st_mode)).unwrap_or(Kind::Device) {
        Kind::File => {}
        Kind::Link => return Err(format!("`{path}` is a link; give the path of the file that it leads to")),
        other => return Err(format!("`{path}` is {}, no file", other.name())),
    }
    match rustix::fs::accessat(&folder, &name, Access::WRITE_OK, AtFlags::EACCESS) {
        Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => {
            Err(format!("`{path}` may not be changed by this user"))
        }
        _ => Ok(Some(OnDisk { status, bytes: None })),
    }
}

impl OnDisk {
    /// Its size in bytes.
    pub(super) fn size(&self) -> usize {
        usize::try_from(self.status.st_size).unwrap_or(usize::MAX)
    }

    /// Reads what it holds.
    ///
    /// # Errors
    ///
    /// A sentence; also when it is no longer the file that was looked at.
    pub(super) fn read(&mut self, place: &Place, path: &str) -> Result<&[u8], String> {
        if self.bytes.is_none() {
            let (folder, name) = place.parent().map_err(|error| error.to_string())?;
            match read(&folder, &name) {
                Ok(Some((status, bytes))) if is_same(&status, &self.status) => self.bytes = Some(bytes),
                Ok(_) => return Err(changed(path)),
                Err(error) => return Err(format!("`{path}` cannot be read: {error}")),
            }
        }
        Ok(self.bytes.as_deref().unwrap_or_default())
    }

    /// How many lines it has, if it is a text and not too large. What is read for that is not kept.
    pub(super) fn count_lines(&self, place: &Place) -> Option<usize> {
        if self.size() > MAX_FILE {
            return None;
        }
        let (folder, name) = place.parent().ok()?;
        let (_, bytes) = read(&folder, &name).ok()??;
        Text::new(&bytes).ok().map(|text| text.len())
    }

    /// Whether the file of this name still is what it was.
    pub(super) fn is_still(&self, folder: &OwnedFd, name: &OsStr) -> Result<bool, Errno> {
        let now = match status(folder, name) {
            Err(Errno::NOENT) => return Ok(false),
            now => now?,
        };
        if !is_same(&now, &self.status) {
            return Ok(false);
        }
        let Some(bytes) = &self.bytes else { return Ok(true) };
        // A change within one tick of the clock shows in the content only.
        Ok(read(folder, name)?.is_some_and(|(now, content)| is_same(&now, &self.status) && content == *bytes))
    }
}

/// What is said of a file that something else changed while the patch was at work.
pub(super) fn changed(path: &str) -> String {
    format!("`{path}` was changed by something else meanwhile; read it again and patch what it holds now")
}

fn status(folder: impl AsFd, name: &OsStr) -> Result<Stat, Errno> {
    rustix::fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW)
}

/// What a file is and holds; `None` if it is no file any more.
fn read(folder: &OwnedFd, name: &OsStr) -> Result<Option<(Stat, Vec<u8>)>, Errno> {
    let file = match open_file(folder, name) {
        Ok(Ok(file)) => file,
        Ok(Err(_)) | Err(Errno::NOENT | Errno::LOOP) => return Ok(None),
        Err(error) => return Err(error),
    };
    let status = rustix::fs::fstat(&file)?;
    let mut bytes = Vec::new();
    // It may grow while it is read.
    let read = file.take(MAX_FILE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
    Ok(Some((status, bytes)))
}

/// All but the times that reading and renaming change.
fn is_same(left: &Stat, right: &Stat) -> bool {
    (left.st_dev, left.st_ino, left.st_size) == (right.st_dev, right.st_ino, right.st_size)
        && (left.st_mode, left.st_uid, left.st_gid) == (right.st_mode, right.st_uid, right.st_gid)
        && (left.st_mtime, left.st_mtime_nsec) == (right.st_mtime, right.st_mtime_nsec)
}
