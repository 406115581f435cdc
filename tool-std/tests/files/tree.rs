//! A tree of files with a computer on it.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use serde_json::Value;
use tempfile::TempDir;
use tool_runtime::testing::{self, TestCall};
use tool_runtime::{ToolSet, WorkerAgentTool};
use tool_std::computer::{Computer, computer_tools};

/// A folder with a home, a workspace in it, a folder of user files in it, and something outside of it.
pub(crate) struct Tree {
    folder: TempDir,
    pub(crate) computer: Computer,
}

impl Tree {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let home = folder.path().join("home");
        fs::create_dir_all(home.join("work")).unwrap();
        fs::create_dir_all(home.join("files")).unwrap();
        fs::create_dir(folder.path().join("outside")).unwrap();
        fs::write(folder.path().join("outside/secret.txt"), "the secret of the outside\n").unwrap();
        let computer =
            Computer::builder(home.join("work")).home(&home).user_files(home.join("files")).build().unwrap();
        Self { folder, computer }
    }

    /// A workspace with these files.
    pub(crate) fn of(files: &[(&str, &str)]) -> Self {
        let tree = Self::new();
        for (path, text) in files {
            tree.write(path, text);
        }
        tree
    }

    /// A path in the workspace.
    pub(crate) fn path(&self, path: impl AsRef<Path>) -> PathBuf {
        self.computer.workspace().join(path)
    }

    /// A path that no tool may reach.
    pub(crate) fn outside(&self) -> PathBuf {
        self.folder.path().canonicalize().unwrap().join("outside")
    }

    pub(crate) fn write(&self, path: impl AsRef<Path>, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    pub(crate) fn link(&self, path: impl AsRef<Path>, to: impl AsRef<Path>) {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, path).unwrap();
    }

    pub(crate) fn tool(&self, name: &str) -> WorkerAgentTool {
        let set = ToolSet::new(computer_tools(&self.computer)).unwrap();
        set.get(None, name).unwrap_or_else(|| panic!("no tool `{name}`")).clone()
    }

    pub(crate) async fn call(&self, name: &str, arguments: Value) -> TestCall {
        testing::call(&self.tool(name), arguments).await
    }

    /// What the model reads.
    pub(crate) async fn text(&self, name: &str, arguments: Value) -> String {
        self.call(name, arguments).await.model_text
    }
}
