//! The files of a job: those of its conversation, and the workspace of its tools.

use std::fs;
use std::path::PathBuf;

use crate::jobs::space::JobSpace;
use crate::state::TurnFiles;

/// The files of a thread of jobs, held by this process.
pub(super) struct Thread {
    pub(super) files: TurnFiles,
    pub(super) workspace: PathBuf,
}

impl Thread {
    /// Makes what is missing and takes the lock; `None` while another process holds it. Blocks.
    pub(super) fn open(space: &JobSpace, thread: i64) -> Result<Option<Self>, String> {
        let workspace = space.workspace(thread);
        fs::create_dir_all(&workspace)
            .map_err(|error| format!("the folder `{}` cannot be made: {error}", workspace.display()))?;
        let files = TurnFiles::open(&space.thread_folder(thread))?;
        Ok(files.map(|files| Self { files, workspace }))
    }
}
