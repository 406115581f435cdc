//! How the waiting side reaches a command that runs on another thread.

use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rustix::process::{Pid, Signal, kill_process, kill_process_group};

use super::super::members::Members;

/// What the waiting side wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Asked {
    /// To know how it ends.
    Nothing,
    /// It to end soon.
    ToCancel,
    /// It to be gone.
    ToVanish,
}

/// Shared by both sides.
#[derive(Debug)]
pub(super) struct Control {
    asked: AtomicU8,
    /// Something to read stands for something asked.
    woken: PipeReader,
    wake: PipeWriter,
    /// What there is to kill. Taken back before the number of the first process can belong to another.
    target: Mutex<Option<Target>>,
}

/// The processes of a command.
#[derive(Clone, Debug)]
pub(super) struct Target {
    /// The first one, a child of this program, not yet waited for. It leads a process group once its gate is open.
    pub(super) first: Pid,
    pub(super) members: Members,
}

impl Control {
    pub(super) fn new() -> io::Result<Self> {
        let (woken, wake) = io::pipe()?;
        rustix::io::ioctl_fionbio(&wake, true)?;
        rustix::io::ioctl_fionbio(&woken, true)?;
        Ok(Self { asked: AtomicU8::new(0), woken, wake, target: Mutex::new(None) })
    }

    /// Kills what runs when dropped.
    pub(super) fn kill_on_drop(self: Arc<Self>) -> KillOnDrop {
        KillOnDrop(self)
    }

    pub(super) fn ask(&self, asked: Asked) {
        self.asked.fetch_max(asked as u8, Ordering::AcqRel);
        // A full pipe wakes as well.
        let _ = (&self.wake).write(&[0]);
    }

    pub(super) fn asked(&self) -> Asked {
        // Emptied first: what is asked after this wakes again.
        let _ = (&self.woken).read(&mut [0; 16]);
        match self.asked.load(Ordering::Acquire) {
            0 => Asked::Nothing,
            1 => Asked::ToCancel,
            _ => Asked::ToVanish,
        }
    }

    /// Readable when something new is asked.
    pub(super) fn woken(&self) -> &PipeReader {
        &self.woken
    }

    pub(super) fn target(&self) -> MutexGuard<'_, Option<Target>> {
        self.target.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Target {
    /// Kills all that can be found at this moment.
    pub(super) fn kill_once(&self) {
        self.members.kill_once();
        // Before its gate is open the first one leads no group; afterwards it may have ended already.
        let _ = kill_process_group(self.first, Signal::KILL);
        let _ = kill_process(self.first, Signal::KILL);
    }
}

/// The waiting side.
#[derive(Debug)]
pub(super) struct KillOnDrop(Arc<Control>);

impl KillOnDrop {
    pub(super) fn ask(&self, asked: Asked) {
        self.0.ask(asked);
    }
}

impl Drop for KillOnDrop {
    fn drop(&mut self) {
        self.0.ask(Asked::ToVanish);
        if let Some(target) = &*self.0.target() {
            target.kill_once();
        }
    }
}
