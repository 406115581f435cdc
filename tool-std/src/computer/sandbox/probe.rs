//! Runs a program to its end within a time.

use std::io::{self, Read};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

/// The most of the program's words that are kept.
const MAX_WORDS: usize = 500;

/// What came of a program.
pub(super) struct Probed {
    pub(super) status: ExitStatus,
    /// The beginning of what it wrote as errors, on one line.
    pub(super) words: String,
}

/// Runs `command` without input.
///
/// # Errors
///
/// When it cannot be started, or is not done within `limit`; it is killed then.
pub(super) fn run(command: &mut Command, limit: Duration) -> io::Result<Probed> {
    let mut child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn()?;
    let ended = wait(&child, limit);
    if !matches!(ended, Ok(true)) {
        // It may have ended by itself by now.
        let _ = child.kill();
    }
    let status = child.wait()?;
    if !ended? {
        return Err(io::Error::new(io::ErrorKind::TimedOut, format!("no end within {limit:?}")));
    }
    let mut words = Vec::new();
    if let Some(errors) = child.stderr.take() {
        // What it wrote lies in the pipe. Nobody else can write there any more, unless it left something running.
        rustix::io::ioctl_fionbio(&errors, true)?;
        let _ = errors.take(MAX_WORDS as u64).read_to_end(&mut words);
    }
    let words = String::from_utf8_lossy(&words).split_whitespace().collect::<Vec<_>>().join(" ");
    Ok(Probed { status, words })
}

/// Whether the child ended within `limit`.
fn wait(child: &Child, limit: Duration) -> io::Result<bool> {
    let handle = pidfd_open(Pid::from_child(child), PidfdFlags::empty())?;
    let limit = Timespec {
        tv_sec: i64::try_from(limit.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: limit.subsec_nanos().into(),
    };
    Ok(poll(&mut [PollFd::new(&handle, PollFlags::IN)], Some(&limit))? > 0)
}
