//! What `#[worker_tool]` makes: arguments, labels, schemas and keys, at run time.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tool_runtime::testing::{TestCall, call};
use tool_runtime::{
    AllowedCallers, ExecutionMode, GrammarSyntax, Input, Json, Namespace, TextFormat, ToolContext, ToolError,
    ToolParams, ToolSet, ToolSpec, WorkerAgentTool, tools, worker_tool,
};

fn parameters(tool: &WorkerAgentTool) -> &Value {
    tool.definition().parameters().as_value()
}

fn text(call: &TestCall) -> String {
    assert!(call.outcome.is_ok(), "{}", call.text());
    call.text()
}

#[derive(Clone, Deserialize, JsonSchema, ToolParams)]
struct ReadFile {
    path: String,
    range: Option<Range>,
    tags: Vec<String>,
}

#[derive(Clone, Deserialize, JsonSchema)]
struct Range {
    start: u32,
}

#[derive(Serialize, JsonSchema)]
struct Page {
    lines: u32,
    title: Option<String>,
}

type Log = Arc<Mutex<Vec<String>>>;

/// Reads a page.
#[worker_tool(
    activity = "Reading {path} {{{tags}}}",
    completed_activity = "Read {details.lines} lines of {path}{details.title}"
)]
async fn read_page(
    #[state] log: Log,
    #[state] prefix: &'static str,
    params: ReadFile,
    cx: ToolContext,
) -> Result<Json<Page>, ToolError> {
    let start = params.range.map_or(0, |range| range.start);
    log.lock().unwrap().push(format!("{prefix}{} {start} {}", params.path, cx.call_id()));
    Ok(Json(Page { lines: 3, title: None }))
}

#[tokio::test]
async fn state_parameters_context_and_labels() {
    let log = Log::default();
    let tool = read_page(Arc::clone(&log), "/root/");
    let arguments = json!({"path": "a\nb", "range": {"start": 4}, "tags": ["x", "y"]});
    for _ in 0..2 {
        let call = call(&tool, arguments.clone()).await;
        assert_eq!(text(&call), r#"{"lines":3,"title":null}"#);
        assert_eq!(call.activity.as_deref(), Some("Reading a b {2}"));
        assert_eq!(call.completed_activity.as_deref(), Some("Read 3 lines of a b"));
    }
    assert_eq!(*log.lock().unwrap(), ["/root/a\nb 4 test_call", "/root/a\nb 4 test_call"]);
}

#[worker_tool(description = "Reads.", activity = label, completed_activity = completed_label)]
async fn read_by_functions(params: ReadFile) -> Json<Page> {
    Json(Page { lines: 2, title: Some(params.path) })
}

fn label(params: &ReadFile) -> Option<&str> {
    params.range.as_ref().map(|_| &*params.path)
}

fn completed_label(params: &ReadFile, page: &Page) -> String {
    assert_ne!(params.path, "panic", "a label that panics");
    format!("{} has {}", params.path, page.lines)
}

#[tokio::test]
async fn label_functions() {
    let tool = read_by_functions();
    let shown = call(&tool, json!({"path": "a", "range": {"start": 1}, "tags": []})).await;
    assert_eq!(shown.activity.as_deref(), Some("a"));
    assert_eq!(shown.completed_activity.as_deref(), Some("a has 2"));
    let hidden = call(&tool, json!({"path": "a", "tags": []})).await;
    assert_eq!((hidden.activity, hidden.completed_activity), (None, None));
    let panicked = call(&tool, json!({"path": "panic", "range": {"start": 1}, "tags": []})).await;
    assert_eq!(text(&panicked), r#"{"lines":2,"title":"panic"}"#);
    assert_eq!(panicked.completed_activity.as_deref(), Some("panic"));
}

/// Gives the call's id.
#[worker_tool(activity = none)]
async fn id(context: ToolContext) -> String {
    context.call_id().to_owned()
}

#[tokio::test]
async fn a_single_argument_may_be_the_context() {
    let call = call(&id(), json!({})).await;
    assert_eq!(text(&call), "test_call");
    assert_eq!(call.activity, None);
    assert_eq!(parameters(&id())["properties"], json!({}));
}

/// Runs code.
#[worker_tool(input = text, activity = "Running {code}")]
async fn run(code: String, _: ToolContext) -> String {
    code.to_uppercase()
}

#[tokio::test]
async fn free_text() {
    for arguments in [json!("1 + \"a\""), json!({"input": "1 + \"a\""})] {
        let call = call(&run(), arguments).await;
        assert_eq!(text(&call), "1 + \"A\"");
        assert_eq!(call.activity.as_deref(), Some("Running 1 + \"a\""));
    }
}

/// Takes what the schema allows.
#[worker_tool(schema = r#"{"type": "object", "properties": {"n": {"type": "integer"}}, "x-mine": 1}"#)]
async fn raw(arguments: Value) -> String {
    arguments.to_string()
}

#[tokio::test]
async fn a_raw_schema_is_kept_word_by_word() {
    let schema = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "x-mine": 1});
    assert_eq!(parameters(&raw()), &schema);
    assert_eq!(text(&call(&raw(), json!({"n": 3})).await), r#"{"n":3}"#);
}

#[test]
fn the_definition_is_made_once() {
    let (first, second) = (read_page(Log::default(), ""), read_page(Log::default(), "x"));
    assert!(std::ptr::eq(first.definition(), second.definition()));
}

const SUMS: Namespace = Namespace::new("sums", "Sums.");
const LIMIT: usize = 1_000;

#[worker_tool(
    name = "all-keys",
    description = concat!("Has ", "all."),
    title = "All",
    strict,
    namespace = SUMS,
    defer_loading,
    search_text = "every",
    parallel,
    read_only,
    destructive = false,
    idempotent,
    open_world = false,
    timeout = "1500ms",
    max_output = LIMIT,
    allowed_callers = [direct, programmatic]
)]
async fn all_keys(#[param] n: u32) -> Json<u32> {
    Json(n)
}

