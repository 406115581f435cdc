//! What `tool-runtime` costs, beside the floors: see `tests/bench/run`.

mod growth;
mod guard;
mod tools;
mod turn;

use std::hint::black_box;
use std::process::ExitCode;

use bench_common::{ARGUMENTS, Bench, Form, NAP, PARALLEL, TARGET, TOOLS};
use tool_runtime::provider::responses::encode_tools;
use tool_runtime::{CancellationToken, DispatchOptions, Events, ToolCall, ToolSet, dispatch, worker_tool};

/// Sleep one millisecond.
#[worker_tool(read_only, parallel)]
async fn nap(
    /// Path of the file, relative to the workspace root.
    #[param]
    path: String,
    /// First line to return, counted from 1.
    #[param]
    #[schemars(range(min = 1))]
    offset: Option<u32>,
    /// Largest number of lines to return.
    #[param]
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<u32>,
) -> String {
    tokio::time::sleep(NAP).await;
    black_box((&path, offset, limit));
    String::from("ok")
}

fn main() -> ExitCode {
    if std::env::args().nth(1).as_deref() == Some("guard") {
        return guard::run();
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    runtime.block_on(run());
    ExitCode::SUCCESS
}

async fn run() {
    let bench = Bench::new("ours");
    let set = ToolSet::new(tools::all()).expect("no faults");
    assert_eq!(set.len(), TOOLS);

    bench.definitions(Form::Best, "kept set, encode_tools", || encode_tools(&set)).await;
    bench
        .definitions(Form::Documented, "tools![…], ToolSet::new, encode_tools", || {
            encode_tools(&ToolSet::new(tools::all()).expect("no faults"))
        })
        .await;
    bench.ready_values(|| encode_tools(&set)).await;

    bench
        .call(Form::Only, "set.call", async || {
            set.call(black_box(TARGET), black_box(ARGUMENTS)).await.expect("it works")
        })
        .await;

    let naps = ToolSet::new(tool_runtime::tools![nap]).expect("no faults");
    let options = DispatchOptions::new().limit(PARALLEL);
    let (events, cancel) = (Events::default(), CancellationToken::new());
    bench
        .parallel(Form::Only, "dispatch", async || {
            let calls = (0..PARALLEL).map(|id| ToolCall::new(id.to_string(), "nap", ARGUMENTS)).collect();
            dispatch(&naps, calls, &options, &events, &cancel).await
        })
        .await;

    if bench.is_timing() {
        growth::rows(&bench).await;
        turn::rows(&bench).await;
    }
}
