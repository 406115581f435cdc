//! Row (d): the same work with many tools.

use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench};
use schemars::JsonSchema;
use serde::Deserialize;
use tool_runtime::provider::responses::encode_tools;
use tool_runtime::{ToolParams, ToolSet, ToolSpec, WorkerAgentTool};

/// From the second on each twice the one before, so that growth can be read off.
const COUNTS: [usize; 5] = [1_000, 1_250, 2_500, 5_000, 10_000];

#[derive(Deserialize, JsonSchema, ToolParams)]
struct Slice {
    /// Path of the file, relative to the workspace root.
    #[schemars(length(min = 1, max = 4096))]
    path: String,
    /// First line to return, counted from 1.
    #[schemars(range(min = 1))]
    offset: Option<u32>,
    /// Largest number of lines to return.
    #[schemars(range(min = 1, max = 2000))]
    limit: Option<u32>,
}

fn tool(number: usize) -> WorkerAgentTool {
    let about = format!("Read a slice of a UTF-8 text file (variant {number}).");
    let spec = ToolSpec::new(format!("tool_{number:05}"), about).read_only(true);
    spec.parameters::<Slice>().execute(|slice, _| async move {
        black_box((&slice.path, slice.offset, slice.limit));
        String::from("ok")
    })
}

pub(crate) async fn rows(bench: &Bench) {
    for count in COUNTS {
        let tools: Vec<WorkerAgentTool> = (0..count).map(tool).collect();
        let what = |what: &str| format!("{count} tools: {what}");
        let set = ToolSet::new(tools.clone()).expect("no faults");
        bench
            .many_definitions(&what("set and text"), || {
                encode_tools(&ToolSet::new(tools.clone()).expect("no faults"))
            })
            .await;
        bench.many_definitions(&what("text again"), || encode_tools(&set)).await;
        let name = format!("tool_{:05}", count / 2);
        bench
            .alone('d', &what("call"), async || {
                set.call(black_box(&name), ARGUMENTS).await.expect("it works")
            })
            .await;
    }
}
