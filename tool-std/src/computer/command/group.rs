//! A control group for the processes of one command.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use rustix::process::Pid;

/// A control group of the command's own, taken away when dropped.
#[derive(Debug)]
pub(super) struct Group {
    folder: PathBuf,
}

impl Group {
    /// Makes one below the group of this program, where that is allowed and processes can be counted there.
    pub(super) fn make(max: u32) -> Option<Self> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let folder = own_group()?.join(format!("worker-tools-{}-{number}", std::process::id()));
        fs::create_dir(&folder).ok()?;
        let group = Self { folder };
        fs::write(group.folder.join("pids.max"), max.to_string()).ok()?;
        Some(group)
    }

    pub(super) fn add(&self, process: Pid) -> io::Result<()> {
        fs::write(self.folder.join("cgroup.procs"), process.as_raw_pid().to_string())
    }

    /// The processes in it.
    pub(super) fn processes(&self) -> Vec<Pid> {
        let listed = fs::read_to_string(self.folder.join("cgroup.procs")).unwrap_or_default();
        listed.lines().filter_map(|line| Pid::from_raw(line.parse().ok()?)).collect()
    }

    /// Lets none be started any more, so that killing those that are there comes to an end.
    pub(super) fn forbid_more(&self) {
        let _ = fs::write(self.folder.join("pids.max"), "0");
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
