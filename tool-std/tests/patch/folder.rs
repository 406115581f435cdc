//! A folder with files, and the tool that patches them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::Value;
use tempfile::TempDir;
use tool_runtime::WorkerAgentTool;
use tool_runtime::testing::{self, TestCall};
use tool_std::computer::{Computer, apply_patch};

/// A workspace in a folder of its own; the folder around it is outside of what may be used.
pub(crate) struct Folder {
    around: TempDir,
    tool: WorkerAgentTool,
}

/// What lies in a folder: kind and permissions, and the content or where a link leads.
pub(crate) type Snapshot = BTreeMap<PathBuf, (u32, Vec<u8>)>;

impl Folder {
    pub(crate) fn new() -> Self {
        let around = tempfile::tempdir().unwrap();
        let workspace = around.path().join("workspace");
        fs::create_dir(&workspace).unwrap();
        let tool = apply_patch(Computer::new(&workspace).unwrap());
        Self { around, tool }
    }

    pub(crate) fn with(files: &[(&str, &str)]) -> Self {
        let folder = Self::new();
        for (path, content) in files {
            folder.write(path, content);
        }
        folder
    }

    pub(crate) fn around(&self) -> &Path {
        self.around.path()
    }

    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.around.path().join("workspace").join(path)
    }

    pub(crate) fn tool(&self) -> &WorkerAgentTool {
        &self.tool
    }

    pub(crate) fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    pub(crate) fn read(&self, path: &str) -> String {
        String::from_utf8(self.bytes(path)).unwrap()
    }

    pub(crate) fn bytes(&self, path: &str) -> Vec<u8> {
        fs::read(self.path(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub(crate) fn has(&self, path: &str) -> bool {
        self.path(path).symlink_metadata().is_ok()
    }

    pub(crate) fn mode(&self, path: &str) -> u32 {
        self.path(path).metadata().unwrap().mode() & 0o7777
    }

    pub(crate) fn set_mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) async fn call(&self, patch: &str) -> TestCall {
        testing::call(&self.tool, Value::from(patch)).await
    }

    /// Applies a patch that must fit; gives what the model reads.
    pub(crate) async fn applied(&self, patch: &str) -> String {
        let call = self.call(patch).await;
        assert!(call.outcome.is_ok(), "{}", call.model_text);
        assert_eq!(self.left_over(), Vec::<PathBuf>::new());
        call.model_text
    }

    /// Tries a patch that must be refused and change nothing; gives what the model reads.
    pub(crate) async fn refused(&self, patch: &str) -> String {
        let before = snapshot(self.around());
        let call = self.call(patch).await;
        assert!(call.outcome.is_err(), "{}", call.model_text);
        assert_eq!(snapshot(self.around()), before, "{}", call.model_text);
        call.model_text
    }

    /// Temporary files that are still there.
    pub(crate) fn left_over(&self) -> Vec<PathBuf> {
        let all = snapshot(self.around());
        all.into_keys().filter(|path| path.to_string_lossy().contains(".apply_patch")).collect()
    }
}

pub(crate) fn snapshot(folder: &Path) -> Snapshot {
    let mut found = Snapshot::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let status = path.symlink_metadata().unwrap();
            let content = if status.is_file() {
                fs::read(&path).unwrap()
            } else if status.is_symlink() {
                fs::read_link(&path).unwrap().into_os_string().into_encoded_bytes()
            } else {
                Vec::new()
            };
            if status.is_dir() {
                folders.push(path.clone());
            }
            found.insert(path, (status.mode(), content));
        }
    }
    found
}

/// A patch of these lines in its envelope.
pub(crate) fn patch(lines: &str) -> String {
    format!("*** Begin Patch\n{lines}*** End Patch\n")
}

/// A patch that updates one file.
pub(crate) fn update(path: &str, hunks: &str) -> String {
    patch(&format!("*** Update File: {path}\n{hunks}"))
}

/// Says that it is over when it is dropped, so that a thread that waits for that ends also when the test fails.
#[derive(Default)]
pub(crate) struct Over(AtomicBool);

impl Over {
    pub(crate) fn is_over(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }

    pub(crate) fn on_drop(&self) -> impl Drop + '_ {
        struct Guard<'o>(&'o Over);
        impl Drop for Guard<'_> {
            fn drop(&mut self) {
                self.0.0.store(true, Ordering::Release);
            }
        }
        Guard(self)
    }
}

/// Spends some time, now more and now less, so that two threads meet at all points of their work.
pub(crate) fn busy(round: usize) {
    let turns = round.wrapping_mul(0x9e37_79b9) % 400_000;
    (0..turns).for_each(|_| std::hint::spin_loop());
}

/// Another process that has the lock of a folder.
pub(crate) struct LockHolder(Child);

impl LockHolder {
    pub(crate) fn start(folder: &Folder) -> Self {
        Self::of(&folder.path(""))
    }

    pub(crate) fn of(folder: &Path) -> Self {
        let mut holder = Command::new("flock")
            .arg(folder)
            .args(["sh", "-c", "echo held; cat"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(holder.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert_eq!(line, "held\n");
        Self(holder)
    }

    pub(crate) fn stop(mut self) {
        drop(self.0.stdin.take());
        self.0.wait().unwrap();
    }
}
