//! What llm-tool costs, beside the floors: see `tests/bench/run`.

mod tools;

use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench, Form, NAP, PARALLEL, TARGET, TOOLS};
use llm_tool::{
    BatchExecutionMode, BatchToolCallStr, OutputSanitization, ToolContext, ToolError, ToolRegistry, llm_tool,
};

/// Read a slice of a UTF-8 text file.
#[llm_tool(sanitization = "none")]
async fn raw(
    /// Path of the file, relative to the workspace root.
    path: String,
    /// First line to return, counted from 1.
    offset: Option<u32>,
    /// Largest number of lines to return.
    limit: Option<u32>,
) -> Result<String, ToolError> {
    black_box((&path, offset, limit));
    Ok(String::from("ok"))
}

/// Sleep one millisecond.
#[llm_tool]
async fn nap(
    /// Path of the file, relative to the workspace root.
    path: String,
    /// First line to return, counted from 1.
    offset: Option<u32>,
    /// Largest number of lines to return.
    limit: Option<u32>,
) -> Result<String, ToolError> {
    tokio::time::sleep(NAP).await;
    black_box((&path, offset, limit));
    Ok(String::from("ok"))
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("llm-tool");
    let registry = tools::all();
    assert_eq!(registry.len(), TOOLS);
    let context = ToolContext::new();

    bench
        .definitions(Form::Best, "kept registry, definitions_slice, to_string", || {
            serde_json::to_string(&*registry.definitions_slice()).expect("JSON")
        })
        .await;
    bench
        .definitions(Form::Documented, "kept registry, definitions, to_string", || {
            serde_json::to_string(&registry.definitions()).expect("JSON")
        })
        .await;
    bench
        .definitions(Form::Documented, "registry from nothing, definitions_slice, to_string", || {
            serde_json::to_string(&*tools::all().definitions_slice()).expect("JSON")
        })
        .await;

    bench
        .call(Form::Documented, "dispatch_str", async || {
            registry.dispatch_str(black_box(TARGET), black_box(ARGUMENTS), &context).await.expect("it works")
        })
        .await;
    bench
        .call(Form::Documented, "from_str to a Value, dispatch", async || {
            let arguments = serde_json::from_str(black_box(ARGUMENTS)).expect("JSON");
            registry.dispatch(black_box(TARGET), arguments, &context).await.expect("it works")
        })
        .await;
    let mut unsanitized = tools::all().with_output_floor(OutputSanitization::None);
    unsanitized.register(Raw);
    bench
        .call(Form::Best, "dispatch_str, output not sanitized", async || {
            unsanitized
                .dispatch_str(black_box("raw"), black_box(ARGUMENTS), &context)
                .await
                .expect("it works")
        })
        .await;

    let naps = ToolRegistry::new().with_tool(Nap);
    let call = |_| BatchToolCallStr { id: "x", name: "nap", arguments_json: ARGUMENTS };
    let calls: Vec<BatchToolCallStr> = (0..PARALLEL).map(call).collect();
    bench
        .parallel(Form::Only, "dispatch_batch_str", async || {
            naps.dispatch_batch_str(&calls, BatchExecutionMode::Parallel, &context).await
        })
        .await;
}