/// Has a grammar.
///
///   Two spaces stay.
#[worker_tool(input = text(grammar = GRAMMAR, syntax = "regex"), sequential, destructive, allowed_callers = programmatic)]
async fn grammar(_: String) {}

const GRAMMAR: &str = "a+";

#[test]
fn every_key_is_a_field_of_the_spec() {
    let expected = ToolSpec::new("all-keys", "Has all.")
        .title("All")
        .strict(true)
        .namespace(SUMS)
        .defer_loading(true)
        .search_text("every")
        .execution_mode(ExecutionMode::Parallel)
        .read_only(true)
        .destructive(false)
        .idempotent(true)
        .open_world(false)
        .timeout(Duration::from_millis(1500))
        .max_output(1_000)
        .output_schema(all_keys().spec().output_schema.clone().unwrap())
        .allowed_callers(AllowedCallers::Any);
    assert_eq!(*all_keys().spec(), expected);
    assert_eq!(expected.output_schema.unwrap()["type"], "integer");

    let format = TextFormat::Grammar { syntax: GrammarSyntax::Regex, definition: "a+".into() };
    let expected = ToolSpec::new("grammar", "Has a grammar.\n\n  Two spaces stay.")
        .input(Input::Text(format))
        .execution_mode(ExecutionMode::Sequential)
        .destructive(true)
        .allowed_callers(AllowedCallers::Programmatic);
    assert_eq!(*grammar().spec(), expected);
}

#[test]
fn without_keys_the_spec_is_the_default() {
    let expected = ToolSpec::new("plain", "Does nothing.");
    assert_eq!(*plain().spec(), expected);
}

/// Does nothing.
#[worker_tool]
async fn plain() {}

#[test]
fn a_set_takes_what_the_macros_make() {
    let set =
        ToolSet::new(tools![read_page(Log::default(), ""), read_by_functions, id, run, all_keys]).unwrap();
    assert_eq!(set.len(), 5);
}
