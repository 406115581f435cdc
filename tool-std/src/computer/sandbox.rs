//! What encloses the commands of a computer.
//!
//! | | bubblewrap | Landlock | none |
//! |---|---|---|---|
//! | writes | home, workspace, a `/tmp` of its own | home, workspace, a temporary folder of its own (`TMPDIR`) | all that the user may |
//! | reads | these, folders for reading, programs and libraries, the entries of `/etc` that programs need | the same, and lists of processes | all that the user may |
//! | mode, owner and times of other files | unchanged | can be changed where the user owns them | as the user |
//! | other processes | not seen; only listed where `/proc` is shared ([`SandboxLevel::BubblewrapSharedProc`]) | listed; no signals (from Linux 6.12 on), memory or environment | as the user |
//! | open network | the host's, its own addresses and abstract sockets included | the same; no abstract sockets (from Linux 6.12 on) | the host's |
//! | closed network | none at all | no TCP (from Linux 6.7 on), UDP stays | cannot be closed |
//! | sockets that are files | only in the folders given | as without it | as the user |
//! | root | without capabilities | without capabilities | with all |
//! | what a command leaves running | ends with it, always: the kernel ends a namespace of processes as one | is found by its control group, else by a mark | the same |
//!
//! The *mark* is a resource limit that means nothing to Linux any more (`RLIMIT_LOCKS`), set to a number of the command's
//! own. It is inherited by all that the command starts, also in a new session, with a cleared environment, or with closed
//! streams; only a program that lowers that very limit for itself loses it.
//!
//! For commands that somebody hostile may have a part in, use bubblewrap.

mod bubblewrap;
mod landlock;
mod probe;
mod system;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;

use schemars::JsonSchema;
use serde::Serialize;

use bubblewrap::Bubblewrap;
use landlock::Landlock;

/// Encloses commands. Implement it for a sandbox of your own; the two that come with this package are chosen by
/// [`SandboxChoice`].
///
/// A command is a chain of programs: a small shell that waits until the command may begin, then the words of
/// [`wrapper`](Self::wrapper), then the shells that run the command. Standard input, output and error must pass through.
pub trait Sandbox: fmt::Debug + Send + Sync {
    /// What it encloses, for the details of each result.
    fn report(&self) -> SandboxReport;

    /// The program, with its arguments, that runs the program behind it enclosed. Empty if no such program is needed.
    fn wrapper(&self, within: &Confinement) -> Vec<OsString> {
        let _ = within;
        Vec::new()
    }

    /// Starts the chain. What must hold before anything of it runs is done here.
    ///
    /// # Errors
    ///
    /// When it cannot be started as it has to be.
    fn spawn(&self, command: &mut Command, within: &Confinement) -> io::Result<Child> {
        let _ = within;
        command.spawn()
    }

    /// Whether the host's folder for temporary files is out of reach, so that each command needs one of its own.
    fn needs_temporary_folder(&self) -> bool {
        false
    }
}

/// What a command may use.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Confinement {
    /// Where it starts.
    pub workdir: PathBuf,
    /// Folders that it may read and write: real paths, outer ones first.
    pub writable: Vec<PathBuf>,
    /// Folders that it may only read: real paths, none inside a writable one.
    pub readable: Vec<PathBuf>,
    /// A folder of its own for temporary files, if the sandbox asked for one.
    pub temporary: Option<PathBuf>,
}

impl Confinement {
    /// Whether no folder would undo what the sandbox does.
    pub(super) fn check(&self, sandbox: &dyn Sandbox) -> Result<(), SandboxError> {
        if sandbox.report().level == SandboxLevel::None {
            return Ok(());
        }
        let mut folders = self.writable.iter().chain(&self.readable);
        match folders.find(|folder| system::is_reserved(folder)) {
            None => Ok(()),
            Some(folder) => Err(SandboxError::new(format!(
                "the folder `{}` cannot be given to commands, since it is the system's; the operator of this program must \
                 choose a home, a workspace and folders for reading below it",
                folder.display()
            ))),
        }
    }
}

