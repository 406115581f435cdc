//! Each form of arguments and each key, together.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_runtime::{Json, Namespace, ToolContext, ToolError, ToolParams, WorkerAgentTool, tools, worker_tool};

#[derive(Clone, Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
    range: Range,
    lines: Option<u32>,
}

#[derive(Clone, Deserialize, JsonSchema)]
struct Range {
    start: u32,
}

#[derive(Serialize, JsonSchema)]
struct Page {
    lines: usize,
    title: Option<String>,
}

const FILES: Namespace = Namespace::new("files", "Files of the workspace.");
const ABOUT: &str = "Reads a file.";
const BYTES: usize = 1_000;

/// Reads a numbered page.
#[worker_tool(
    read_only,
    parallel,
    strict = false,
    title = "Read",
    namespace = FILES,
    defer_loading,
    search_text = concat!("open ", "file"),
    idempotent,
    open_world = false,
    destructive = false,
    timeout = "30s",
    max_output = BYTES,
    allowed_callers = [direct, programmatic],
    activity = "Reading {path} from {range.start} {{{lines}}}",
    completed_activity = "Read {details.lines} lines of {path}: {details.title}"
)]
async fn read_file(
    #[state] root: Arc<str>,
    #[state] _: (),
    params: ReadFile,
    cx: ToolContext,
) -> Result<Json<Page>, ToolError> {
    let _ = (root, params.range.start, cx.call_id());
    Ok(Json(Page { lines: 1, title: None }))
}

#[worker_tool(description = ABOUT, activity = label, completed_activity = completed_label, sequential, name = "read-2")]
async fn read_again(mut params: ReadFile) -> Json<Page> {
    params.path.clear();
    Json(Page { lines: 0, title: Some(params.path) })
}

fn label(params: &ReadFile) -> &str {
    &params.path
}

fn completed_label(params: &ReadFile, page: &Page) -> Option<String> {
    page.title.as_ref().map(|title| format!("{title} {}", params.path))
}

/// No arguments.
#[worker_tool(activity = none)]
async fn unit() {}

/// A context only.
#[worker_tool(activity = "Waiting", completed_activity = "Waited")]
async fn context(cx: ToolContext) -> String {
    cx.call_id().to_owned()
}

/// Inline.
#[worker_tool(function = plain_add, activity = "Adding {a} and {b}", completed_activity = "{details}")]
async fn add(
    #[state] base: i64,
    /// The first.
    #[param]
    #[schemars(range(min = 0))]
    a: i64,
    #[param]
    #[serde(default)]
    mut b: i64,
    _: ToolContext,
) -> Json<i64> {
    b += base;
    Json(a + b)
}

/// Raw.
#[worker_tool(schema = r#"{"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}}"#)]
async fn raw(arguments: Value, _cx: ToolContext) -> String {
    arguments.to_string()
}

/// Raw, computed.
#[worker_tool(schema = serde_json::json!({"type": "object"}))]
async fn raw_computed(arguments: Value) -> String {
    arguments.to_string()
}

/// Raw, inline.
#[worker_tool(schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}}}"#)]
async fn raw_inline(#[param] n: u8) -> u8 {
    n
}

/// Text.
#[worker_tool(input = text, activity = "Running {code}")]
async fn run(code: String) -> String {
    code
}

/// Text in a language.
#[worker_tool(input = text(grammar = "start: WORD", syntax = "lark"), allowed_callers = direct)]
async fn run_lark(#[state] again: bool, code: String, cx: ToolContext) -> String {
    format!("{again}{code}{}", cx.call_id())
}

fn main() {
    let optional = Some(1);
    let list: Vec<WorkerAgentTool> = tools![
        read_file(Arc::from("/"), ()),
        read_again,
        if optional.is_some() => unit,
        if let Some(base) = optional => add(base),
        if let Some(base) = optional && base > 3 => ..tools![context],
        #[cfg(not(test))]
        raw,
        ..vec![raw_inline(), raw_computed()],
        run,
        (run_lark(true)),
    ];
    assert_eq!(list.len(), 9);
    let _: Vec<WorkerAgentTool> = tools![];
    let empty = tools![];
    assert!(empty.is_empty());
    drop(plain_add(1, 2, 3, todo_context()));
    fn todo_context() -> ToolContext {
        std::process::exit(0)
    }
}
