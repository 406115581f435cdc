//! Tools that read files of one folder.

use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use tool_runtime::{ToolContext, ToolError, ToolErrorKind, WorkerAgentTool, tools, worker_tool};

/// The largest file that is read, in bytes.
const MAX_FILE: u64 = 1024 * 1024;
/// The most lines, names or places that one call gives.
const MAX_LINES: usize = 200;

/// The folder that may be read.
#[derive(Clone)]
pub(crate) struct Root(PathBuf);

/// The tools of a turn.
pub(crate) fn tools(root: &Root) -> Vec<WorkerAgentTool> {
    tools![list_files(root.clone()), read_file(root.clone()), find_text(root.clone())]
}

/// Lists a folder of the workspace; folders end in `/`.
#[worker_tool(read_only, parallel, activity = "Listing {path}", completed_activity = "Listed {path}")]
async fn list_files(
    #[state] root: Root,
    /// Folder, relative to the workspace; `.` is the workspace.
    #[param]
    #[schemars(length(min = 1))]
    path: String,
    cx: ToolContext,
) -> Result<String, ToolError> {
    cx.run_blocking(move || Ok(root.entries(&path)?.join("\n"))).await?
}

/// Reads lines of a text file of the workspace, with their numbers.
#[worker_tool(read_only, parallel, activity = "Reading {path}", completed_activity = "Read {path}")]
async fn read_file(
    #[state] root: Root,
    /// File, relative to the workspace.
    #[param]
    #[schemars(length(min = 1))]
    path: String,
    /// First line, counted from 1.
    #[param]
    #[schemars(range(min = 1))]
    offset: Option<usize>,
    cx: ToolContext,
) -> Result<String, ToolError> {
    cx.run_blocking(move || {
        let text = root.text(&path)?;
        let numbered = text.lines().enumerate().skip(offset.unwrap_or(1) - 1).take(MAX_LINES);
        Ok(numbered.map(|(index, line)| format!("{}: {line}\n", index + 1)).collect::<String>())
    })
    .await?
}

/// Finds the lines that hold a text, in the files of a folder of the workspace and of those below it.
#[worker_tool(read_only, parallel, activity = "Looking for {text}", completed_activity = "Looked for {text}")]
async fn find_text(
    #[state] root: Root,
    /// What the lines hold, letter by letter.
    #[param]
    #[schemars(length(min = 1))]
    text: String,
    /// Folder, relative to the workspace; `.` is the workspace.
    #[param]
    path: String,
    cx: ToolContext,
) -> Result<String, ToolError> {
    let inner = cx.clone();
    cx.run_blocking(move || {
        let mut found = Vec::new();
        root.find(&text, &path, &mut found, &|| inner.is_cancelled())?;
        Ok(if found.is_empty() { format!("no line holds `{text}`") } else { found.join("\n") })
    })
    .await?
}

impl Root {
    pub(crate) fn new(folder: &Path) -> std::io::Result<Self> {
        folder.canonicalize().map(Self)
    }

    fn path(&self, path: &str) -> Result<PathBuf, ToolError> {
        let failed = |error| ToolError::new(format!("`{path}`: {error}"));
        let full = self.0.join(path).canonicalize().map_err(failed)?;
        if !full.starts_with(&self.0) {
            let message = format!("`{path}` is outside the workspace");
            return Err(ToolError::new(message).with_kind(ToolErrorKind::Denied));
        }
        Ok(full)
    }

    fn text(&self, path: &str) -> Result<String, ToolError> {
        let file = fs::File::open(self.path(path)?)?;
        if !file.metadata()?.is_file() {
            return Err(ToolError::new(format!("`{path}` is no file")));
        }
        let mut text = String::new();
        file.take(MAX_FILE).read_to_string(&mut text)?;
        Ok(text)
    }

    /// The names in a folder, sorted; without hidden ones and what was built.
    fn entries(&self, path: &str) -> Result<Vec<String>, ToolError> {
        let mut names = Vec::new();
        for entry in fs::read_dir(self.path(path)?)? {
            let entry = entry?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !name.starts_with('.') && name != "target" {
                names.push(if entry.file_type()?.is_dir() { name + "/" } else { name });
            }
        }
        names.sort();
        names.truncate(MAX_LINES);
        Ok(names)
    }

    fn find(
        &self,
        text: &str,
        folder: &str,
        found: &mut Vec<String>,
        is_over: &impl Fn() -> bool,
    ) -> Result<(), ToolError> {
        for name in self.entries(folder)? {
            if is_over() || found.len() >= MAX_LINES {
                break;
            }
            let path = if folder == "." { name } else { format!("{}/{name}", folder.trim_end_matches('/')) };
            if let Some(folder) = path.strip_suffix('/') {
                self.find(text, folder, found, is_over)?;
                continue;
            }
            // What is no text holds no lines.
            let Ok(content) = self.text(&path) else { continue };
            let lines = content.lines().enumerate().filter(|(_, line)| line.contains(text));
            let room = MAX_LINES - found.len();
            found.extend(lines.take(room).map(|(index, line)| format!("{path}:{}: {line}", index + 1)));
        }
        Ok(())
    }
}
