//! What the tests of the dispatcher share: tools, a set, calls, and what came of them.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_runtime::{
    CancellationToken, DispatchOptions, Event, EventKind, Events, ExecutionMode, ToolCall, ToolContext,
    ToolResult, ToolSet, ToolSpec, WorkerAgentTool, dispatch,
};

pub(crate) fn any_object() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": true})
}

/// A parallel, read-only tool that does `work`.
pub(crate) fn tool<W, O>(
    name: &'static str,
    work: impl Fn(Value, ToolContext) -> W + Send + Sync + 'static,
) -> WorkerAgentTool
where
    W: Future<Output = O> + Send + 'static,
    O: tool_runtime::IntoToolOutput + 'static,
{
    let spec = ToolSpec::new(name, "Does something.").execution_mode(ExecutionMode::Parallel).read_only(true);
    spec.schema::<Value>(any_object()).execute(work)
}

/// A sequential tool that does `work`.
pub(crate) fn sequential<W, O>(
    name: &'static str,
    work: impl Fn(Value, ToolContext) -> W + Send + Sync + 'static,
) -> WorkerAgentTool
where
    W: Future<Output = O> + Send + 'static,
    O: tool_runtime::IntoToolOutput + 'static,
{
    ToolSpec::new(name, "Does something.").schema::<Value>(any_object()).execute(work)
}

pub(crate) fn echo(name: &'static str) -> WorkerAgentTool {
    tool(name, |arguments, _| async move { arguments["text"].as_str().unwrap_or("ok").to_owned() })
}

pub(crate) fn set(tools: Vec<WorkerAgentTool>) -> ToolSet {
    ToolSet::new(tools).unwrap()
}

pub(crate) fn calls(calls: &[(&str, &str, &str)]) -> Vec<ToolCall> {
    calls.iter().map(|(id, name, arguments)| ToolCall::new(*id, *name, *arguments)).collect()
}

pub(crate) async fn run(set: &ToolSet, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    run_until(&CancellationToken::new(), set, calls).await
}

pub(crate) async fn run_until(
    cancel: &CancellationToken,
    set: &ToolSet,
    calls: Vec<ToolCall>,
) -> Vec<ToolResult> {
    dispatch(set, calls, &DispatchOptions::new(), &Events::none(), cancel).await
}

/// Id, name and what the model reads, of each result.
pub(crate) fn told(results: &[ToolResult]) -> Vec<(&str, String)> {
    results.iter().map(|result| (&*result.call.id, result.model_text())).collect()
}

pub(crate) fn recorder() -> (Events, Arc<Mutex<Vec<Event>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    (Events::to(move |event: &Event| sink.lock().unwrap().push(event.clone())), seen)
}

/// `call: label, phase` of each activity event.
pub(crate) fn rows(seen: &Mutex<Vec<Event>>) -> Vec<String> {
    let row = |event: &Event| match &event.kind {
        EventKind::Activity { call_id, label, phase, failure, .. } => {
            let failure = failure.map(|kind| format!(" ({kind})")).unwrap_or_default();
            Some(format!("{call_id}: {label}, {}{failure}", phase.as_str()))
        }
        _ => None,
    };
    seen.lock().unwrap().iter().filter_map(row).collect()
}
