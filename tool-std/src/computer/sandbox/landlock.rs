//! Landlock: the kernel refuses files, and more the newer it is, to a thread that asked for it and to all it starts.

use std::io;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;

use landlock::{
    ABI, Access, AccessFs, AccessNet, BitFlags, CompatLevel, Compatible, LandlockStatus, PathBeneath, PathFd,
    Ruleset, RulesetAttr, RulesetCreated, RulesetCreatedAttr, RulesetError, RulesetStatus, Scope,
};
use rustix::thread::{CapabilitySet, CapabilitySets, set_capabilities};

use super::{Confinement, Network, NetworkReach, Sandbox, SandboxLevel, SandboxReport, system};

/// What is asked for. An older kernel gives what it has.
const ASKED: ABI = ABI::V6;
/// Below it files can be emptied by those who may not write them.
const LEAST: ABI = ABI::V3;
/// From it on TCP can be closed.
const CLOSES_TCP: ABI = ABI::V4;

/// Landlock of this kernel.
#[derive(Debug)]
pub(super) struct Landlock {
    network: Network,
    has: ABI,
}

impl Landlock {
    /// Asks the kernel what it has.
    ///
    /// # Errors
    ///
    /// When it has none, or too little to protect files.
    pub(super) fn probe(network: Network) -> Result<Self, String> {
        // Whether it is there shows only when a thread restricts itself, so one does and ends.
        let restricted = thread::scope(|scope| scope.spawn(|| restrict(ruleset(network)?)).join());
        let status = match restricted {
            Ok(Ok(status)) => status,
            Ok(Err(error)) => return Err(format!("Landlock does not work here ({error})")),
            Err(_) => return Err("Landlock could not be tried".to_owned()),
        };
        match status {
            LandlockStatus::NotImplemented => Err("this kernel has no Landlock".to_owned()),
            LandlockStatus::NotEnabled => Err("Landlock is switched off in this kernel".to_owned()),
            LandlockStatus::Available { effective_abi, .. } if effective_abi < LEAST => Err(format!(
                "Landlock of this kernel is too old (version {effective_abi}; needed is {LEAST})"
            )),
            LandlockStatus::Available { effective_abi, .. } => Ok(Self { network, has: effective_abi }),
        }
    }

    /// That of a kernel which has this much of it.
    #[cfg(test)]
    pub(super) fn of(network: Network, has: ABI) -> Self {
        Self { network, has }
    }

    /// Whether it does all that is asked, a closed network included.
    pub(super) fn is_all_of(&self, network: Network) -> bool {
        self.has >= ASKED && network == Network::Open
    }
}

impl Sandbox for Landlock {
    fn report(&self) -> SandboxReport {
        let level = if self.has >= ASKED { SandboxLevel::Landlock } else { SandboxLevel::LandlockPartial };
        let network = match self.network {
            Network::Closed if self.has >= CLOSES_TCP => NetworkReach::NoTcp,
            Network::Closed | Network::Open => NetworkReach::Open,
        };
        SandboxReport::new(level, network)
    }

    fn needs_temporary_folder(&self) -> bool {
        true
    }

    /// Only a thread of its own can restrict itself without restricting the whole program.
    fn spawn(&self, command: &mut Command, within: &Confinement) -> io::Result<Child> {
        let restricted = || {
            let ruleset = allow(ruleset(self.network)?, within)?;
            restrict(ruleset)?;
            command.spawn()
        };
        let spawned = thread::scope(|scope| scope.spawn(restricted).join());
        spawned.unwrap_or_else(|_| Err(io::Error::other("the thread that starts the command panicked")))
    }
}

/// Everything forbidden.
fn ruleset(network: Network) -> io::Result<RulesetCreated> {
    let asked = Ruleset::default()
        .set_compatibility(CompatLevel::BestEffort)
        .handle_access(AccessFs::from_all(ASKED))
        .and_then(|ruleset| ruleset.scope(Scope::from_all(ASKED)));
    let asked = match network {
        Network::Open => asked,
        Network::Closed => asked.and_then(|ruleset| ruleset.handle_access(AccessNet::from_all(ASKED))),
    };
    asked.and_then(Ruleset::create).map_err(refused)
}

fn allow(ruleset: RulesetCreated, within: &Confinement) -> io::Result<RulesetCreated> {
    let read = AccessFs::from_read(ASKED);
    let device = AccessFs::ReadFile | AccessFs::WriteFile | AccessFs::Truncate | AccessFs::IoctlDev;
    // No devices: who has one has what is behind it.
    let write = AccessFs::from_all(ASKED) & !(AccessFs::MakeChar | AccessFs::MakeBlock | AccessFs::IoctlDev);
    let system = system::PROGRAMS.iter().copied().chain(["/proc", system::DEVICES_OF_THE_HOST]);
    let mut ruleset = ruleset;
    for path in system.map(Path::new) {
        ruleset = allow_path(ruleset, path, read)?;
    }
    for path in system::etc() {
        ruleset = allow_path(ruleset, &path, read)?;
    }
    for path in system::DEVICES.iter().map(Path::new) {
        ruleset = allow_path(ruleset, path, device)?;
    }
    for path in &within.readable {
        ruleset = allow_path(ruleset, path, read)?;
    }
    for path in within.writable.iter().chain(&within.temporary) {
        ruleset = allow_path(ruleset, path, write)?;
    }
    Ok(ruleset)
}

/// Allows `access` to what is at `path`, if something is there.
fn allow_path(
    ruleset: RulesetCreated,
    path: &Path,
    access: BitFlags<AccessFs>,
) -> io::Result<RulesetCreated> {
    let Ok(handle) = PathFd::new(path) else { return Ok(ruleset) };
    let access = if path.is_dir() { access } else { access & AccessFs::from_file(ASKED) };
    ruleset.add_rule(PathBeneath::new(handle, access)).map_err(refused)
}

/// Restricts the calling thread for good: by the rules, and by giving up all capabilities.
fn restrict(ruleset: RulesetCreated) -> io::Result<LandlockStatus> {
    let none = CapabilitySet::empty();
    set_capabilities(None, CapabilitySets { effective: none, permitted: none, inheritable: none })?;
    let restricted = ruleset.restrict_self().map_err(refused)?;
    match restricted.ruleset {
        RulesetStatus::NotEnforced => Ok(LandlockStatus::NotImplemented),
        _ => Ok(restricted.landlock),
    }
}

fn refused(error: RulesetError) -> io::Error {
    io::Error::other(error)
}
