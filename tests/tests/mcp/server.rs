//! Our tools, served.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tool_runtime::mcp::{McpServer, definitions};
use tool_runtime::{
    Json, Namespace, Progress, ToolContext, ToolError, ToolOutput, ToolSet, WorkerAgentTool, tools,
    worker_tool,
};

use crate::raw::{Raw, text};

#[derive(Serialize, JsonSchema)]
struct Sum {
    sum: i64,
}

/// Adds up.
#[worker_tool(read_only, parallel, open_world = false, title = "Sum")]
async fn sum(
    #[param]
    #[schemars(length(min = 1))]
    numbers: Vec<i64>,
) -> Json<Sum> {
    Json(Sum { sum: numbers.iter().sum() })
}

/// Fails.
#[worker_tool(idempotent, destructive = false)]
async fn fail() -> Result<String, ToolError> {
    Err(ToolError::new("disk full"))
}

/// Panics.
#[worker_tool]
async fn panics() -> String {
    panic!("a fault of the tool")
}

/// Waits until it is cancelled.
#[worker_tool(read_only, parallel)]
async fn wait(#[state] saw: Arc<Notify>, #[state] started: Arc<Notify>, cx: ToolContext) -> String {
    started.notify_one();
    cx.cancellation().cancelled().await;
    saw.notify_one();
    "stopped".to_owned()
}

/// Reports.
#[worker_tool(read_only, parallel)]
async fn report(cx: ToolContext) -> String {
    for step in [1.0, 2.0, 1.0, 3.0] {
        cx.progress(Progress::steps(step, 3.0));
        tokio::task::yield_now().await;
    }
    "done".to_owned()
}

/// Counts the calls of its connection.
#[worker_tool]
async fn counter(#[state] calls: Arc<AtomicUsize>) -> String {
    (calls.fetch_add(1, Ordering::SeqCst) + 1).to_string()
}

const CRM: Namespace = Namespace::new("crm", "Customers.");

/// Finds a customer.
#[worker_tool(namespace = CRM, defer_loading, read_only)]
async fn find(#[param] name: String) -> String {
    name
}

/// Takes free text.
#[worker_tool(input = text(grammar = "start: /.+/", syntax = "lark"))]
async fn shout(text: String) -> String {
    text.to_uppercase()
}

fn server(tools: impl Fn() -> Vec<WorkerAgentTool> + Send + Sync + 'static) -> McpServer {
    McpServer::new("test", "1.2.3", move |_| tools()).unwrap()
}

#[tokio::test]
async fn the_list_keeps_the_order_and_carries_the_flags_and_schemas() {
    let server = server(|| tools![sum, fail, find, shout]);
    let mut client = Raw::connect(&server).await;
    let listed = client.ask("tools/list", json!({})).await;
    let tools = listed["result"]["tools"].as_array().unwrap();
    let names: Vec<_> = tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["sum", "fail", "crm__find", "shout"]);
    assert_eq!(tools[0]["title"], "Sum");
    assert_eq!(tools[0]["inputSchema"]["properties"]["numbers"]["minItems"], 1);
    assert_eq!(tools[0]["outputSchema"]["properties"]["sum"]["type"], "integer");
    let hints = |read_only, destructive, idempotent, open_world| json!({"readOnlyHint": read_only, "destructiveHint": destructive, "idempotentHint": idempotent, "openWorldHint": open_world});
    assert_eq!(tools[0]["annotations"], hints(true, false, false, false));
    assert_eq!(tools[1]["annotations"], hints(false, false, true, true));
    assert_eq!(tools[3]["annotations"], hints(false, true, false, true));
    assert_eq!(tools[3]["inputSchema"]["required"], json!(["input"]));
    assert_eq!(
        Value::from(definitions(&ToolSet::new(tools![sum, fail, find, shout]).unwrap())),
        listed["result"]["tools"]
    );
}

#[tokio::test]
async fn a_long_list_comes_in_pages_and_a_wrong_cursor_is_an_error() {
    let server = server(|| tools![sum, fail, find, shout, panics]).page_size(2);
    let mut client = Raw::connect(&server).await;
    let (mut names, mut params) = (Vec::new(), json!({}));
    loop {
        let page = client.ask("tools/list", params).await;
        let tools = page["result"]["tools"].as_array().unwrap();
        assert!(tools.len() <= 2);
        names.extend(tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()));
        match page["result"].get("nextCursor") {
            Some(cursor) => params = json!({"cursor": cursor}),
            None => break,
        }
    }
    assert_eq!(names, ["sum", "fail", "crm__find", "shout", "panics"]);
    for cursor in ["", "x", "0.99", "-1.0", "18446744073709551616.0"] {
        let answer = client.ask("tools/list", json!({"cursor": cursor})).await;
        assert_eq!(answer["error"]["code"], -32602, "{cursor}: {answer}");
    }
}

#[tokio::test]
async fn a_cursor_of_a_list_that_has_changed_is_refused() {
    let server = server(|| tools![sum, fail, find]).page_size(2);
    let mut client = Raw::connect(&server).await;
    let page = client.ask("tools/list", json!({})).await;
    server.tools_changed().notify();
    let next = client.ask("tools/list", json!({"cursor": page["result"]["nextCursor"]})).await;
    assert_eq!(next["error"]["code"], -32602);
}

