//! How far a command is, and whether it was asked to end.

use std::collections::HashSet;
use std::mem;
use std::time::Instant;

use rustix::process::Pid;

/// How far a command is.
pub(super) enum Phase {
    /// The sandbox is being set up.
    Starting,
    /// The command runs. The processes around it are not part of it.
    Working { around: HashSet<Pid> },
    /// The shell has ended.
    Over { around: HashSet<Pid>, code: i32, since: Instant },
}

impl Phase {
    /// The shell has ended now, if it was not known yet.
    pub(super) fn end(&mut self, code: i32) {
        if let Self::Working { around } = self {
            *self = Self::Over { around: mem::take(around), code, since: Instant::now() };
        }
    }
}

/// A command was asked to end.
#[derive(Clone, Copy)]
pub(super) struct Stop {
    pub(super) why: Why,
    pub(super) kill_at: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    Timeout,
    Cancelled,
}
