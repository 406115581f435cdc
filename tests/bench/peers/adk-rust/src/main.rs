//! What adk-rust costs, beside the floors: see `tests/bench/run`.

mod tools;

use std::collections::HashMap;
use std::hint::black_box;
use std::sync::Arc;

use adk_tool::{AdkError, SimpleToolContext, Tool, ToolContext, tool};
use bench_common::{ARGUMENTS, Bench, Form, NAP, PARALLEL, TARGET, TOOLS};
use futures_util::future::join_all;
use serde_json::Value;

/// Sleep one millisecond.
#[tool]
async fn nap(args: tools::P000) -> Result<Value, AdkError> {
    tokio::time::sleep(NAP).await;
    black_box((&args.path, args.offset, args.limit));
    Ok(Value::String(String::from("ok")))
}

fn arguments() -> Value {
    serde_json::from_str(black_box(ARGUMENTS)).expect("JSON")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("adk-rust");
    let tools = tools::all();
    assert_eq!(tools.len(), TOOLS);

    bench
        .definitions(Form::Only, "declaration of each, to_string", || {
            let declarations: Vec<_> = tools.iter().map(|tool| tool.declaration()).collect();
            serde_json::to_string(&declarations).expect("JSON")
        })
        .await;

    // It has no call by name outside an agent.
    let by_name: HashMap<String, Arc<dyn Tool>> =
        tools.iter().map(|tool| (tool.name().to_string(), Arc::clone(tool))).collect();
    let context: Arc<dyn ToolContext> = Arc::new(SimpleToolContext::new("bench"));
    bench
        .call(Form::Only, "looked up by hand, from_str to a Value, execute", async || {
            by_name[black_box(TARGET)].execute(Arc::clone(&context), arguments()).await.expect("it works")
        })
        .await;

    bench
        .parallel(Form::Only, "execute, joined by hand", async || {
            join_all((0..PARALLEL).map(|_| Nap.execute(Arc::clone(&context), arguments()))).await
        })
        .await;
}
