//! A worker in a process of its own, to be killed.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::databases::TestDatabase;

/// `worker-tools worker`. It is killed when this is dropped.
pub(crate) struct WorkerProcess(pub(crate) Child);

impl WorkerProcess {
    /// Starts one that answers from a recording, with a lease of 2 seconds; what it says goes to the file `log` of the
    /// database's folder.
    pub(crate) fn start(database: &TestDatabase, job_files: &Path, recording: &Path, more: &[&str]) -> Self {
        let log = fs::OpenOptions::new().create(true).append(true).open(database.folder.path().join("log"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
        command.args(["worker", "--sandbox", "none", "--lease", "2"]).args(more);
        command.arg("--state").arg(&database.place).arg("--job-files").arg(job_files);
        command.arg("--recording").arg(recording).stdin(Stdio::null()).stdout(Stdio::null());
        Self(command.stderr(log.unwrap()).spawn().unwrap())
    }

    /// SIGKILL.
    pub(crate) fn kill(mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for WorkerProcess {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}
