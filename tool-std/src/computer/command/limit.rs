//! How many processes and threads a command may have at once.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::Path;
use std::sync::Arc;

use rustix::process::{Pid, Resource, Rlimit, getrlimit, getuid, prlimit};
use schemars::JsonSchema;
use serde::Serialize;

use super::group::Group;

/// How the number of processes and threads of a command is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case", tag = "by")]
#[non_exhaustive]
pub enum ProcessLimit {
    /// By a control group of the command's own: exactly.
    Cgroup {
        /// The most at once.
        max: u32,
    },
    /// By the limit of the user who runs this program, whose other processes count too: those that ran when the command
    /// began came on top.
    User {
        /// The most at once, besides those.
        max: u32,
    },
    /// Not at all: the user is root, whom no limit binds, and no control group can be made.
    Unlimited,
}

/// Of 1,000.
const ENDED_FIRST: &str = "500";

/// Bounds what `process` will start, and gives how, with the group that was made for it. It dumps no memory, and where
/// memory runs out it is ended before the program that called.
pub(super) fn limit(process: Pid, max: u32) -> (ProcessLimit, Option<Arc<Group>>) {
    let _ = fs::write(format!("/proc/{}/oom_score_adj", process.as_raw_pid()), ENDED_FIRST);
    // Dumps would lie in the workspace, or go to a program of the host.
    let _ = prlimit(Some(process), Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    if let Some(group) = Group::make(max)
        && group.add(process).is_ok()
    {
        return (ProcessLimit::Cgroup { max }, Some(Arc::new(group)));
    }
    if user_is_bound() && limit_user(process, max).is_ok() {
        return (ProcessLimit::User { max }, None);
    }
    (ProcessLimit::Unlimited, None)
}

/// Whether limits on a user's processes hold for this one. They do not for root of the whole system.
fn user_is_bound() -> bool {
    let is_mapped_to_root = fs::read_to_string("/proc/self/uid_map")
        .is_ok_and(|map| map.lines().any(|line| line.split_whitespace().take(2).eq(["0", "0"])));
    !(getuid().is_root() && is_mapped_to_root)
}

fn limit_user(process: Pid, max: u32) -> io::Result<()> {
    let wanted = tasks_of_user().saturating_add(max.into());
    let maximum = getrlimit(Resource::Nproc).maximum.map_or(wanted, |maximum| maximum.min(wanted));
    prlimit(Some(process), Resource::Nproc, Rlimit { current: Some(maximum), maximum: Some(maximum) })?;
    Ok(())
}

/// The processes and threads of the user who runs this program.
fn tasks_of_user() -> u64 {
    let user = getuid().as_raw();
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let threads = |folder: &Path| {
        let status = fs::read_to_string(folder.join("status")).ok()?;
        status.lines().find_map(|line| line.strip_prefix("Threads:"))?.trim().parse::<u64>().ok()
    };
    entries
        .flatten()
        .filter(|entry| entry.metadata().is_ok_and(|data| data.uid() == user))
        .filter_map(|entry| threads(&entry.path()))
        .sum()
}
