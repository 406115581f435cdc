//! Walks all files of a scope with several threads. Every folder and file is opened from the handle of the folder where
//! the walk starts, and no link is followed, so that nothing exchanged meanwhile leads out.

mod ignores;
mod queue;

use std::ffi::{CString, OsStr};
use std::fs::File;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rustix::fs::Dir;
use rustix::io::Errno;

use self::ignores::Rules;
use self::queue::Queue;
use super::instead::Instead;
use super::places::{self, Kind};
use super::scope::Scope;
use super::stop::{Stop, Stopped};

/// The most threads of one walk.
const THREADS: usize = 8;
/// How many files of one folder are looked at together, and between two looks at the clock.
const BATCH: usize = 64;
/// With fewer files it is not worth it to wake another thread.
const WORTH_SHARING: usize = 8;
/// The most folders that wait to be read.
const WAITING: usize = 500_000;

/// What is done with each file. Each thread has one.
pub(super) trait Visit: Send {
    fn visit(&mut self, entry: &Entry<'_>);
}

/// A regular file, or a link.
pub(super) struct Entry<'a> {
    folder: BorrowedFd<'a>,
    name: &'a OsStr,
    /// From the start of the walk on.
    pub(super) path: &'a Path,
    pub(super) is_link: bool,
}

impl Entry<'_> {
    /// Opens it, if it still is a regular file.
    pub(super) fn open(&self) -> Option<File> {
        places::open_listed_file(self.folder, self.name).ok()?.ok()
    }
}

/// How a walk went.
#[derive(Debug, Default)]
pub(super) struct Walked {
    /// Files and links of the scope that were visited.
    pub(super) files: u64,
    /// Folders that could not be read.
    pub(super) unread: u64,
    /// Whether it ended before it was done, since it had no more time.
    pub(super) is_partial: bool,
}

/// Visits all files of `scope`, with a visitor for each thread.
///
/// # Errors
///
/// When the folder cannot be opened where it starts, or the call was cancelled.
pub(super) fn walk<V: Visit>(
    scope: &Scope,
    stop: &Stop,
    visitor: impl Fn() -> V,
) -> Result<(Vec<V>, Walked), Instead> {
    let start = scope.start.open_folder()?;
    if let Some(name) = &scope.file {
        let mut visitor = visitor();
        let kind = places::kind_of(&start, name.as_os_str());
        if let Ok(kind @ (Kind::File | Kind::Link)) = kind {
            let path = Path::new(name);
            visitor.visit(&Entry { folder: start.as_fd(), name, path, is_link: kind == Kind::Link });
        }
        return Ok((vec![visitor], Walked { files: 1, ..Walked::default() }));
    }
    let first = Job::Folder { path: scope.start.inside().to_path_buf(), above: ignores::above(&scope.start) };
    let walk = Walk {
        scope,
        stop,
        start,
        queue: Queue::of(first),
        files: AtomicU64::new(0),
        unread: AtomicU64::new(0),
        stopped: OnceLock::new(),
    };
    let threads = std::thread::available_parallelism().map_or(1, |threads| threads.get().min(THREADS));
    let visitors: Vec<V> = (0..threads).map(|_| visitor()).collect();
    let done = Mutex::new(Vec::with_capacity(threads));
    std::thread::scope(|threads| {
        let mut visitors = visitors.into_iter();
        let own = visitors.next();
        let work = |mut visitor: V| {
            walk.work(&mut visitor);
            done.lock().unwrap_or_else(PoisonError::into_inner).push(visitor);
        };
        for visitor in visitors {
            threads.spawn(move || work(visitor));
        }
        own.into_iter().for_each(work);
    });
    let stopped = walk.stopped.into_inner();
    if stopped == Some(Stopped::Cancelled) {
        return Err(Instead::Cancelled);
    }
    let walked = Walked {
        files: walk.files.into_inner(),
        unread: walk.unread.into_inner(),
        is_partial: stopped.is_some(),
    };
    Ok((done.into_inner().unwrap_or_else(PoisonError::into_inner), walked))
}

struct Walk<'a> {
    scope: &'a Scope,
    stop: &'a Stop,
    start: OwnedFd,
    queue: Queue<Job>,
    files: AtomicU64,
    unread: AtomicU64,
    stopped: OnceLock<Stopped>,
}