#[tokio::test]
async fn results_are_structured_where_the_tool_says_how() {
    let server = server(|| tools![sum, report, find, shout]);
    let mut client = Raw::connect(&server).await;
    let answer = client.call("sum", json!({"numbers": [1, 2]})).await;
    assert_eq!(answer["result"]["structuredContent"], json!({"sum": 3}));
    assert_eq!(text(&answer), r#"{"sum":3}"#);
    assert_eq!(answer["result"]["isError"], false);
    let answer = client.call("report", json!({})).await;
    assert_eq!(answer["result"].get("structuredContent"), None);
    assert_eq!(text(&client.call("crm__find", json!({"name": "Ada"})).await), "Ada");
    assert_eq!(text(&client.call("shout", json!({"input": "hey"})).await), "HEY");
}

#[tokio::test]
async fn failures_are_error_results_and_only_an_unknown_name_is_an_error_of_the_protocol() {
    let server = server(|| tools![sum, fail, panics]);
    let mut client = Raw::connect(&server).await;
    let answer = client.call("fail", json!({})).await;
    assert_eq!((text(&answer), &answer["result"]["isError"]), ("disk full", &json!(true)));
    let answer = client.call("sum", json!({"numbers": []})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("`/numbers`"), "{answer}");
    let answer = client.call("panics", json!({})).await;
    assert!(text(&answer).contains("a fault of the tool"), "{answer}");
    let answer = client.call("sun", json!({})).await;
    assert_eq!(answer["error"]["code"], -32602);
    assert!(answer["error"]["message"].as_str().unwrap().contains("`sum`"), "{answer}");
    assert_eq!(client.call("sum", json!({"numbers": [4]})).await["result"]["structuredContent"]["sum"], 4);
}

#[tokio::test]
async fn progress_reaches_a_client_that_asked_for_it_and_rises() {
    let server = server(|| tools![report]);
    let mut client = Raw::connect(&server).await;
    let params = json!({"name": "report", "arguments": {}, "_meta": {"progressToken": "p1"}});
    let id = client.start("tools/call", params).await;
    let mut reports = Vec::new();
    loop {
        let message = client.next().await.unwrap();
        if message["id"] == id {
            break;
        }
        assert_eq!(message["method"], "notifications/progress");
        assert_eq!(message["params"]["progressToken"], "p1");
        assert_eq!(message["params"]["total"], 3.0);
        reports.push(message["params"]["progress"].as_f64().unwrap());
    }
    assert_eq!(reports.last(), Some(&3.0));
    assert!(reports.is_sorted_by(|a, b| a < b), "{reports:?}");
}

#[tokio::test]
async fn a_cancelled_request_stops_its_call_and_gets_no_answer() {
    let (saw, started) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (theirs, theirs_started) = (Arc::clone(&saw), Arc::clone(&started));
    let server = server(move || tools![wait(theirs.clone(), theirs_started.clone()), sum]);
    let mut client = Raw::connect(&server).await;
    let id = client.start("tools/call", json!({"name": "wait", "arguments": {}})).await;
    started.notified().await;
    client.tell("notifications/cancelled", json!({"requestId": id, "reason": "enough"})).await;
    saw.notified().await;
    // The answer to a later request comes, and none to the cancelled one before it.
    let later = client.start("tools/call", json!({"name": "sum", "arguments": {"numbers": [1]}})).await;
    assert_eq!(client.next().await.unwrap()["id"], later);
}

/// Is never seen beside another.
#[worker_tool]
async fn alone(#[state] running: Arc<AtomicUsize>) -> String {
    let before = running.fetch_add(1, Ordering::SeqCst);
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
    running.fetch_sub(1, Ordering::SeqCst);
    before.to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sequential_calls_of_a_connection_run_alone() {
    let running = Arc::new(AtomicUsize::new(0));
    let server = server(move || tools![alone(running.clone())]);
    let mut client = Raw::connect(&server).await;
    for _ in 0..50 {
        client.start("tools/call", json!({"name": "alone", "arguments": {}})).await;
    }
    for _ in 0..50 {
        let answer = client.next().await.unwrap();
        assert_eq!(text(&answer), "0");
    }
}

/// Meets another call of itself.
#[worker_tool(read_only, parallel)]
async fn meet(#[state] barrier: Arc<tokio::sync::Barrier>) -> String {
    barrier.wait().await;
    "met".to_owned()
}

#[tokio::test]
async fn parallel_calls_run_side_by_side() {
    let barrier = Arc::new(tokio::sync::Barrier::new(10));
    let server = server(move || tools![meet(barrier.clone())]);
    let mut client = Raw::connect(&server).await;
    for _ in 0..10 {
        client.start("tools/call", json!({"name": "meet", "arguments": {}})).await;
    }
    for _ in 0..10 {
        assert_eq!(text(&client.next().await.unwrap()), "met");
    }
}

#[tokio::test(start_paused = true)]
async fn a_call_past_the_servers_limit_is_stopped_and_says_so() {
    let (saw, started) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let theirs = Arc::clone(&saw);
    let server =
        server(move || tools![wait(theirs.clone(), started.clone())]).call_timeout(Duration::from_secs(5));
    let mut client = Raw::connect(&server).await;
    let answer = client.call("wait", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("longer than this server allows"), "{answer}");
    saw.notified().await;
}

/// Gives more than anyone wants.
#[worker_tool(max_output = 1_000_000)]
async fn large() -> ToolOutput<String> {
    ToolOutput::text("x".repeat(500_000)).with_details("y".repeat(500_000))
}

#[tokio::test]
async fn a_result_that_is_too_large_is_an_error_result() {
    let server = server(|| tools![large, sum]).max_message(300_000);
    let mut client = Raw::connect(&server).await;
    let answer = client.call("large", json!({})).await;
    assert_eq!(answer["result"]["isError"], true);
    assert!(text(&answer).contains("300000 bytes"), "{answer}");
    // A request that is too long is dropped; the connection lives on.
    client.start("tools/call", json!({"name": "sum", "arguments": {"numbers": vec![1; 200_000]}})).await;
    let answer = client.call("sum", json!({"numbers": [5]})).await;
    assert_eq!(answer["result"]["structuredContent"]["sum"], 5);
}

#[tokio::test]
async fn a_change_of_the_tools_is_told_and_seen() {
    let changed = Arc::new(AtomicUsize::new(0));
    let theirs = Arc::clone(&changed);
    let server = server(move || if theirs.load(Ordering::SeqCst) == 0 { tools![sum] } else { tools![fail] });
    let mut client = Raw::connect(&server).await;
    assert_eq!(client.ask("tools/list", json!({})).await["result"]["tools"][0]["name"], "sum");
    changed.store(1, Ordering::SeqCst);
    server.tools_changed().notify();
    assert_eq!(client.next().await.unwrap()["method"], "notifications/tools/list_changed");
    assert_eq!(client.ask("tools/list", json!({})).await["result"]["tools"][0]["name"], "fail");
    assert_eq!(client.call("sum", json!({"numbers": [1]})).await["error"]["code"], -32602);
}

#[tokio::test]
async fn each_connection_has_tools_of_its_own() {
    let server = McpServer::new("test", "1", |connection| {
        // A client that is not asked for yet is made tools too, to see whether they are a set.
        assert!(matches!(connection.client_name(), None | Some("raw")));
        tools![counter(Arc::default())]
    });
    let server = server.unwrap();
    let (mut one, mut two) = (Raw::connect(&server).await, Raw::connect(&server).await);
    assert_eq!(text(&one.call("counter", json!({})).await), "1");
    assert_eq!(text(&one.call("counter", json!({})).await), "2");
    assert_eq!(text(&two.call("counter", json!({})).await), "1");
}

#[tokio::test]
async fn tools_that_are_no_set_are_refused_at_the_start_and_answered_later() {
    let error = McpServer::new("test", "1", |_| tools![sum, sum()]).unwrap_err();
    assert!(error.to_string().contains("two tools are named `sum`"));
    let broken = Arc::new(AtomicUsize::new(0));
    let theirs = Arc::clone(&broken);
    let server = server(move || match theirs.load(Ordering::SeqCst) {
        0 => tools![sum],
        1 => tools![sum, sum()],
        _ => panic!("the maker fails"),
    });
    for (way, says) in [(1, "two tools are named `sum`"), (2, "panicked")] {
        let mut client = Raw::connect(&server).await;
        broken.store(way, Ordering::SeqCst);
        let answer = client.ask("tools/list", json!({})).await;
        assert_eq!(answer["error"]["code"], -32603);
        assert!(answer["error"]["message"].as_str().unwrap().contains(says), "{answer}");
        broken.store(0, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn stopping_the_server_stops_its_calls_and_closes_the_connection() {
    let (saw, started) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let (theirs, theirs_started) = (Arc::clone(&saw), Arc::clone(&started));
    let server = server(move || tools![wait(theirs.clone(), theirs_started.clone())]);
    let mut client = Raw::connect(&server).await;
    client.start("tools/call", json!({"name": "wait", "arguments": {}})).await;
    started.notified().await;
    client.stop.cancel();
    saw.notified().await;
    while client.next().await.is_some() {}
    client.serving.await.unwrap();
}

#[tokio::test]
async fn what_is_no_message_disturbs_nothing() {
    let server = server(|| tools![sum]);
    let mut client = Raw::connect(&server).await;
    for strange in [
        json!([]),
        json!("text"),
        json!({"jsonrpc": "2.0", "id": 90, "method": "tools/call", "params": {"name": 7}}),
        json!({"jsonrpc": "2.0", "id": 91, "method": "tools/call", "params": {"name": "sum", "arguments": "text"}}),
        json!({"jsonrpc": "2.0", "id": 92, "method": "no/such/method"}),
    ] {
        client.send(&strange).await;
    }
    let answer = client.call("sum", json!({"numbers": [6]})).await;
    assert_eq!(answer["result"]["structuredContent"]["sum"], 6);
}
