//! How many processes and threads a command may have at once.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::{Pid, Resource, Rlimit, getrlimit, getuid, prlimit};
use schemars::JsonSchema;
use serde::Serialize;

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

/// A limit that is in force for as long as it is kept.
#[derive(Debug)]
pub(super) struct Limited {
    pub(super) limit: ProcessLimit,
    _group: Option<Group>,
}

/// Bounds what `process` will start. Dumps of memory are switched off too.
pub(super) fn limit(process: Pid, max: u32) -> Limited {
    // They would lie in the workspace, or go to a program of the host.
    let _ = prlimit(Some(process), Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
    if let Some(group) = Group::make(max)
        && group.add(process).is_ok()
    {
        return Limited { limit: ProcessLimit::Cgroup { max }, _group: Some(group) };
    }
    if user_is_bound() && limit_user(process, max).is_ok() {
        return Limited { limit: ProcessLimit::User { max }, _group: None };
    }
    Limited { limit: ProcessLimit::Unlimited, _group: None }
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

/// A control group of the command's own, taken away when dropped.
#[derive(Debug)]
struct Group {
    folder: PathBuf,
}

impl Group {
    /// Makes one below the group of this program, where that is allowed and processes can be counted there.
    fn make(max: u32) -> Option<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = own_group()?.join(format!("worker-tools-{}-{number}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let group = Self { folder };
        fs::write(group.folder.join("pids.max"), max.to_string()).ok()?;
        Some(group)
    }

    fn add(&self, process: Pid) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), process.as_raw_pid().to_string())
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        remove(&self.folder);
    }
}

/// Removes a group. A command that ran commands itself and was killed has left groups in its own.
fn remove(folder: &Path) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            remove(&entry.path());
        }
    }
    // Fails only while something is in it that could not be killed.
    let _ = fs::remove_dir(folder);
}

/// The folder of the group in which this program's processes are counted.
fn own_group() -> Option<PathBuf> {
    let groups = fs::read_to_string("/proc/self/cgroup").ok()?;
    let mounts = fs::read_to_string("/proc/self/mountinfo").ok()?;
    let separate = || place(path_in(&groups, "pids")?, mounted(&mounts, "cgroup", "pids")?);
    // The unified hierarchy names no controllers; whether it counts processes shows when a limit is set.
    let unified = || place(path_in(&groups, "")?, mounted(&mounts, "cgroup2", "")?);
    separate().or_else(unified)
}

/// The path of this program's group in a hierarchy, from lines like `8:pids:/path`.
fn path_in<'a>(groups: &'a str, controller: &str) -> Option<&'a str> {
    groups.lines().find_map(|line| {
        let (controllers, path) = line.split_once(':')?.1.split_once(':')?;
        controllers.split(',').any(|one| one == controller).then_some(path)
    })
}

/// The root and the mount point of a hierarchy, from lines like
/// `36 35 0:30 /root /mount/point rw,noatime shared:1 - cgroup cgroup rw,pids`.
fn mounted<'a>(mounts: &'a str, kind: &str, option: &str) -> Option<(&'a str, &'a str)> {
    mounts.lines().find_map(|line| {
        let (place, what) = line.split_once(" - ")?;
        let mut what = what.split(' ');
        let fits =
            what.next()? == kind && (option.is_empty() || what.nth(1)?.split(',').any(|has| has == option));
        let mut place = place.split(' ').skip(3);
        fits.then_some((place.next()?, place.next()?))
    })
}

fn place(path: &str, (root, point): (&str, &str)) -> Option<PathBuf> {
    Some(Path::new(point).join(Path::new(path).strip_prefix(root).ok()?))
}
