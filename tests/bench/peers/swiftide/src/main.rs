//! What swiftide costs, beside the floors: see `tests/bench/run`.

mod tools;

use std::collections::HashMap;
use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench, Form, NAP, PARALLEL, TARGET, TOOLS};
use futures_util::future::join_all;
use swiftide::chat_completion::errors::ToolError;
use swiftide::chat_completion::{Tool, ToolCall, ToolOutput};
use swiftide::traits::AgentContext;

#[swiftide_macros::tool(
    description = "Sleep one millisecond.",
    param(name = "path", description = "Path of the file, relative to the workspace root."),
    param(name = "offset", description = "First line to return, counted from 1."),
    param(name = "limit", description = "Largest number of lines to return.")
)]
async fn nap(
    _context: &dyn AgentContext,
    path: &str,
    offset: &Option<u32>,
    limit: &Option<u32>,
) -> Result<ToolOutput, ToolError> {
    tokio::time::sleep(NAP).await;
    black_box((&path, offset, limit));
    Ok(ToolOutput::text("ok"))
}

fn call(name: &str) -> ToolCall {
    ToolCall::builder().id("x").name(name).args(ARGUMENTS).build().expect("a call")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("swiftide");
    let tools = tools::all();
    assert_eq!(tools.len(), TOOLS);

    bench
        .definitions(Form::Only, "tool_spec of each, to_string", || {
            let specs: Vec<_> = tools.iter().map(|tool| tool.tool_spec()).collect();
            serde_json::to_string(&specs).expect("JSON")
        })
        .await;

    // It has no call by name.
    let by_name: HashMap<String, &Box<dyn Tool>> =
        tools.iter().map(|tool| (tool.name().to_string(), tool)).collect();
    bench
        .call(Form::Only, "looked up by hand, ToolCall built, invoke", async || {
            let call = call(black_box(TARGET));
            by_name[call.name()].invoke(&(), &call).await.expect("it works")
        })
        .await;

    let nap = nap();
    let calls: Vec<ToolCall> = (0..PARALLEL).map(|_| call("nap")).collect();
    bench
        .parallel(Form::Only, "invoke, joined by hand", async || {
            join_all(calls.iter().map(|call| nap.invoke(&(), call))).await
        })
        .await;
}
