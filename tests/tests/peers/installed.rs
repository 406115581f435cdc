//! Where the peers are, and our server to start beside them.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// The folder in which the peers are installed; `None` where they are not, which fails in CI.
pub(crate) fn peers() -> Option<PathBuf> {
    let peers = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().unwrap().join("peers");
    if peers.join("installed").exists() {
        return Some(peers);
    }
    assert!(std::env::var_os("CI").is_none(), "run tests/peers/install first");
    println!("not tried: run tests/peers/install first");
    None
}

pub(crate) fn node(peers: &Path) -> PathBuf {
    peers.join("node_modules/.bin/node")
}

/// A file of this package's folder `peers`.
pub(crate) fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("peers").join(name)
}

pub(crate) const SERVED_TOOLS: &str = env!("CARGO_BIN_EXE_served_tools");

/// Our server over HTTP, on a free port; ends with this value.
pub(crate) struct HttpServer {
    process: Child,
    pub(crate) url: String,
}

impl HttpServer {
    pub(crate) fn start(workspace: &Path) -> Self {
        let mut command = Command::new(SERVED_TOOLS);
        let mut process = command
            .arg(workspace)
            .arg("127.0.0.1:0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("our server starts");
        let mut url = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut url).unwrap();
        Self { process, url: url.trim().to_owned() }
    }

    /// The most memory that it ever had, in KiB.
    pub(crate) fn peak_memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        line.trim().trim_end_matches(" kB").parse().unwrap()
    }
}

impl Drop for HttpServer {
    fn drop(&mut self) {
        // It may have ended by itself, which the tests notice.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