/// Which sandbox commands run in.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum SandboxChoice {
    /// Bubblewrap where it works, else Landlock if it can do all that is asked, else no command runs.
    #[default]
    Auto,
    /// Bubblewrap only.
    Bubblewrap,
    /// Landlock only, with what this kernel has of it; the report says what that is.
    Landlock,
    /// Nothing: commands can do what the user can who runs this program. For containers that are a sandbox themselves.
    None,
    /// A sandbox of your own.
    Custom(Arc<dyn Sandbox>),
}

/// Whether commands have a network.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Network {
    /// That of the host. The default, since commands fetch packages and push commits.
    #[default]
    Open,
    /// None, not even the host's own addresses.
    Closed,
}

/// What encloses a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct SandboxReport {
    /// The sandbox.
    pub level: SandboxLevel,
    /// What it can reach over the network.
    pub network: NetworkReach,
}

impl SandboxReport {
    /// A report.
    #[must_use]
    pub fn new(level: SandboxLevel, network: NetworkReach) -> Self {
        Self { level, network }
    }
}

/// A kind of sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum SandboxLevel {
    /// Bubblewrap: own file tree, own processes.
    Bubblewrap,
    /// Bubblewrap where no `/proc` of its own can be mounted: the host's processes are listed, but out of reach.
    BubblewrapSharedProc,
    /// Landlock with all that this package asks of it.
    Landlock,
    /// Landlock with what an older kernel has of it; files are protected.
    LandlockPartial,
    /// None.
    None,
    /// One of the host's own.
    Custom,
}

/// What a command can reach over the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum NetworkReach {
    /// All that the host can.
    Open,
    /// Nothing by TCP; all by other protocols.
    NoTcp,
    /// Nothing.
    Closed,
}

/// Why commands cannot be enclosed as it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SandboxError {
    reason: String,
}

impl SandboxError {
    fn new(reason: impl Into<String>) -> Self {
        Self { reason: reason.into() }
    }
}

impl fmt::Display for SandboxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "commands cannot run, since no sandbox is to be had: {}", self.reason)
    }
}

impl std::error::Error for SandboxError {}

impl SandboxChoice {
    /// The sandbox that was chosen, tried out. Blocks the thread, at most about ten seconds.
    pub(super) fn open(&self, network: Network) -> Result<Arc<dyn Sandbox>, SandboxError> {
        match self {
            Self::None => Ok(Arc::new(Unconfined)),
            Self::Custom(sandbox) => Ok(Arc::clone(sandbox)),
            Self::Bubblewrap => Ok(Arc::new(Bubblewrap::probe(network).map_err(SandboxError::new)?)),
            Self::Landlock => Ok(Arc::new(Landlock::probe(network).map_err(SandboxError::new)?)),
            Self::Auto => best(network, Bubblewrap::probe(network), || Landlock::probe(network)),
        }
    }
}

/// The strongest that does all that is asked.
fn best(
    network: Network,
    bubblewrap: Result<Bubblewrap, String>,
    landlock: impl FnOnce() -> Result<Landlock, String>,
) -> Result<Arc<dyn Sandbox>, SandboxError> {
    let no_bubblewrap = match bubblewrap {
        Ok(bubblewrap) => return Ok(Arc::new(bubblewrap)),
        Err(reason) => reason,
    };
    let no_landlock = match landlock() {
        Ok(landlock) if landlock.is_all_of(network) => return Ok(Arc::new(landlock)),
        Ok(_) if network == Network::Closed => "Landlock cannot close the network".to_owned(),
        Ok(_) => "this kernel has only a part of Landlock".to_owned(),
        Err(reason) => reason,
    };
    Err(SandboxError::new(format!(
        "{no_bubblewrap}; {no_landlock}; the operator of this program can install bubblewrap (`apt-get install bubblewrap`), \
         allow user namespaces, or choose a weaker sandbox or none by `SandboxChoice`"
    )))
}

/// No sandbox.
#[derive(Debug)]
struct Unconfined;

impl Sandbox for Unconfined {
    fn report(&self) -> SandboxReport {
        SandboxReport::new(SandboxLevel::None, NetworkReach::Open)
    }
}
