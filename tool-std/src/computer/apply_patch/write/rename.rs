//! Renames within one folder that overwrite nothing, also where the file system lacks the flags for it.

use std::ffi::OsStr;
use std::os::fd::OwnedFd;

use rustix::fs::{AtFlags, RenameFlags};
use rustix::io::Errno;

/// Exchanges two files. Where the file system cannot do so, `name` is missing for a moment.
pub(super) fn exchange(folder: &OwnedFd, beside: &OsStr, name: &OsStr) -> Result<(), Errno> {
    match rustix::fs::renameat_with(folder, beside, folder, name, RenameFlags::EXCHANGE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => exchange_in_turns(folder, beside, name),
        done => done,
    }
}

/// Renames a file to a name that nothing has.
pub(super) fn to_free(folder: &OwnedFd, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    match rustix::fs::renameat_with(folder, from, folder, to, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => to_free_by_link(folder, from, to),
        done => done,
    }
}

fn exchange_in_turns(folder: &OwnedFd, beside: &OsStr, name: &OsStr) -> Result<(), Errno> {
    let mut third = beside.to_os_string();
    third.push("-old");
    to_free(folder, name, &third)?;
    if let Err(error) = to_free(folder, beside, name) {
        to_free(folder, &third, name)?;
        return Err(error);
    }
    to_free(folder, &third, beside)
}

/// A link can only be made where nothing is.
fn to_free_by_link(folder: &OwnedFd, from: &OsStr, to: &OsStr) -> Result<(), Errno> {
    match rustix::fs::linkat(folder, from, folder, to, AtFlags::empty()) {
        Ok(()) => rustix::fs::unlinkat(folder, from, AtFlags::empty()),
        // Nor does it have links: what is left is to look first.
        Err(Errno::PERM | Errno::NOSYS | Errno::OPNOTSUPP | Errno::MLINK) => {
            match rustix::fs::statat(folder, to, AtFlags::SYMLINK_NOFOLLOW) {
                Err(Errno::NOENT) => rustix::fs::renameat(folder, from, folder, to),
                Ok(_) => Err(Errno::EXIST),
                Err(error) => Err(error),
            }
        }
        Err(error) => Err(error),
    }
}

/// File systems without the flags are rare, so their ways are tried by themselves.
#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    fn opened(folder: &Path) -> OwnedFd {
        fs::File::open(folder).unwrap().into()
    }

    fn content(folder: &Path, name: &str) -> Option<String> {
        fs::read_to_string(folder.join(name)).ok()
    }

    #[test]
    fn two_files_are_exchanged_by_three_renames() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("beside"), "new").unwrap();
        fs::write(folder.path().join("name"), "old").unwrap();
        exchange_in_turns(&opened(folder.path()), "beside".as_ref(), "name".as_ref()).unwrap();
        assert_eq!(content(folder.path(), "name").as_deref(), Some("new"));
        assert_eq!(content(folder.path(), "beside").as_deref(), Some("old"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn an_exchange_that_cannot_be_finished_is_taken_back() {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("name"), "old").unwrap();
        let missing = exchange_in_turns(&opened(folder.path()), "beside".as_ref(), "name".as_ref());
        assert_eq!(missing, Err(Errno::NOENT));
        assert_eq!(content(folder.path(), "name").as_deref(), Some("old"));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_link_overwrites_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let handle = opened(folder.path());
        fs::write(folder.path().join("from"), "new").unwrap();
        fs::write(folder.path().join("to"), "old").unwrap();
        assert_eq!(to_free_by_link(&handle, "from".as_ref(), "to".as_ref()), Err(Errno::EXIST));
        assert_eq!(content(folder.path(), "to").as_deref(), Some("old"));
        to_free_by_link(&handle, "from".as_ref(), "free".as_ref()).unwrap();
        assert_eq!(
            (content(folder.path(), "from"), content(folder.path(), "free").as_deref()),
            (None, Some("new"))
        );
    }
}
