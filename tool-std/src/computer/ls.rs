//! Listing a folder.

use std::collections::BinaryHeap;
use std::ffi::{OsStr, OsString};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

use rustix::fs::Dir;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use super::places::{Kind, PathError, PathErrorKind, kind_of};
use super::shown::{self, Rows};
use super::stop::{self, PATIENCE, Stop, Stopped};
use super::{Computer, near};

/// The most characters of a list.
const LIST: usize = 50_000;
/// The most entries of a list.
const MOST: u32 = 2_000;
/// How many entries are read between two looks at the clock.
const STRETCH: u64 = 512;

/// Which folder.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct LsParams {
    /// The folder: absolute, from `~` on, or relative to the workspace, which it is otherwise.
    path: Option<String>,
    /// The most entries.
    #[schemars(range(min = 1, max = 2_000))]
    #[serde(default = "entries_of_list")]
    limit: u32,
}

fn entries_of_list() -> u32 {
    500
}

/// What [`ls()`] found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FolderList {
    /// The path as it was asked for; `.` for the workspace.
    pub path: String,
    /// How many entries the list has.
    pub entries: usize,
    /// How many the folder has.
    pub total: u64,
    /// Whether the folder has more than the list.
    pub truncated: bool,
}

/// Lists all that is in one folder, hidden names too: `/` stands behind folders, and `-> target` behind links.
///
/// Use `find` to look for files further down.
#[worker_tool(parallel, read_only, open_world = false, max_output = 210_000, activity = listing)]
pub async fn ls(
    #[state] computer: Computer,
    params: LsParams,
    context: ToolContext,
) -> Result<ToolOutput<FolderList>, ToolError> {
    stop::run(&context, move |stop| list(&computer, &params, stop)).await
}

fn listing(params: &LsParams) -> String {
    format!("Listing {}", params.path.as_deref().map_or("files", shown::last_two))
}

fn list(computer: &Computer, params: &LsParams, stop: &Stop) -> Result<ToolOutput<FolderList>, ToolError> {
    let given = params.path.as_deref().unwrap_or(".");
    let refused = |message: String| {
        let details = FolderList { path: given.to_owned(), entries: 0, total: 0, truncated: false };
        Ok(ToolOutput::text(message).with_details(details))
    };
    let place = match computer.places().to_read(given, computer.workspace()) {
        Ok(place) => place,
        Err(error) => return refused(error.to_string()),
    };
    let folder = match place.open_folder() {
        Ok(folder) => folder,
        Err(error) if error.kind() == PathErrorKind::NotFound => {
            return refused(near::describe(&error, &place, computer.workspace()));
        }
        Err(error) => return refused(error.to_string()),
    };
    let unread = |error: rustix::io::Errno| ToolError::new(format!("`{given}` cannot be read: {error}"));
    let first = first(&folder, params.limit as usize, stop).map_err(unread)?;
    if first.stopped == Some(Stopped::Cancelled) {
        return Err(stop::cancelled());
    }
    if first.total == 0 {
        return refused(format!("`{given}` is an empty folder"));
    }
    let path = place.path();
    let mut rows = Rows::up_to(LIST);
    for entry in &first.entries {
        if !rows.push(&row(computer, &folder, &path, entry)) {
            break;
        }
    }
    let details = FolderList {
        path: given.to_owned(),
        entries: rows.len(),
        total: first.total,
        truncated: (rows.len() as u64) < first.total || first.stopped.is_some(),
    };
    let note = note(&first, rows.len(), params.limit);
    Ok(ToolOutput::text(rows.with_note(&note)).with_details(details))
}

/// The first entries of a folder.
struct First {
    entries: Vec<Entry>,
    /// How many there are in all.
    total: u64,
    /// Why there may be more.
    stopped: Option<Stopped>,
}

/// One entry, in the order of the list: by name without case.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    order: String,
    name: OsString,
    /// `None` where the folder does not tell.
    kind: Option<Kind>,
}

