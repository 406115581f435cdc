//! A mark by which the processes of a command are found again, wherever they went.
//!
//! Linux has a resource limit that means nothing any more, the number of file locks (`RLIMIT_LOCKS`). It is inherited by
//! everything that a process starts, whatever else that gives up: session, parents, environment, open files. Set to a number
//! of the command's own before the command begins, it tells its processes from all others.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, prlimit};

/// Marks are above what anybody sets by hand, and below what means "no limit".
const MARKS: std::ops::Range<u64> = 1 << 40..1 << 62;
/// The number that the processes of a command carry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(u64);

impl Mark {
    /// A number that no other command carries, in all likelihood.
    pub(super) fn new() -> Self {
        let random = RandomState::new().build_hasher().finish();
        // Under a mark already (a command that runs this program): only a smaller number can be set.
        let end = getrlimit(Resource::Locks).maximum.map_or(MARKS.end, |outer| outer.clamp(2, MARKS.end));
        let start = if end > MARKS.start { MARKS.start } else { end / 2 };
        Self(start + random % (end - start))
    }

    /// Marks a process. An outer mark stays beside it, so that the outer command still finds it.
    pub(super) fn put(self, process: Pid) -> io::Result<()> {
        let outer = getrlimit(Resource::Locks).maximum;
        let limit = Rlimit { current: Some(self.0), maximum: Some(outer.unwrap_or(self.0)) };
        prlimit(Some(process), Resource::Locks, limit)?;
        Ok(())
    }

    /// The processes that carry the mark; some may have ended.
    pub(super) fn carriers(self) -> Vec<Pid> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(Pid::from_raw).filter(|pid| self.is_on(*pid)).collect()
    }

    /// Whether a process carries the mark; it may have ended.
    pub(super) fn is_on(self, process: Pid) -> bool {
        let limits = fs::read_to_string(format!("/proc/{}/limits", process.as_raw_pid())).unwrap_or_default();
        let locks = limits.lines().find_map(|line| line.strip_prefix("Max file locks")).unwrap_or_default();
        locks.split_whitespace().take(2).any(|limit| limit.parse() == Ok(self.0))
    }
}
