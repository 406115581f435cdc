//! The first process of a chain.

use std::io;
use std::os::fd::OwnedFd;
use std::process::Child;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, WaitId, WaitIdOptions, pidfd_open, waitid};

/// What is said of one whose end somebody else in this program took: 128 and KILL.
const UNKNOWN: i32 = 137;

/// A child of this program. It is not waited for before all is over, so that its number, and that of the group that it leads,
/// stay its own. Dropped without that, it is killed.
#[derive(Debug)]
pub(super) struct First {
    pub(super) pid: Pid,
    child: Child,
    /// Readable at its end.
    handle: OwnedFd,
    has_ended: bool,
    is_done_with: bool,
}

impl First {
    pub(super) fn new(mut child: Child) -> io::Result<Self> {
        let pid = Pid::from_child(&child);
        match pidfd_open(pid, PidfdFlags::empty()) {
            Ok(handle) => Ok(Self { pid, child, handle, has_ended: false, is_done_with: false }),
            Err(error) => {
                kill(&mut child);
                Err(error.into())
            }
        }
    }

    /// What becomes readable at its end; nothing once that was seen.
    pub(super) fn end(&self) -> Option<&OwnedFd> {
        (!self.has_ended).then_some(&self.handle)
    }

    /// Its exit code, once, when it has ended.
    pub(super) fn ended(&mut self) -> Option<i32> {
        if self.has_ended {
            return None;
        }
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        let code = match waitid(WaitId::Pid(self.pid), options) {
            Ok(status) => {
                let status = status?;
                status.exit_status().or_else(|| Some(128 + status.terminating_signal()?))?
            }
            Err(Errno::CHILD) => UNKNOWN,
            Err(_) => return None,
        };
        self.has_ended = true;
        Some(code)
    }

    /// Waits for its end.
    pub(super) fn wait(&mut self) {
        self.is_done_with = true;
        let _ = self.child.wait();
    }

    /// Leaves it, since it cannot be killed and waiting for it would have no end.
    pub(super) fn give_up(&mut self) {
        self.is_done_with = true;
    }
}

impl Drop for First {
    fn drop(&mut self) {
        if !self.is_done_with {
            kill(&mut self.child);
        }
    }
}

fn kill(child: &mut Child) {
    let _ = child.kill();
    let _ = child.wait();
}