/// Paths are from the allowed folder on, as ignore files need them.
enum Job {
    Folder { path: PathBuf, above: Rules },
    Files(Batch),
}

/// Files of one folder.
struct Batch {
    folder: Arc<OwnedFd>,
    path: PathBuf,
    files: Vec<(CString, bool)>,
}

impl Walk<'_> {
    fn work(&self, visitor: &mut impl Visit) {
        while let Some(mut running) = self.queue.next() {
            if self.must_stop() {
                self.queue.clear();
                continue;
            }
            match running.take() {
                Some(Job::Folder { path, above }) => self.read_folder(path, above, visitor),
                Some(Job::Files(batch)) => self.visit(batch, visitor),
                None => {}
            }
        }
    }

    fn must_stop(&self) -> bool {
        if let Err(why) = self.stop.check() {
            let _ = self.stopped.set(why);
        }
        self.stopped.get().is_some()
    }

    fn read_folder(&self, path: PathBuf, above: Rules, visitor: &mut impl Visit) {
        let from_start = path.strip_prefix(self.scope.start.inside()).unwrap_or(&path);
        let read = places::open_folder(self.start.as_fd(), from_start)
            .and_then(|folder| Ok((Dir::read_from(&folder)?, folder)))
            .and_then(|(entries, folder)| self.read_entries(&path, folder, entries, above, visitor));
        match read {
            // It is gone, or something else is there now.
            Ok(()) | Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => {}
            Err(_) => _ = self.unread.fetch_add(1, Ordering::Relaxed),
        }
    }

    fn read_entries(
        &self,
        path: &Path,
        folder: OwnedFd,
        entries: Dir,
        above: Rules,
        visitor: &mut impl Visit,
    ) -> Result<(), Errno> {
        let rules = ignores::within(&folder, path, above);
        let folder = Arc::new(folder);
        let empty = || Batch { folder: Arc::clone(&folder), path: path.to_path_buf(), files: Vec::new() };
        let mut batch = empty();
        let mut entry_path = path.to_path_buf();
        for entry in entries {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." || self.scope.leaves_out_name(name) {
                continue;
            }
            let kind = Kind::from_type(entry.file_type()).map_or_else(|| places::kind_of(&*folder, name), Ok);
            let Ok(kind @ (Kind::File | Kind::Folder | Kind::Link)) = kind else { continue };
            entry_path.push(name);
            let is_folder = kind == Kind::Folder;
            let left_out = ignores::leave_out(&rules, &entry_path, is_folder)
                || self.scope.leaves_out(&entry_path, is_folder);
            if !left_out && is_folder {
                let job = Job::Folder { path: entry_path.clone(), above: rules.clone() };
                if self.queue.push(job, WAITING).is_err() {
                    self.unread.fetch_add(1, Ordering::Relaxed);
                }
            } else if !left_out {
                batch.files.push((entry.file_name().to_owned(), kind == Kind::Link));
            }
            entry_path.pop();
            if batch.files.len() == BATCH {
                if self.must_stop() {
                    return Ok(());
                }
                self.hand_over(std::mem::replace(&mut batch, empty()), visitor);
            }
        }
        self.hand_over(batch, visitor);
        Ok(())
    }

    /// Gives files to a thread that has nothing to do, or looks at them here.
    fn hand_over(&self, batch: Batch, visitor: &mut impl Visit) {
        if batch.files.len() > WORTH_SHARING && self.queue.has_idle() {
            if let Err(Job::Files(batch)) = self.queue.push(Job::Files(batch), WAITING) {
                self.visit(batch, visitor);
            }
        } else {
            self.visit(batch, visitor);
        }
    }

    fn visit(&self, batch: Batch, visitor: &mut impl Visit) {
        let inside = self.scope.start.inside();
        let mut path = batch.path.strip_prefix(inside).unwrap_or(&batch.path).to_path_buf();
        for (name, is_link) in &batch.files {
            let name = OsStr::from_bytes(name.to_bytes());
            path.push(name);
            visitor.visit(&Entry { folder: batch.folder.as_fd(), name, path: &path, is_link: *is_link });
            path.pop();
        }
        self.files.fetch_add(batch.files.len() as u64, Ordering::Relaxed);
    }
}
