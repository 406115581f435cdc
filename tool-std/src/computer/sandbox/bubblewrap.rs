//! Bubblewrap: a file tree of named folders, own processes, no capabilities.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use super::{Confinement, Network, NetworkReach, Sandbox, SandboxLevel, SandboxReport, probe, system};

/// How long one trial may take.
const TRIAL: Duration = Duration::from_secs(5);

/// Where distributions put it; looked at before `PATH`.
const USUAL_FOLDERS: &[&str] = &["/usr/bin", "/usr/local/bin", "/bin"];

/// What of a fresh `/proc` changes the host when root writes it. Bubblewrap itself takes `/proc/sys` for read-only, since
/// the folder is; its files are not, and `/proc/sys/kernel/core_pattern` names a program that the host runs.
const PROC_OF_THE_HOST: &[&str] = &[
    "/proc/sys",
    "/proc/sysrq-trigger",
    "/proc/irq",
    "/proc/bus",
    "/proc/fs",
    "/proc/acpi",
    "/proc/scsi",
    "/proc/mtrr",
    "/proc/driver",
];

/// A bubblewrap that works here.
#[derive(Debug)]
pub(super) struct Bubblewrap {
    program: PathBuf,
    network: Network,
    proc: Proc,
}

/// The `/proc` that commands see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Proc {
    /// A fresh one, of their own processes.
    Own,
    /// The host's, read-only. A user namespace of their own then keeps commands off the host's processes, since files of
    /// theirs (`/proc/1/root`) are open to those who could trace them.
    Shared,
}

impl Bubblewrap {
    /// Finds it and tries it out.
    ///
    /// # Errors
    ///
    /// When it is missing or does not work, with its own words.
    pub(super) fn probe(network: Network) -> Result<Self, String> {
        let program = find().ok_or("bubblewrap (`bwrap`) is not installed")?;
        let mut faults = Vec::new();
        for proc in [Proc::Own, Proc::Shared] {
            let bubblewrap = Self { program: program.clone(), network, proc };
            match bubblewrap.try_out() {
                Ok(()) => return Ok(bubblewrap),
                Err(fault) if faults.contains(&fault) => {}
                Err(fault) => faults.push(fault),
            }
        }
        Err(format!("bubblewrap does not work here (`{}`)", faults.join("`, `")))
    }

    fn try_out(&self) -> Result<(), String> {
        let nothing =
            Confinement { workdir: "/".into(), writable: Vec::new(), readable: Vec::new(), temporary: None };
        let words = self.wrapper(&nothing);
        let Some((program, arguments)) = words.split_first() else { return Err("no program".to_owned()) };
        let mut command = Command::new(program);
        command.env_clear().args(arguments).args(["/bin/sh", "-c", ":"]);
        match probe::run(&mut command, TRIAL) {
            Ok(probed) if probed.status.success() => Ok(()),
            Ok(probed) if probed.words.is_empty() => Err(probed.status.to_string()),
            Ok(probed) => Err(probed.words),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Sandbox for Bubblewrap {
    fn report(&self) -> SandboxReport {
        let level = match self.proc {
            Proc::Own => SandboxLevel::Bubblewrap,
            Proc::Shared => SandboxLevel::BubblewrapSharedProc,
        };
        let network = match self.network {
            Network::Open => NetworkReach::Open,
            Network::Closed => NetworkReach::Closed,
        };
        SandboxReport::new(level, network)
    }

    fn wrapper(&self, within: &Confinement) -> Vec<OsString> {
        let mut line = Line(vec![self.program.clone().into()]);
        line.words(["--unshare-all", "--die-with-parent", "--new-session", "--cap-drop", "ALL"]);
        if self.network == Network::Open {
            line.words(["--share-net"]);
        }
        for path in system::PROGRAMS.iter().map(Path::new) {
            line.program_folder(path);
        }
        for path in system::etc() {
            line.read_only(&path);
        }
        match self.proc {
            Proc::Own => {
                line.words(["--proc", "/proc"]);
                for path in PROC_OF_THE_HOST.iter().map(Path::new).filter(|path| path.exists()) {
                    line.read_only(path);
                }
            }
            Proc::Shared => {
                line.words(["--unshare-user"]);
                line.read_only(Path::new("/proc"));
            }
        }
        line.words(["--dev", "/dev", "--tmpfs", "/tmp", "--tmpfs", "/var/tmp", "--dir", "/run"]);
        if Path::new(system::DEVICES_OF_THE_HOST).exists() {
            line.read_only(Path::new(system::DEVICES_OF_THE_HOST));
        }
        line.folders(within);
        // What holds all these together: else files could be put beside them, which would be gone with the command.
        line.words(["--remount-ro", "/"]);
        line.words(["--chdir".as_ref(), within.workdir.as_os_str()]);
        line.words(["--"]);
        line.0
    }
}

/// A command line of bubblewrap. What comes later lies over what came before.
struct Line(Vec<OsString>);

impl Line {
    fn words<W: Into<OsString>>(&mut self, words: impl IntoIterator<Item = W>) {
        self.0.extend(words.into_iter().map(Into::into));
    }

    fn read_only(&mut self, path: &Path) {
        self.words(["--ro-bind".as_ref(), path.as_os_str(), path.as_os_str()]);
    }

    /// A folder of the system. A link stays one, so that `/bin` and `/usr/bin` are the same place as on the host.
    fn program_folder(&mut self, path: &Path) {
        match fs::read_link(path) {
            Ok(target) => self.words(["--symlink".as_ref(), target.as_os_str(), path.as_os_str()]),
            Err(_) if path.is_dir() => self.read_only(path),
            Err(_) => {}
        }
    }

    /// The folders of the computer, outer ones first.
    fn folders(&mut self, within: &Confinement) {
        let readable = within.readable.iter().map(|folder| (folder, "--ro-bind"));
        let writable = within.writable.iter().map(|folder| (folder, "--bind"));
        let mut folders: Vec<_> = readable.chain(writable).collect();
        folders.sort_by_key(|(folder, _)| folder.components().count());
        for (folder, how) in folders {
            self.words([how.as_ref(), folder.as_os_str(), folder.as_os_str()]);
        }
    }
}

fn find() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let folders = USUAL_FOLDERS.iter().map(PathBuf::from).chain(std::env::split_paths(&path));
    folders
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join("bwrap"))
        .find(|file| file.is_file())
}
