//! The processes of a command: those that carry its mark, and those in its control group if it has one.

use std::collections::HashSet;
use std::fs;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::OwnedFd;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::group::Group;
use super::mark::Mark;

/// One look for processes waits at most this long for those it killed.
const ROUND: Duration = Duration::from_millis(50);

/// How the processes of a command are known.
#[derive(Clone, Debug)]
pub(super) struct Members {
    pub(super) mark: Mark,
    pub(super) group: Option<Arc<Group>>,
}

impl Members {
    /// Those that have not ended.
    pub(super) fn all(&self) -> HashSet<Pid> {
        let in_group = self.group.iter().flat_map(|group| group.processes());
        in_group.chain(self.mark.carriers()).filter(|process| is_alive(*process)).collect()
    }

    fn has(&self, process: Pid) -> bool {
        let is_known = self.mark.is_on(process)
            || self.group.as_ref().is_some_and(|group| group.processes().contains(&process));
        is_known && is_alive(process)
    }

    /// Sends `signal` to `process` if it still is a member, since its number may belong to another by now. Gives what becomes
    /// readable at its end.
    pub(super) fn signal(&self, process: Pid, signal: Signal) -> Option<OwnedFd> {
        let handle = pidfd_open(process, PidfdFlags::empty()).ok()?;
        if !self.has(process) {
            return None;
        }
        pidfd_send_signal(&handle, signal).ok()?;
        Some(handle)
    }

    /// Kills all once, and gives what becomes readable at their ends. What they started meanwhile may be left.
    pub(super) fn kill_once(&self) -> Vec<OwnedFd> {
        let members = self.all();
        // Stopped first, so that none goes on because another one has ended.
        for process in &members {
            let _ = self.signal(*process, Signal::STOP);
        }
        members.into_iter().filter_map(|process| self.signal(process, Signal::KILL)).collect()
    }

    /// Kills them until there is none, and gives how many are left after `limit`.
    pub(super) fn kill_all(&self, limit: Duration) -> usize {
        let end = Instant::now() + limit;
        if let Some(group) = &self.group {
            group.forbid_more();
        }
        loop {
            wait_for_one(&self.kill_once());
            let left = self.all().len();
            if left == 0 || Instant::now() >= end {
                return left;
            }
        }
    }
}

/// Waits, a little while, until one of the processes has ended.
fn wait_for_one(processes: &[OwnedFd]) {
    if processes.is_empty() {
        return;
    }
    let mut ends: Vec<_> = processes.iter().map(|handle| PollFd::new(handle, PollFlags::IN)).collect();
    let limit = Timespec { tv_sec: 0, tv_nsec: ROUND.subsec_nanos().into() };
    // An error or the end of the time is one more look.
    let _ = poll(&mut ends, Some(&limit));
}

/// Whether the process is there and no zombie.
fn is_alive(process: Pid) -> bool {
    let stat = fs::read_to_string(format!("/proc/{}/stat", process.as_raw_pid())).unwrap_or_default();
    // The name stands in parentheses and may hold any.
    let state = stat.rsplit_once(')').and_then(|(_, rest)| rest.trim_start().chars().next());
    !matches!(state, None | Some('Z' | 'X'))
}
