//! What rig costs, beside the floors: see `tests/bench/run`.

mod tools;

use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench, Form, PARALLEL, TARGET, TOOLS};
use futures_util::future::join_all;
use rig_agent::tool::server::ToolServer;
use rig_agent::tool::{ToolContext, ToolSet};
use rig_core::providers::openai::responses_api::ResponsesToolDefinition;
use rig_core::rig_tool;
use rig_core::tool::ToolExecutionError;

/// Sleep one millisecond.
#[rig_tool]
async fn nap(
    /// Path of the file, relative to the workspace root.
    path: String,
    /// First line to return, counted from 1.
    offset: Option<u32>,
    /// Largest number of lines to return.
    limit: Option<u32>,
) -> Result<String, ToolExecutionError> {
    tokio::time::sleep(bench_common::NAP).await;
    black_box((&path, offset, limit));
    Ok(String::from("ok"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("rig");
    let set = tools::all();
    assert_eq!(set.len(), TOOLS);
    let server = ToolServer::new().run();
    server.add_tools(set.clone());
    let catalog = set.catalog();

    bench
        .definitions(Form::Best, "kept catalog, definitions, to_string", || {
            serde_json::to_string(catalog.definitions()).expect("JSON")
        })
        .await;
    bench
        .definitions(Form::Documented, "static_tool_defs, to_string", || {
            serde_json::to_string(&server.static_tool_defs()).expect("JSON")
        })
        .await;
    bench
        .definitions(Form::Documented, "static_tool_defs, as OpenAI takes them, to_string", || {
            let definitions = server.static_tool_defs().into_iter().map(ResponsesToolDefinition::from);
            serde_json::to_string(&definitions.collect::<Vec<_>>()).expect("JSON")
        })
        .await;

    bench
        .call(Form::Best, "ToolSet::execute", async || {
            set.execute(black_box(TARGET), black_box(ARGUMENTS), &mut ToolContext::new()).await
        })
        .await;
    bench
        .call(Form::Documented, "ToolServerHandle::execute", async || {
            server.execute(black_box(TARGET), black_box(ARGUMENTS), &mut ToolContext::new()).await
        })
        .await;

    let mut naps = ToolSet::default();
    naps.add_tool(Nap);
    bench
        .parallel(Form::Only, "ToolSet::execute, joined by hand", async || {
            let call = async |_| naps.execute("nap", ARGUMENTS, &mut ToolContext::new()).await;
            join_all((0..PARALLEL).map(call)).await
        })
        .await;
}
