//! How the processes of a command are found again, wherever they went.
//!
//! Linux has a resource limit that means nothing any more, the number of file locks (`RLIMIT_LOCKS`). It is inherited by
//! everything that a process starts, whatever else that gives up: session, parents, environment, open files. Set to a number
//! of the command's own before the command begins, it tells its processes from all others.

use std::fs;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{
    Pid, PidfdFlags, Resource, Rlimit, Signal, getrlimit, pidfd_open, pidfd_send_signal, prlimit,
};

/// Marks are above what anybody sets by hand, and below what means "no limit".
const MARKS: std::ops::Range<u64> = 1 << 40..1 << 62;
/// One look for processes waits at most this long for those it killed.
const ROUND: Duration = Duration::from_millis(50);

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

    /// The processes that carry the mark and have not ended.
    pub(super) fn carriers(self) -> Vec<Pid> {
        let Ok(entries) = fs::read_dir("/proc") else { return Vec::new() };
        let pids = entries.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter_map(Pid::from_raw).filter(|pid| self.is_on(*pid)).collect()
    }

    fn is_on(self, process: Pid) -> bool {
        let pid = process.as_raw_pid();
        let Ok(limits) = fs::read_to_string(format!("/proc/{pid}/limits")) else { return false };
        let Some(locks) = limits.lines().find_map(|line| line.strip_prefix("Max file locks")) else {
            return false;
        };
        let carries = locks.split_whitespace().take(2).any(|limit| limit.parse() == Ok(self.0));
        carries && is_alive(pid)
    }

    /// Sends `signal` to `process` if it still carries the mark, since its number may belong to another by now. Gives what
    /// becomes readable at its end.
    pub(super) fn signal(self, process: Pid, signal: Signal) -> Option<OwnedFd> {
        let handle = pidfd_open(process, PidfdFlags::empty()).ok()?;
        if !self.is_on(process) {
            return None;
        }
        pidfd_send_signal(&handle, signal).ok()?;
        Some(handle)
    }

    /// Kills all carriers once. What they started meanwhile may be left.
    pub(super) fn kill_once(self) {
        for process in self.carriers() {
            let _ = self.signal(process, Signal::KILL);
        }
    }

    /// Kills carriers until there is none, and gives how many are left after `limit`.
    pub(super) fn kill_all(self, limit: Duration) -> usize {
        let end = Instant::now() + limit;
        loop {
            let carriers = self.carriers();
            if carriers.is_empty() || Instant::now() >= end {
                return carriers.len();
            }
            let killed = carriers.iter().filter_map(|process| self.signal(*process, Signal::KILL));
            let killed: Vec<_> = killed.collect();
            wait_for_one(&killed);
        }
    }
}

/// Waits, a little while, until one of the processes has ended.
fn wait_for_one(processes: &[OwnedFd]) {
    let mut ends: Vec<_> = processes.iter().map(|handle| PollFd::new(handle, PollFlags::IN)).collect();
    let limit = Timespec { tv_sec: 0, tv_nsec: ROUND.subsec_nanos().into() };
    // An error or the end of the time is one more look.
    let _ = poll(&mut ends, Some(&limit));
}

/// Whether the process is there and no zombie.
fn is_alive(pid: i32) -> bool {
    let Ok(stat) = fs::read_to_string(format!("/proc/{pid}/stat")) else { return false };
    // The name stands in parentheses and may hold any.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}
