//! The computer of a turn: a workspace in which commands run and files are read, searched and changed.

mod apply_patch;
mod command;
mod cursors;
mod encoding;
mod find;
mod grep;
mod instead;
mod lines;
mod ls;
mod near;
mod newest;
mod places;
mod read_file;
mod reply_attachment;
pub mod sandbox;
mod scope;
pub(crate) mod shown;
mod stop;
mod walk;

pub use apply_patch::{FileChange, PatchReport, PatchedFile, apply_patch};
pub use command::{CommandDetails, CommandParams, CommandSandbox, ProcessLimit, command};
pub use find::{FoundFiles, find};
pub use grep::{FoundLines, grep};
pub use ls::{FolderList, ls};
pub(crate) use newest::keep_newest;
#[cfg(feature = "skills")]
pub(crate) use places::Place;
pub(crate) use places::Places;
pub use places::{PathError, PathErrorKind};
pub use read_file::{FilePage, read_file};
pub use reply_attachment::{Attachment, QueuedAttachments, reply_attachment};

use std::path::{Path, PathBuf};
use std::sync::Arc;

use cursors::Cursors;
use find::FindPosition;
use grep::GrepPosition;
use sandbox::Confinement;
use tokio::sync::Mutex;
use tool_runtime::{WorkerAgentTool, tools};

/// The tools of this category, for one turn.
#[must_use]
pub fn computer_tools(computer: &Computer) -> Vec<WorkerAgentTool> {
    tools![
        command(computer.clone()),
        read_file(computer.clone()),
        find(computer.clone()),
        grep(computer.clone()),
        ls(computer.clone()),
        apply_patch(computer.clone()),
        if computer.user_files().is_some() => reply_attachment(computer.clone()),
    ]
}

/// What the computer tools of a turn work on. Cheap to clone.
///
/// The **workspace** is where relative paths start and commands run. The **home** is the durable root that `~` means; the
/// workspace usually lies in it. Files are read and written in these two only, judged by their real paths. A path that leads
/// elsewhere has one answer, so that nobody learns from it what is there.
///
/// ```
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = tempfile::tempdir()?;
/// use tool_std::computer::{Computer, computer_tools};
///
/// let computer = Computer::new(folder.path())?;
/// let tools = computer_tools(&computer);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Computer {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    places: Places,
    user_files: Option<PathBuf>,
    find_cursors: Cursors<FindPosition>,
    grep_cursors: Cursors<GrepPosition>,
    commands: command::Settings,
    /// Held by a patch while it is applied.
    patching: Arc<Mutex<()>>,
}

/// Makes a [`Computer`].
#[derive(Clone, Debug)]
pub struct ComputerBuilder {
    workspace: PathBuf,
    home: Option<PathBuf>,
    readable: Vec<PathBuf>,
    user_files: Option<PathBuf>,
    commands: command::Settings,
}

impl Computer {
    /// A computer whose home is its workspace.
    ///
    /// # Errors
    ///
    /// When `workspace` is no folder that can be opened.
    pub fn new(workspace: impl Into<PathBuf>) -> Result<Self, PathError> {
        Self::builder(workspace).build()
    }

    /// Starts from the folder in which commands run and relative paths begin.
    #[must_use]
    pub fn builder(workspace: impl Into<PathBuf>) -> ComputerBuilder {
        ComputerBuilder {
            workspace: workspace.into(),
            home: None,
            readable: Vec::new(),
            user_files: None,
            commands: command::Settings::default(),
        }
    }

    /// The real path of the folder in which commands run and relative paths begin.
    #[must_use]
    pub fn workspace(&self) -> &Path {
        self.inner.places.workspace()
    }

    /// The real path of the durable root, which `~` means.
    #[must_use]
    pub fn home(&self) -> &Path {
        self.inner.places.home()
    }

    /// The real path of the folder from which files can be attached to a reply, if the turn has one.
    #[must_use]
    pub fn user_files(&self) -> Option<&Path> {
        self.inner.user_files.as_deref()
    }

    /// The folders that may be read or written, and how paths in them are found.
    pub(crate) fn places(&self) -> &Places {
        &self.inner.places
    }

    /// Where searches for files left off.
    fn find_cursors(&self) -> &Cursors<FindPosition> {
        &self.inner.find_cursors
    }

    /// Where searches for lines left off.
    fn grep_cursors(&self) -> &Cursors<GrepPosition> {
        &self.inner.grep_cursors
    }

    /// The same folders, for a command that starts in `workdir`.
    fn confinement(&self, workdir: PathBuf, temporary: Option<PathBuf>) -> Confinement {
        let (writable, readable) = self.places().folders();
        Confinement { workdir, writable, readable, temporary }
    }

    /// Held by a patch while it is applied, since the next one has to see all of it.
    fn patching(&self) -> &Arc<Mutex<()>> {
        &self.inner.patching
    }
}

impl ComputerBuilder {
    /// Sets the durable root, which `~` means. Without it, the workspace.
    #[must_use]
    pub fn home(mut self, home: impl Into<PathBuf>) -> Self {
        self.home = Some(home.into());
        self
    }

    /// Adds a folder that may be read but not written.
    #[must_use]
    pub fn readable(mut self, folder: impl Into<PathBuf>) -> Self {
        self.readable.push(folder.into());
        self
    }

    /// Sets the only folder from which files can be attached to a reply. Without it the turn has no `reply_attachment`.
    #[must_use]
    pub fn user_files(mut self, folder: impl Into<PathBuf>) -> Self {
        self.user_files = Some(folder.into());
        self
    }

    /// Opens the folders.
    ///
    /// # Errors
    ///
    /// When one of them is no folder that can be opened; names it.
    pub fn build(self) -> Result<Computer, PathError> {
        let home = self.home.unwrap_or_else(|| self.workspace.clone());
        let user_files = self.user_files.map(|folder| places::real_folder(&folder)).transpose()?;
        let readable = self.readable.into_iter().chain(user_files.clone());
        let places = Places::open(&self.workspace, &home, readable)?;
        let (find_cursors, grep_cursors) = (Cursors::of("find"), Cursors::of("grep"));
        Ok(Computer {
            inner: Arc::new(Inner {
                places,
                user_files,
                find_cursors,
                grep_cursors,
                commands: self.commands,
                patching: Arc::default(),
            }),
        })
    }
}
