//! Reading a text file page by page.

use std::io;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use tool_runtime::{ToolContext, ToolError, ToolOutput, ToolParams, worker_tool};

use super::encoding::{self, Content};
use super::lines::{End, Line, Lines};
use super::places::{PathError, PathErrorKind};
use super::shown::{self, Rows};
use super::stop::{self, PATIENCE, Stop, Stopped};
use super::{Computer, near};

/// The most characters of a page.
const PAGE: usize = 100_000;
/// The most characters that are shown of a line, and the bytes that are kept of it: as many as they can take.
const SHOWN_OF_LINE: usize = 2_000;
const KEPT_OF_LINE: usize = 8 * 1024;
/// The most bytes of lines that are kept for a page: more characters than it can show.
const KEPT: usize = 4 * PAGE;
/// How far behind the page lines are counted, in bytes.
const COUNTED_AHEAD: u64 = 64 * 1024 * 1024;

/// Which page of which file.
#[derive(Deserialize, JsonSchema, ToolParams)]
pub(crate) struct ReadFileParams {
    /// The text file: absolute, from `~` on, or relative to `cwd`.
    #[schemars(length(min = 1))]
    path: String,
    /// The first line, counted from 1.
    #[schemars(range(min = 1))]
    #[serde(default = "first_line")]
    offset: u64,
    /// The most lines.
    #[schemars(range(min = 1, max = 2_000))]
    #[serde(default = "lines_of_page")]
    limit: u32,
    /// The folder that a relative `path` starts from. Otherwise it is the workspace.
    cwd: Option<String>,
    /// Another name of `cwd`, which counts if both are given.
    workdir: Option<String>,
}

fn first_line() -> u64 {
    1
}

fn lines_of_page() -> u32 {
    500
}

/// What [`read_file()`] found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct FilePage {
    /// The path as it was asked for.
    pub path: String,
    /// Whether there is such a file.
    pub found: bool,
    /// How many lines it has, as far as they were counted; 0 if it is no text.
    pub total_lines: u64,
    /// Whether `total_lines` is all of them. The rest of a very long file is not counted.
    pub counted_all: bool,
    /// Whether there is more of the file than the page shows.
    pub truncated: bool,
    /// The encoding, unless it is plain UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub encoding: Option<String>,
}

/// Reads a page of a text file. Each line comes as `number|text`.
///
/// Without `offset` it starts at the first line. If there is more, the last row says with which `offset` to go on. Long
/// lines are cut. Use `grep` to find a place in a long file.
#[worker_tool(parallel, read_only, open_world = false, max_output = 420_000, activity = reading)]
pub async fn read_file(
    #[state] computer: Computer,
    params: ReadFileParams,
    context: ToolContext,
) -> Result<ToolOutput<FilePage>, ToolError> {
    stop::run(&context, move |stop| read(&computer, &params, stop)).await
}

fn reading(params: &ReadFileParams) -> String {
    format!("Reading {}", shown::last_two(&params.path))
}

fn read(
    computer: &Computer,
    params: &ReadFileParams,
    stop: &Stop,
) -> Result<ToolOutput<FilePage>, ToolError> {
    let places = computer.places();
    let cwd = params.cwd.as_deref().or(params.workdir.as_deref());
    let base = places.base(cwd).map_err(PathError::into_tool_error)?;
    let place = match places.to_read(&params.path, &base) {
        Ok(place) => place,
        Err(error) if error.kind() == PathErrorKind::NotFound => {
            return Ok(not_found(params, error.to_string()));
        }
        Err(error) => return Err(error.into_tool_error()),
    };
    let file = match place.open_file() {
        Ok(file) => file,
        Err(error) if error.kind() == PathErrorKind::NotFound => {
            return Ok(not_found(params, near::describe(&error, &place, computer.workspace())));
        }
        Err(error) => return Err(error.into_tool_error()),
    };
    let failed = |error: io::Error| ToolError::new(format!("`{}` cannot be read: {error}", params.path));
    match encoding::content(file).map_err(failed)? {
        Content::Binary(what) => Ok(binary(params, &what)),
        Content::Text(stream) => {
            let mut lines = Lines::new(stream.bytes, stop);
            let page = page(&mut lines, params.offset, params.limit).map_err(failed)?;
            show(params, &page, stream.marked)
        }
    }
}

/// Lines of a file, and how many there are around them.
#[derive(Default)]
struct Page {
    /// Lines before the page.
    before: u64,
    lines: Vec<Line>,
    /// Lines behind `lines`.
    behind: u64,
    /// Whether the end of the file was not reached.
    is_open: bool,
    stopped: Option<Stopped>,
}

