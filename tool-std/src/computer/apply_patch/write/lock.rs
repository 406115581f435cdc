//! Keeps patches of other computers and processes out of the folders of this one while it is put in place.

use std::os::fd::OwnedFd;
use std::rc::Rc;
use std::thread::sleep;
use std::time::Duration;

use rustix::fs::{FlockOperation, Stat};
use rustix::io::Errno;

/// How often, and how far apart, a lock is tried that another has: two seconds in all.
const TRIES: u32 = 200;
const PAUSE: Duration = Duration::from_millis(10);

/// Locks on folders, until this is dropped.
pub(super) struct Locks(Vec<Rc<OwnedFd>>);

impl Locks {
    /// Takes the locks in an order that is the same for all, so that no two wait for each other. A file system that has no
    /// locks is used without.
    pub(super) fn take<'f>(
        folders: impl Iterator<Item = &'f Rc<OwnedFd>>,
        stop: &dyn Fn() -> bool,
    ) -> Result<Self, String> {
        let mut ordered = Vec::new();
        for folder in folders {
            let status =
                rustix::fs::fstat(folder).map_err(|error| format!("a folder cannot be reached: {error}"))?;
            ordered.push((identity(&status), Rc::clone(folder)));
        }
        ordered.sort_by_key(|(identity, _)| *identity);
        ordered.dedup_by_key(|(identity, _)| *identity);
        let mut locks = Self(Vec::with_capacity(ordered.len()));
        for (_, folder) in ordered {
            lock(&folder, stop)?;
            locks.0.push(folder);
        }
        Ok(locks)
    }
}

impl Drop for Locks {
    fn drop(&mut self) {
        for folder in &self.0 {
            // Closing the handle would do it too, but steps may hold it for longer.
            let _unlocked = rustix::fs::flock(folder, FlockOperation::Unlock);
        }
    }
}

fn identity(status: &Stat) -> (u64, u64) {
    (status.st_dev, status.st_ino)
}

fn lock(folder: &OwnedFd, stop: &dyn Fn() -> bool) -> Result<(), String> {
    for _ in 0..TRIES {
        match rustix::fs::flock(folder, FlockOperation::NonBlockingLockExclusive) {
            Err(Errno::WOULDBLOCK) if stop() => return Err(super::cancelled()),
            Err(Errno::WOULDBLOCK) => sleep(PAUSE),
            // Not every file system has locks of folders.
            Ok(()) | Err(_) => return Ok(()),
        }
    }
    Err("another patch is being written in the same folder; try again".to_owned())
}
