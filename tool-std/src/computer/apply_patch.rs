//! Changes files by a patch: several operations in one text, done all or not at all.
//!
//! The way of a patch: `parse` reads the operations, `stage` carries them out in memory (`edit` the hunks of one file, which
//! `place` finds by the `ladder` of comparisons), `write` exchanges the files, `report` and `explain` say what came of it.
//!
//! A changed file is a new file under the old name: its permissions stay, its owner where this user may give files away, but
//! not its hard links and extended attributes. The folder has to be writable, not only the file. Contents are on the disk
//! before the first file is exchanged (`fdatasync`), so that a full disk is noticed in time; names are not synced, so after a
//! power failure some files may be old and some new.

mod disk;
mod edit;
mod explain;
mod ladder;
mod parse;
mod place;
mod report;
mod stage;
mod text;
mod write;

pub use report::{FileChange, PatchReport, PatchedFile};

use std::sync::Arc;

use tool_runtime::{ToolContext, ToolError, ToolErrorKind, ToolOutput, worker_tool};

use super::Computer;
use explain::Failure;
use parse::parse;
use report::{edited, editing, refusal, report};
use stage::Stage;

/// The longest patch, in characters.
const MAX_PATCH: usize = 262_144;

/// What the text must look like, for providers that can enforce it.
const GRAMMAR: &str = include_str!("apply_patch/patch.lark");

/// Edits, adds, deletes and moves files by one patch, which is applied as a whole or not at all.
///
/// ```text
/// *** Begin Patch
/// *** Update File: src/app.py
/// @@ def greet(name):
///      if name:
/// -        print("Hi", name)
/// +        print("Hello", name)
///          return True
/// *** Update File: src/old.py
/// *** Move to: src/new.py
/// *** Add File: docs/notes.md
/// +# Notes
/// *** Delete File: tmp/scratch.txt
/// *** End Patch
/// ```
///
/// Each line of a change begins with a blank (stays), `-` (is removed) or `+` (is added). Give about three lines of context
/// before and after a change. Its lines must stand at one place of the file only: where they stand at several, name a line
/// above it after `@@`, and more than one `@@` line for a place within a place. Several changes of one file begin with `@@`
/// each, in the order of the file. `*** End of File` as the last line of a change says that the file ends there. Paths are
/// relative to the workspace, or absolute, or begin with `~`. A patch has at most 262,144 characters.
#[worker_tool(
    input = text(grammar = GRAMMAR, syntax = "lark"),
    sequential,
    destructive,
    open_world = false,
    activity = editing,
    completed_activity = edited
)]
pub async fn apply_patch(
    #[state] computer: Computer,
    patch: String,
    context: ToolContext,
) -> Result<ToolOutput<PatchReport>, ToolError> {
    let length = patch.chars().count();
    if length > MAX_PATCH {
        let text = format!("the patch has {length} characters; give several of at most {MAX_PATCH} each");
        return Err(refused(&[Failure { line: 0, text }]));
    }
    // Held by the work, which may go on for a moment after nobody waits for it any more.
    let turn = Arc::clone(computer.patching()).lock_owned().await;
    let waiting = Arc::new(());
    let awaited = Arc::downgrade(&waiting);
    let cancellation = context.clone();
    let stop = move || cancellation.is_cancelled() || awaited.strong_count() == 0;
    let work = move || {
        let _turn = turn;
        apply(&computer, &patch, &stop)
    };
    let (details, text) = context.run_blocking(work).await??;
    drop(waiting);
    Ok(ToolOutput::text(text).with_details(details))
}

fn apply(
    computer: &Computer,
    patch: &str,
    stop: &dyn Fn() -> bool,
) -> Result<(PatchReport, String), ToolError> {
    let operations = parse(patch).map_err(|failures| refused(&failures))?;
    let mut stage = Stage::new(computer.places(), computer.workspace());
    let mut failures = Vec::new();
    for operation in &operations {
        if stop() {
            return Err(ToolError::new(write::cancelled()));
        }
        failures.extend(stage.apply(operation).err().into_iter().flatten());
    }
    if !failures.is_empty() {
        return Err(refused(&failures));
    }
    let whole = |text| [Failure { line: 0, text }];
    let writes = stage.writes().map_err(|text| refused(&whole(text)))?;
    write::write(&writes, stop).map_err(|text| ToolError::new(refusal(&whole(text))))?;
    Ok(report(stage.files()))
}

fn refused(failures: &[Failure]) -> ToolError {
    ToolError::new(refusal(failures)).with_kind(ToolErrorKind::InvalidArguments)
}
