//! Folders of which only the newest files are kept.

use rustix::fd::{AsFd, OwnedFd};
use rustix::fs::{AtFlags, Dir, FileType, statat, unlinkat};

/// Keeps the newest `most` files of a folder whose names end so. Done as far as it goes; what cannot be removed is left.
pub(crate) fn keep_newest(folder: &OwnedFd, ending: &[u8], most: usize) {
    let Ok(entries) = Dir::read_from(folder.as_fd()) else { return };
    let mut files: Vec<_> = entries
        .flatten()
        .filter(|entry| entry.file_name().to_bytes().ends_with(ending))
        .filter_map(|entry| {
            let stat = statat(folder, entry.file_name(), AtFlags::SYMLINK_NOFOLLOW).ok()?;
            let is_file = FileType::from_raw_mode(stat.st_mode).is_file();
            is_file.then(|| (stat.st_mtime, stat.st_mtime_nsec, entry.file_name().to_owned()))
        })
        .collect();
    files.sort();
    for (_, _, name) in files.iter().take(files.len().saturating_sub(most)) {
        let _ = unlinkat(folder, name, AtFlags::empty());
    }
}
