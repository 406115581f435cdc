//! A folder for the temporary files of one command.

use std::fs::{self, DirBuilder};
use std::io;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Removed when dropped, with all that lies in it.
#[derive(Debug)]
pub(super) struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    /// Makes one that only this user can use.
    pub(super) fn make() -> io::Result<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let base = fs::canonicalize(std::env::temp_dir())?;
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let path = base.join(format!("worker-tools-{}-{number}", std::process::id()));
            match DirBuilder::new().mode(0o700).create(&path) {
                // Left behind by a program that had the same number, or put there by somebody else.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                made => return made.map(|()| Self(path)),
            }
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        // Folders that forbid even their owner to empty them stay.
        let _ = fs::remove_dir_all(&self.0);
    }
}
