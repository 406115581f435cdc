//! What the operator of a computer sets for its commands.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::super::sandbox::{Network, Sandbox, SandboxChoice, SandboxError, SandboxReport};
use super::super::{Computer, ComputerBuilder};

/// How long programs have between being asked to end and being killed.
const GRACE: Duration = Duration::from_secs(5);
/// The most processes and threads of a command.
const PROCESSES: u32 = 1_024;

/// What holds for all commands of a computer.
pub(in crate::computer) struct Settings {
    pub(super) operator: BTreeMap<String, String>,
    pub(super) trusted: BTreeMap<String, String>,
    pub(super) grace: Duration,
    pub(super) processes: u32,
    choice: SandboxChoice,
    network: Network,
    /// Opened when it is first needed, which takes a trial. A failed one is tried again.
    sandbox: Mutex<Option<Arc<dyn Sandbox>>>,
}

impl Settings {
    /// The sandbox, which is tried out the first time; that blocks the thread.
    pub(super) fn sandbox(&self) -> Result<Arc<dyn Sandbox>, SandboxError> {
        let mut opened = self.sandbox.lock().unwrap_or_else(PoisonError::into_inner);
        match &*opened {
            Some(sandbox) => Ok(Arc::clone(sandbox)),
            None => Ok(Arc::clone(opened.insert(self.choice.open(self.network)?))),
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            operator: BTreeMap::new(),
            trusted: BTreeMap::new(),
            grace: GRACE,
            processes: PROCESSES,
            choice: SandboxChoice::default(),
            network: Network::default(),
            sandbox: Mutex::default(),
        }
    }
}

impl Clone for Settings {
    fn clone(&self) -> Self {
        let sandbox = self.sandbox.lock().unwrap_or_else(PoisonError::into_inner).clone();
        Self {
            operator: self.operator.clone(),
            trusted: self.trusted.clone(),
            grace: self.grace,
            processes: self.processes,
            choice: self.choice.clone(),
            network: self.network,
            sandbox: Mutex::new(sandbox),
        }
    }
}

/// The values of variables are secrets as often as not.
impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("operator", &self.operator.keys())
            .field("trusted", &self.trusted.keys())
            .field("choice", &self.choice)
            .field("network", &self.network)
            .finish_non_exhaustive()
    }
}

impl ComputerBuilder {
    /// Sets a variable in the environment of commands, as an operator does: below what a call sets itself.
    ///
    /// `HOME`, names that begin with `WORKER_` and those that shells own (`UID`, `PPID` and the like) are not the
    /// operator's: with such a variable, or one whose name is none, no command runs and the error says why.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.commands.operator.insert(name.into(), value.into());
        self
    }

    /// Sets a variable that neither the operator nor a call can change. Its name begins with `WORKER_` or is
    /// `MCPORTER_CONFIG`; with another one no command runs and the error says why.
    #[must_use]
    pub fn trusted_env(mut self, name: impl Into<String>, value: impl Into<String>) -> Self {
        self.commands.trusted.insert(name.into(), value.into());
        self
    }

    /// Chooses what encloses commands. Without it, [`SandboxChoice::Auto`].
    #[must_use]
    pub fn sandbox(mut self, choice: SandboxChoice) -> Self {
        self.commands.choice = choice;
        self
    }

    /// Sets whether commands have a network. Without it, [`Network::Open`].
    #[must_use]
    pub fn network(mut self, network: Network) -> Self {
        self.commands.network = network;
        self
    }

    /// Sets the most processes and threads that a command may have at once. Without it, 1,024. The details of each result
    /// say how the limit is kept, or that it is not.
    #[must_use]
    pub fn process_limit(mut self, processes: u32) -> Self {
        self.commands.processes = processes;
        self
    }

    /// Sets how long programs have to end by themselves when a command's time is up, before they are killed. Without it,
    /// five seconds.
    #[must_use]
    pub fn kill_after(mut self, grace: Duration) -> Self {
        self.commands.grace = grace;
        self
    }
}

impl Computer {
    /// What encloses the commands of this computer. Call it at the start to fail early.
    ///
    /// The first call tries the sandbox out, which takes some 50 ms and at most about ten seconds, and blocks the thread.
    ///
    /// # Errors
    ///
    /// When there is no sandbox as it was chosen; says what is missing.
    pub fn open_sandbox(&self) -> Result<SandboxReport, SandboxError> {
        self.inner.commands.sandbox().map(|sandbox| sandbox.report())
    }
}
