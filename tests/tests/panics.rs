//! What the author's code and the host's throw stays where it was thrown, also if the thrown value panics when it is dropped.

use std::panic::panic_any;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};
use tests::latch::latch;
use tests::script::{ScriptedModel, calls, says};
use tool_runtime::{
    Agent, ApprovalRequest, CallError, CancellationToken, Decision, DispatchOptions, Event, EventKind,
    Events, ExecutionMode, Interrupted, ToolCall, ToolResult, ToolSet, ToolSpec, WorkerAgentTool, dispatch,
};

/// Panics when it is dropped.
struct Bomb;

impl Drop for Bomb {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

fn throw() -> ! {
    panic_any(Bomb)
}

fn spec(name: &'static str) -> ToolSpec {
    ToolSpec::new(name, "Does it.").execution_mode(ExecutionMode::Parallel).read_only(true)
}

fn fine() -> WorkerAgentTool {
    spec("fine").no_parameters().execute(|_, _| async { "fine" })
}

async fn run(tools: Vec<WorkerAgentTool>, names: &[&str], events: &Events) -> Vec<ToolResult> {
    let set = ToolSet::new(tools).unwrap();
    let calls =
        names.iter().enumerate().map(|(at, name)| ToolCall::new(format!("c{at}"), *name, "{}")).collect();
    dispatch(&set, calls, &DispatchOptions::new(), events, &CancellationToken::new()).await
}

/// Events, and the labels that they show.
fn labels() -> (Events, Arc<Mutex<Vec<String>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let events = Events::to(move |event: &Event| {
        if let EventKind::Activity { label, .. } = &event.kind {
            sink.lock().unwrap().push(label.clone());
        }
    });
    (events, seen)
}

#[tokio::test]
async fn of_a_label_leaves_the_generic_one() {
    let tool =
        spec("tool").no_parameters().activity(|_| -> String { throw() }).execute(|_, _| async { "done" });
    let (events, seen) = labels();
    let results = run(vec![tool], &["tool"], &events).await;
    assert_eq!(results[0].model_text(), "done");
    assert_eq!(*seen.lock().unwrap(), ["Tool", "Tool"]);
}

#[tokio::test]
async fn of_a_label_of_the_finished_call_leaves_the_first_one() {
    let schema = json!({"type": "object", "properties": {}});
    let tool = spec("tool").schema::<Value>(schema).activity(|_| "At work".to_owned());
    let tool = tool.completed_activity(|_, _: &()| -> String { throw() }).execute(|_, _| async { "done" });
    let (events, seen) = labels();
    let results = run(vec![tool], &["tool"], &events).await;
    assert_eq!(results[0].model_text(), "done");
    assert_eq!(*seen.lock().unwrap(), ["At work", "At work"]);
}

#[tokio::test]
async fn of_an_observer_disturbs_no_call() {
    let events = Events::to(|_: &Event| throw());
    let results = run(vec![fine()], &["fine", "fine"], &events).await;
    assert!(results.iter().all(|result| result.model_text() == "fine"));
}

#[tokio::test]
async fn of_an_observer_on_its_own_thread_loses_no_other_event() {
    let model = ScriptedModel::new([calls(&[("c1", "fine", "{}")]), says("done")]);
    let (sender, receiver) = std::sync::mpsc::channel();
    let thrown = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&thrown);
    let agent = Agent::new(model, vec![fine()]).unwrap().observer(move |event: &Event| {
        sender.send(event.revision).unwrap();
        count.fetch_add(1, Ordering::SeqCst);
        throw();
    });
    agent.run("go", &CancellationToken::new()).await.unwrap();
    // Until the observer is gone with its thread.
    let seen: Vec<u64> = receiver.iter().collect();
    assert!(seen.len() > 3, "{seen:?}");
    assert_eq!(seen, (1..=seen.len() as u64).collect::<Vec<_>>());
    assert_eq!(thrown.load(Ordering::SeqCst), seen.len());
}

#[tokio::test]
async fn of_a_tool_beside_others_is_its_own_error() {
    let bad = spec("bad").no_parameters().execute(|_, _| async { if true { throw() } else { "" } });
    let results = run(vec![bad, fine()], &["fine", "bad", "fine"], &Events::none()).await;
    assert!(matches!(&results[1].outcome, Err(CallError::Panicked(_))));
    assert!([0, 2].iter().all(|&at: &usize| results[at].model_text() == "fine"));
}

#[tokio::test]
async fn of_blocking_work_is_an_error_that_the_tool_sees() {
    let tool = spec("tool").no_parameters().execute(|_, cx| async move {
        let worked: Result<(), _> = cx.run_blocking(|| throw()).await;
        format!("seen: {}", worked.unwrap_err())
    });
    let results = run(vec![tool], &["tool"], &Events::none()).await;
    assert_eq!(results[0].model_text(), "seen: the blocking work of the tool panicked");
}

/// Parameters that panic when they are dropped.
#[derive(Deserialize)]
struct Trapped {}

impl Drop for Trapped {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

#[tokio::test]
async fn of_the_parameters_of_a_call_that_may_not_start_changes_nothing() {
    let schema = json!({"type": "object", "properties": {}});
    let tool = ToolSpec::new("tool", "Does it.").destructive(true).schema::<Trapped>(schema);
    let tool = tool.execute(|_, _| async { "done" });
    let model = ScriptedModel::new([calls(&[("c1", "tool", "{}")]), says("I see.")]);
    let agent = Agent::new(model, vec![tool]).unwrap();
    let agent = agent.approval(|_: &ApprovalRequest| Decision::Deny("not today".to_owned()));
    let outcome = agent.run("Do it.", &CancellationToken::new()).await.unwrap();
    assert!(
        matches!(&outcome.results[0].outcome, Err(CallError::Denied { reason, .. }) if reason == "not today")
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_the_parameters_of_a_call_that_waits_when_the_turn_is_cancelled_changes_nothing() {
    let (open, latch) = latch();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let blocks = spec("blocks").no_parameters().execute(move |_, _| {
        let (latch, stop) = (latch.clone(), stop.clone());
        async move {
            stop.cancel();
            latch.wait();
        }
    });
    let schema = json!({"type": "object", "properties": {}});
    let waits = spec("waits").schema::<Trapped>(schema).execute(|_, _| async { "done" });
    let set = ToolSet::new(vec![blocks, waits]).unwrap();
    let calls = ["blocks", "waits", "waits"].map(|name| ToolCall::new("", name, "{}")).to_vec();
    let options = DispatchOptions::new().limit(1).grace(Duration::from_millis(10));
    let results = dispatch(&set, calls, &options, &Events::none(), &cancel).await;
    drop(open);
    let interrupted: Vec<&CallError> =
        results.iter().filter_map(|result| result.outcome.as_ref().err()).collect();
    assert!(matches!(
        interrupted[..],
        [
            CallError::Cancelled(Interrupted::StillRunning),
            CallError::Cancelled(Interrupted::BeforeStart),
            CallError::Cancelled(Interrupted::BeforeStart),
        ]
    ));
}
