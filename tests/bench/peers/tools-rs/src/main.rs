//! What tools-rs costs, beside the floors: see `tests/bench/run`.

mod tools;

use std::hint::black_box;

use bench_common::{ARGUMENTS, Bench, Form, NAP, PARALLEL, TARGET, TOOLS};
use futures_util::future::join_all;
use tools_rs::{FunctionCall, ToolCollection, collect_tools, tool};

#[tool]
/// Sleep one millisecond.
async fn nap(path: String, offset: Option<u32>, limit: Option<u32>) -> String {
    tokio::time::sleep(NAP).await;
    black_box((&path, offset, limit));
    String::from("ok")
}

fn call(name: &str) -> FunctionCall {
    let arguments = serde_json::from_str(black_box(ARGUMENTS)).expect("JSON");
    FunctionCall::new(black_box(name).to_owned(), arguments)
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let bench = Bench::new("tools-rs");
    // It collects all tools of the program.
    let mut tools: ToolCollection = collect_tools();
    tools.unregister("nap").expect("it is there");
    assert_eq!(tools.iter().count(), TOOLS);

    bench
        .definitions(Form::Only, "json, to_string", || {
            serde_json::to_string(&tools.json().expect("JSON")).expect("JSON")
        })
        .await;

    bench
        .call(Form::Only, "from_str to a Value, call", async || {
            tools.call(call(TARGET)).await.expect("it works")
        })
        .await;

    let all: ToolCollection = collect_tools();
    bench
        .parallel(Form::Only, "call, joined by hand", async || {
            join_all((0..PARALLEL).map(|_| all.call(call("nap")))).await
        })
        .await;
}