fn page(lines: &mut Lines<'_, impl io::Read>, offset: u64, limit: u32) -> io::Result<Page> {
    let mut page = Page::default();
    let passed = lines.pass(offset.saturating_sub(1), u64::MAX)?;
    page.before = passed.lines;
    if let End::Stopped(stopped) = passed.end {
        return Ok(Page { is_open: true, stopped: Some(stopped), ..page });
    }
    let mut kept = 0;
    while page.lines.len() < limit as usize && kept < KEPT {
        let Some(line) = lines.next(KEPT_OF_LINE)? else { return Ok(page) };
        kept += line.kept.len();
        page.stopped = line.stopped;
        page.lines.push(line);
        if page.stopped.is_some() {
            return Ok(Page { is_open: true, ..page });
        }
    }
    let passed = lines.pass(u64::MAX, COUNTED_AHEAD)?;
    page.behind = passed.lines;
    page.is_open = passed.end != End::Stream;
    Ok(page)
}

fn show(
    params: &ReadFileParams,
    page: &Page,
    marked: Option<&'static str>,
) -> Result<ToolOutput<FilePage>, ToolError> {
    if page.stopped == Some(Stopped::Cancelled) {
        return Err(stop::cancelled());
    }
    if let Some(at) = page.lines.iter().position(|line| line.kept.contains(&0)) {
        let line = shown::number(page.before + at as u64 + 1);
        return Ok(binary(params, &format!("line {line} holds NUL bytes")));
    }
    let (texts, encoding) = encoding::decode(&page.lines, marked);
    let mut rows = Rows::up_to(PAGE);
    for ((number, line), text) in (page.before + 1..).zip(&page.lines).zip(&texts) {
        if !rows.push(&row(number, line, text)) {
            break;
        }
    }
    let total = page.before + page.lines.len() as u64 + page.behind;
    let shown = rows.len() as u64;
    let mut note = note(params, shown, total, page);
    if let Some(encoding) = &encoding {
        note.push_str(&format!("; encoding: {encoding}"));
    }
    let details = FilePage {
        path: params.path.clone(),
        found: true,
        total_lines: total,
        counted_all: !page.is_open,
        truncated: page.is_open || page.before + shown < total,
        encoding,
    };
    Ok(ToolOutput::text(rows.with_note(&note)).with_details(details))
}

fn not_found(params: &ReadFileParams, message: String) -> ToolOutput<FilePage> {
    ToolOutput::text(message).with_details(FilePage {
        path: params.path.clone(),
        found: false,
        total_lines: 0,
        counted_all: true,
        truncated: false,
        encoding: None,
    })
}

fn binary(params: &ReadFileParams, what: &str) -> ToolOutput<FilePage> {
    let message = format!("`{}` is no text ({what}), so it is not shown", params.path);
    let details = FilePage { found: true, ..not_found(params, String::new()).details };
    ToolOutput::text(message).with_details(details)
}

fn row(number: u64, line: &Line, text: &str) -> String {
    let cut = shown::cut(text, SHOWN_OF_LINE);
    if cut.is_none() && line.stopped.is_none() {
        return format!("{number}|{text}");
    }
    let at_least = if line.stopped.is_some() { "at least " } else { "" };
    let bytes = shown::counted(line.len, "byte", "bytes");
    format!("{number}|{} … [line cut, it has {at_least}{bytes}]", cut.unwrap_or(text))
}

/// What stands below the rows.
fn note(params: &ReadFileParams, shown: u64, total: u64, page: &Page) -> String {
    let (offset, limit) = (params.offset, u64::from(params.limit));
    let lines = |count| shown::counted(count, "line", "lines");
    if page.stopped == Some(Stopped::OutOfTime) {
        let seconds = PATIENCE.as_secs();
        return format!(
            "the file was read for {seconds} seconds and not to its end: {} passed; what lies behind is out of reach",
            lines(total)
        );
    }
    let last = page.before + shown;
    match (shown, total) {
        (0, 0) => "the file is empty".to_owned(),
        (0, _) => format!("offset {} is past the end: the file has {}", shown::number(offset), lines(total)),
        _ if last == total && !page.is_open => format!("end of the file, which has {}", lines(total)),
        _ => {
            let at_least = if page.is_open { "at least " } else { "" };
            let full = if shown < limit {
                format!("; the page is full at {} characters", shown::number(PAGE as u64))
            } else {
                String::new()
            };
            format!(
                "lines {} to {} of {at_least}{}{full}; go on with offset {}",
                shown::number(page.before + 1),
                shown::number(last),
                shown::number(total),
                last + 1
            )
        }
    }
}