/// The first `most` entries. No more than these are kept, however many there are.
fn first(folder: &OwnedFd, most: usize, stop: &Stop) -> Result<First, rustix::io::Errno> {
    let mut kept = BinaryHeap::new();
    let (mut total, mut stopped) = (0, None);
    for entry in Dir::read_from(folder)? {
        let entry = entry?;
        let name = OsStr::from_bytes(entry.file_name().to_bytes());
        if name == "." || name == ".." {
            continue;
        }
        total += 1;
        let order = name.to_string_lossy().to_lowercase();
        kept.push(Entry { order, name: name.to_owned(), kind: Kind::from_type(entry.file_type()) });
        if kept.len() > most {
            kept.pop();
        }
        if total % STRETCH == 0
            && let Err(why) = stop.check()
        {
            stopped = Some(why);
            break;
        }
    }
    Ok(First { entries: kept.into_sorted_vec(), total, stopped })
}

fn row(computer: &Computer, folder: &OwnedFd, path: &Path, entry: &Entry) -> String {
    let kind = entry.kind.or_else(|| kind_of(folder, entry.name.as_os_str()).ok());
    let (mut row, note) = shown::name(&entry.name);
    let mut notes: Vec<&str> = note.into_iter().collect();
    match kind {
        Some(Kind::File) => {}
        Some(Kind::Folder) => row.to_mut().push('/'),
        Some(Kind::Link) => {
            let link = follow(computer, folder, path, &entry.name);
            if link.leads == Ok(Kind::Folder) {
                row.to_mut().push('/');
            }
            if let Some(target) = link.target {
                let (target, _) = shown::name(&target);
                row.to_mut().push_str(&format!(" -> {target}"));
            }
            notes.extend(link.leads.err());
        }
        Some(other) => notes.push(other.name()),
        None => notes.push("is gone again"),
    }
    if notes.is_empty() { row.into_owned() } else { format!("{row} ({})", notes.join(", ")) }
}

/// A link: what it says, and what it leads to, or why it leads nowhere.
struct Link {
    target: Option<OsString>,
    leads: Result<Kind, &'static str>,
}

fn follow(computer: &Computer, folder: &OwnedFd, path: &Path, name: &OsStr) -> Link {
    let target = rustix::fs::readlinkat(folder.as_fd(), name, Vec::new());
    let target = target.ok().map(|target| OsString::from_vec(target.into_bytes()));
    // Absolute, so that a `~` in it is a name.
    let full = target.as_ref().map(|target| path.join(target));
    let Some(full) = full.as_deref().and_then(Path::to_str) else {
        return Link { target, leads: Err("cannot be followed") };
    };
    let place = computer.places().to_read(full, path);
    let leads = place.and_then(|place| place.status()).map(|(kind, _)| kind);
    Link { target, leads: leads.map_err(|error| why(&error)) }
}

fn why(error: &PathError) -> &'static str {
    match error.kind() {
        PathErrorKind::NotFound => "leads nowhere",
        PathErrorKind::Outside => "leads outside",
        PathErrorKind::WrongType | PathErrorKind::Refused => "cannot be followed",
    }
}

fn note(first: &First, shown: usize, limit: u32) -> String {
    let number = |count: usize| shown::number(count as u64);
    let total = shown::counted(first.total, "entry", "entries");
    if first.stopped.is_some() {
        let seconds = PATIENCE.as_secs();
        return format!(
            "{} of more than {total}: reading was stopped after {seconds} seconds",
            number(shown)
        );
    }
    if shown as u64 == first.total {
        return total;
    }
    let of = format!("{} of {total}", number(shown));
    if shown < first.entries.len() {
        return format!("{of}: the list is full at {} characters; use `find` for the others", number(LIST));
    }
    let enough = u32::try_from(first.total).unwrap_or(MOST).min(MOST);
    if limit == MOST {
        format!("{of}, the most that one list has; use `find` for the others")
    } else {
        format!("{of}; call `ls` with limit {enough} for {}", if enough == MOST { "more" } else { "all" })
    }
}
