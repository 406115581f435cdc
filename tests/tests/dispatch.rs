//! What happens between the model's calls and the results that go back. Tests named `d_NN` are reported faults of other
//! software; the rest are the promises of the dispatcher.

use std::future::pending;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::{Barrier, Notify};
use tool_runtime::{
    ActivityPhase, AllowedCallers, CallError, Caller, CancellationToken, DispatchOptions, Event, EventKind,
    Events, ExecutionMode, Image, Interrupted, Namespace, Progress, ToolCall, ToolContext, ToolError,
    ToolOutput, ToolResult, ToolSet, ToolSpec, WorkerAgentTool, dispatch,
};

fn any_object() -> Value {
    json!({"type": "object", "properties": {}, "additionalProperties": true})
}

/// A parallel, read-only tool that does `work`.
fn tool<W, O>(
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
fn sequential<W, O>(
    name: &'static str,
    work: impl Fn(Value, ToolContext) -> W + Send + Sync + 'static,
) -> WorkerAgentTool
where
    W: Future<Output = O> + Send + 'static,
    O: tool_runtime::IntoToolOutput + 'static,
{
    ToolSpec::new(name, "Does something.").schema::<Value>(any_object()).execute(work)
}

fn echo(name: &'static str) -> WorkerAgentTool {
    tool(name, |arguments, _| async move { arguments["text"].as_str().unwrap_or("ok").to_owned() })
}

fn set(tools: Vec<WorkerAgentTool>) -> ToolSet {
    ToolSet::new(tools).unwrap()
}

fn calls(calls: &[(&str, &str, &str)]) -> Vec<ToolCall> {
    calls.iter().map(|(id, name, arguments)| ToolCall::new(*id, *name, *arguments)).collect()
}

async fn run(set: &ToolSet, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    run_until(&CancellationToken::new(), set, calls).await
}

async fn run_until(cancel: &CancellationToken, set: &ToolSet, calls: Vec<ToolCall>) -> Vec<ToolResult> {
    dispatch(set, calls, &DispatchOptions::new(), &Events::none(), cancel).await
}

/// Id, name and what the model reads, of each result.
fn told(results: &[ToolResult]) -> Vec<(&str, String)> {
    results.iter().map(|result| (&*result.call.id, result.model_text())).collect()
}

fn recorder() -> (Events, Arc<Mutex<Vec<Event>>>) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    (Events::to(move |event: &Event| sink.lock().unwrap().push(event.clone())), seen)
}

/// `call: label, phase` of each activity event.
fn rows(seen: &Mutex<Vec<Event>>) -> Vec<String> {
    let row = |event: &Event| match &event.kind {
        EventKind::Activity { call_id, label, phase, failure, .. } => {
            let failure = failure.map(|kind| format!(" ({kind})")).unwrap_or_default();
            Some(format!("{call_id}: {label}, {}{failure}", phase.as_str()))
        }
        _ => None,
    };
    seen.lock().unwrap().iter().filter_map(row).collect()
}

#[tokio::test]
async fn d_01_an_unknown_tool_is_answered_with_the_near_ones_and_its_sibling_runs() {
    let set = set(vec![echo("read_file"), echo("list")]);
    let results =
        run(&set, calls(&[("c1", "read_fil", r#"{"path":"a"}"#), ("c2", "read_file", r#"{"text":"b"}"#)]))
            .await;
    assert_eq!(
        told(&results),
        [
            (
                "c1",
                "error: no tool is named `read_fil` (did you mean `read_file`); the tools are `read_file`, `list`"
                    .to_owned()
            ),
            ("c2", "b".to_owned())
        ]
    );
    assert!(matches!(results[0].outcome, Err(CallError::UnknownTool { .. })));
}

#[test]
fn d_02_two_tools_with_one_name_are_refused_and_both_places_are_named() {
    let error = ToolSet::new(vec![echo("search"), echo("list"), echo("search")]).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the tools cannot be used:\n- `search`: two tools are named `search`: entries 1 and 3 of the list"
    );
}

#[tokio::test]
async fn d_03_a_joined_name_leads_to_one_tool_only() {
    let member = |namespace: &'static str, name: &'static str, says: &'static str| {
        ToolSpec::new(name, "Does something.")
            .namespace(Namespace::new(namespace, "A group."))
            .no_parameters()
            .execute(move |_, _| async move { says })
    };
    let set = set(vec![member("a", "b__c", "first"), member("a__b", "c", "second")]);
    let call = |namespace: &str, name: &str| ToolCall::new("", name, "{}").in_namespace(namespace);
    let results = run(&set, vec![call("a", "b__c"), call("a__b", "c")]).await;
    assert_eq!(results.iter().map(ToolResult::model_text).collect::<Vec<_>>(), ["first", "second"]);
    // Flat names, as a provider without namespaces gets them: one is numbered, none is taken apart.
    let results = run(&set, calls(&[("1", "a__b__c", "{}"), ("2", "a__b__c_2", "{}")])).await;
    assert_eq!(told(&results), [("1", "first".to_owned()), ("2", "second".to_owned())]);
}

#[tokio::test]
async fn d_05_one_failure_leaves_its_siblings_alone() {
    let fine = tool("fine", |_, _| async { tokio::task::yield_now().await });
    let bad = tool("bad", |_, _| async { Err::<String, _>(ToolError::new("broken")) });
    let results =
        run(&set(vec![fine, bad]), calls(&[("c1", "fine", ""), ("c2", "bad", ""), ("c3", "fine", "")])).await;
    let kinds: Vec<bool> = results.iter().map(ToolResult::is_error).collect();
    assert_eq!(kinds, [false, true, false]);
    assert_eq!(results[1].model_text(), "error: broken");
}

#[tokio::test(start_paused = true)]
async fn d_06_a_stalled_call_runs_out_of_its_own_time() {
    let stalled = ToolSpec::new("stalled", "Never returns.")
        .execution_mode(ExecutionMode::Parallel)
        .timeout(Duration::from_secs(1))
        .no_parameters()
        .execute(|_, _| pending::<String>());
    let results =
        run(&set(vec![echo("fine"), stalled]), calls(&[("c1", "fine", ""), ("c2", "stalled", "")])).await;
    assert_eq!(
        told(&results),
        [
            ("c1", "ok".to_owned()),
            (
                "c2",
                "error: the tool ran out of its time of 1s; it was stopped while it ran and may have had effects".to_owned()
            )
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn d_06_without_a_limit_an_abort_keeps_finished_results() {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let stalled = tool("stalled", move |_, _| {
        stop.cancel();
        pending::<String>()
    });
    let set = set(vec![echo("fine"), stalled]);
    let calls = calls(&[("c1", "fine", ""), ("c2", "stalled", "")]);
    let results = run_until(&cancel, &set, calls).await;
    assert!(matches!(results[1].outcome, Err(CallError::Cancelled(Interrupted::WhileRunning))));
    assert_eq!(results.len(), 2);
}

#[tokio::test(start_paused = true)]
async fn d_07_results_stand_in_call_order_and_events_come_as_calls_finish() {
    let nap = tool("nap", |arguments: Value, _| async move {
        tokio::time::sleep(Duration::from_millis(arguments["ms"].as_u64().unwrap())).await;
        arguments["text"].as_str().unwrap().to_owned()
    });
    let (events, seen) = recorder();
    let asked = calls(&[
        ("c1", "nap", r#"{"ms":30,"text":"one"}"#),
        ("c2", "nap", r#"{"ms":10,"text":"two"}"#),
        ("c3", "nap", r#"{"ms":20,"text":"three"}"#),
    ]);
    let results =
        dispatch(&set(vec![nap]), asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    assert_eq!(told(&results), [("c1", "one".into()), ("c2", "two".into()), ("c3", "three".into())]);
    let rows = rows(&seen);
    assert_eq!(rows[3..], ["c2: Nap, completed", "c3: Nap, completed", "c1: Nap, completed"]);
    let revisions: Vec<u64> = seen.lock().unwrap().iter().map(|event| event.revision).collect();
    assert_eq!(revisions, (1..=6).collect::<Vec<_>>());
}

#[tokio::test]
async fn d_08_long_output_is_cut_at_a_character_boundary() {
    let long = ToolSpec::new("long", "Says much.")
        .max_output(10)
        .no_parameters()
        .execute(|_, _| async { "aaaaaaaaaé…" });
    let results = run(&set(vec![long]), calls(&[("c", "long", "{}")])).await;
    assert_eq!(results[0].model_text(), "aaaaaaaaa\n[output cut: 5 of 14 bytes left out]");
}

#[tokio::test(start_paused = true)]
async fn d_09_every_call_is_answered_after_an_abort() {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let first = sequential("first", |_, _| async { "done" });
    let second = sequential("second", move |_, _| {
        stop.cancel();
        pending::<String>()
    });
    let set = set(vec![first, second]);
    let asked = calls(&[("c1", "first", "{}"), ("c2", "second", "{}"), ("c3", "first", "{}")]);
    let results = run_until(&cancel, &set, asked).await;
    assert_eq!(
        told(&results),
        [
            ("c1", "done".to_owned()),
            (
                "c2",
                "error: the call was aborted; it was stopped while it ran and may have had effects"
                    .to_owned()
            ),
            ("c3", "error: the call was aborted; it was not started".to_owned()),
        ]
    );
}

#[tokio::test(start_paused = true)]
async fn d_10_an_abort_reaches_the_tool_before_it_writes() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("late");
    let target = file.clone();
    let write = sequential("write", move |_, _| {
        let target = target.clone();
        async move {
            tokio::time::sleep(Duration::from_secs(100)).await;
            std::fs::write(target, "late")
        }
    });
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let set = set(vec![write]);
    let (results, ()) = tokio::join!(run_until(&cancel, &set, calls(&[("c", "write", "")])), async move {
        tokio::time::sleep(Duration::from_millis(100)).await;
        stop.cancel();
    });
    assert!(matches!(results[0].outcome, Err(CallError::Cancelled(Interrupted::WhileRunning))));
    tokio::time::sleep(Duration::from_secs(200)).await;
    assert!(!file.exists());
}

#[tokio::test(start_paused = true)]
async fn d_10_a_tool_that_heeds_the_abort_keeps_what_it_returns_in_its_grace() {
    let heeds = sequential("heeds", |_, context: ToolContext| async move {
        context.cancellation().cancelled().await;
        "saved half"
    });
    let set = set(vec![heeds]);
    let running = CancellationToken::new();
    let stop = running.clone();
    let (results, ()) =
        tokio::join!(run_until(&running, &set, calls(&[("c", "heeds", "")])), async move { stop.cancel() });
    assert_eq!(results[0].model_text(), "saved half");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn d_10_blocking_work_that_cannot_be_stopped_is_reported_as_still_running() {
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let hold = Arc::new(Mutex::new(hold));
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let blocks = sequential("blocks", move |_, context: ToolContext| {
        let (hold, stop) = (Arc::clone(&hold), stop.clone());
        async move {
            context
                .run_blocking(move || {
                    stop.cancel();
                    hold.lock().unwrap().recv().ok();
                })
                .await
        }
    });
    let options = DispatchOptions::new().grace(Duration::from_millis(1));
    let set = set(vec![blocks]);
    let results = dispatch(&set, calls(&[("c", "blocks", "")]), &options, &Events::none(), &cancel).await;
    release.send(()).unwrap();
    assert!(matches!(results[0].outcome, Err(CallError::Cancelled(Interrupted::StillRunning))));
    assert_eq!(
        results[0].model_text(),
        "error: the call was aborted; it could not be stopped and still runs"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn d_10_a_task_that_blocks_its_thread_is_reported_as_still_running() {
    let (release, hold) = std::sync::mpsc::channel::<()>();
    let hold = Arc::new(Mutex::new(hold));
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let blocks = tool("blocks", move |_, _| {
        let (hold, stop) = (Arc::clone(&hold), stop.clone());
        async move {
            stop.cancel();
            hold.lock().unwrap().recv().ok();
        }
    });
    let options = DispatchOptions::new().grace(Duration::from_millis(5));
    let set = set(vec![blocks, echo("fine")]);
    let asked = calls(&[("c1", "fine", ""), ("c2", "blocks", "")]);
    let results = dispatch(&set, asked, &options, &Events::none(), &cancel).await;
    release.send(()).unwrap();
    assert_eq!(results.len(), 2);
    assert!(matches!(results[1].outcome, Err(CallError::Cancelled(Interrupted::StillRunning))));
}

#[tokio::test]
async fn d_11_two_calls_with_one_id_have_two_results() {
    let asked = calls(&[("x", "read", r#"{"text":"a"}"#), ("x", "read", r#"{"text":"b"}"#)]);
    let results = run(&set(vec![echo("read")]), asked).await;
    assert_eq!(told(&results), [("x", "a".to_owned()), ("x_2", "b".to_owned())]);
}

#[tokio::test]
async fn d_12_calls_without_an_id_get_fresh_ones() {
    let asked =
        calls(&[("", "read", r#"{"text":"a"}"#), ("", "read", r#"{"text":"b"}"#), (" ", "list", "{}")]);
    let results = run(&set(vec![echo("read"), echo("list")]), asked).await;
    assert_eq!(told(&results), [("call_1", "a".into()), ("call_2", "b".into()), ("call_3", "ok".into())]);
}

#[tokio::test]
async fn d_19_empty_output_is_said_to_the_model_and_stays_empty_for_the_host() {
    let results =
        run(&set(vec![tool("quiet", |_, _| async { Ok::<_, ToolError>("") })]), calls(&[("c", "quiet", "")]))
            .await;
    assert_eq!(results[0].model_text(), "(the tool finished without output)");
    assert_eq!(results[0].outcome.as_ref().unwrap().text(), "");
    assert!(!results[0].is_error());
}

/// Tools for d-21: `save` and `notify` run in a group, `finish` ends the turn.
fn terminating(mode: ExecutionMode) -> (ToolSet, Arc<AtomicUsize>) {
    let runs = Arc::new(AtomicUsize::new(0));
    let counted = |name: &'static str| {
        let runs = Arc::clone(&runs);
        ToolSpec::new(name, "Does something.").execution_mode(mode).schema::<Value>(any_object()).execute(
            move |_, _| {
                runs.fetch_add(1, Ordering::SeqCst);
                async { "ok" }
            },
        )
    };
    let schema = json!({"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]});
    let finish = ToolSpec::new("finish", "Ends the turn.")
        .execution_mode(mode)
        .schema::<Value>(schema)
        .execute(|_, _| async { ToolOutput::text("finished").ends_turn() });
    (set(vec![counted("save"), finish, counted("notify")]), runs)
}

#[tokio::test]
async fn d_21_a_parallel_group_with_a_terminating_call_runs_to_its_end_in_every_order() {
    let asked = [("c1", "save", "{}"), ("c2", "finish", r#"{"ok":true}"#), ("c3", "notify", "{}")];
    for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
        let (set, runs) = terminating(ExecutionMode::Parallel);
        let results = run(&set, calls(&order.map(|index| asked[index]))).await;
        assert_eq!(runs.load(Ordering::SeqCst), 2, "{order:?}");
        assert_eq!(results.iter().filter(|result| result.ends_turn()).count(), 1);
        assert!(results.iter().all(|result| !result.is_error()));
    }
}

#[tokio::test]
async fn d_21_calls_after_a_sequential_terminating_call_are_answered_as_not_started() {
    let (set, runs) = terminating(ExecutionMode::Sequential);
    let asked = calls(&[("c1", "save", "{}"), ("c2", "finish", r#"{"ok":true}"#), ("c3", "notify", "{}")]);
    let results = run(&set, asked).await;
    assert_eq!(runs.load(Ordering::SeqCst), 1);
    assert_eq!(
        results[2].model_text(),
        "error: the turn has ended with the call of `finish`, so this call was not started"
    );
}

#[tokio::test]
async fn d_21_a_terminating_call_with_wrong_arguments_ends_nothing() {
    let (set, runs) = terminating(ExecutionMode::Sequential);
    let asked = calls(&[("c1", "finish", r#"{"ok":"perhaps"}"#), ("c2", "save", "{}")]);
    let results = run(&set, asked).await;
    assert!(matches!(results[0].outcome, Err(CallError::Arguments { .. })), "{:?}", results[0].outcome);
    assert!(!results[1].is_error());
    assert_eq!(runs.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn d_25_a_deferred_tool_runs_only_after_it_was_loaded() {
    let delete = ToolSpec::new("delete", "Deletes a customer.")
        .namespace(Namespace::new("crm", "Customer records."))
        .defer_loading(true)
        .schema::<Value>(any_object())
        .execute(|_, _| async { "deleted" });
    let mut set = set(vec![delete]);
    let call = || vec![ToolCall::new("c1", "delete", r#"{"id":1}"#).in_namespace("crm")];
    let results = run(&set, call()).await;
    assert_eq!(
        results[0].model_text(),
        "error: the tool `crm.delete` is deferred and was not run: load it with tool search first, read its parameters, \
         then call it again"
    );
    assert_eq!((set.loaded().count(), set.deferred().count()), (0, 1));
    assert!(set.load(Some("crm"), "delete"));
    assert_eq!(run(&set, call()).await[0].model_text(), "deleted");
    assert_eq!((set.loaded().count(), set.deferred().count()), (1, 0));
}

#[tokio::test]
async fn neighbouring_parallel_calls_run_together_up_to_the_limit() {
    let running = Arc::new(AtomicUsize::new(0));
    let most = Arc::new(AtomicUsize::new(0));
    let meet = Arc::new(Barrier::new(3));
    let (gauge, peak) = (Arc::clone(&running), Arc::clone(&most));
    let meets = tool("meets", move |_, _| {
        let (gauge, peak, meet) = (Arc::clone(&gauge), Arc::clone(&peak), Arc::clone(&meet));
        async move {
            peak.fetch_max(gauge.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
            // Three at once, or nobody goes on.
            meet.wait().await;
            gauge.fetch_sub(1, Ordering::SeqCst);
        }
    });
    let asked = (0..9).map(|index| ToolCall::new(format!("c{index}"), "meets", "{}")).collect();
    let options = DispatchOptions::new().limit(3);
    let results =
        dispatch(&set(vec![meets]), asked, &options, &Events::none(), &CancellationToken::new()).await;
    assert_eq!((results.len(), most.load(Ordering::SeqCst)), (9, 3));
}

#[tokio::test]
async fn a_sequential_call_runs_alone_and_after_all_before_it() {
    let log = Arc::new(Mutex::new(Vec::new()));
    let logging = |name: &'static str, mode: ExecutionMode| {
        let log = Arc::clone(&log);
        ToolSpec::new(name, "Does something.").execution_mode(mode).schema::<Value>(any_object()).execute(
            move |_, context| {
                let log = Arc::clone(&log);
                async move {
                    log.lock().unwrap().push(format!("{} starts", context.call_id()));
                    for _ in 0..3 {
                        tokio::task::yield_now().await;
                    }
                    log.lock().unwrap().push(format!("{} ends", context.call_id()));
                }
            },
        )
    };
    let set =
        set(vec![logging("side", ExecutionMode::Parallel), logging("alone", ExecutionMode::Sequential)]);
    let asked = calls(&[
        ("p1", "side", ""),
        ("p2", "side", ""),
        ("s", "alone", ""),
        ("p3", "side", ""),
        ("p4", "side", ""),
    ]);
    run(&set, asked).await;
    let log = log.lock().unwrap();
    let at = |entry: &str| log.iter().position(|line| line == entry).unwrap();
    assert!(at("p2 starts") < at("p1 ends"), "neighbours overlap: {log:?}");
    assert_eq!(at("s starts"), 4, "{log:?}");
    assert_eq!(at("s ends"), 5, "{log:?}");
    assert!(at("p4 starts") < at("p3 ends"), "{log:?}");
}

#[tokio::test]
async fn d_08_what_a_failure_says_is_cut_like_output() {
    let spec = |name: &'static str| ToolSpec::new(name, "Does something.").max_output(10);
    let fails = spec("fails")
        .schema::<Value>(any_object())
        .execute(|_, _| async { Err::<String, _>(ToolError::new("aaaaaaaaaé…")) });
    let panics = spec("panics")
        .schema::<Value>(any_object())
        .execute(|_, _| async { if true { panic!("aaaaaaaaaé…") } else { "" } });
    let set = set(vec![fails, panics]);
    let results = run(&set, calls(&[("c1", "fails", ""), ("c2", "panics", "")])).await;
    let cut = "aaaaaaaaa\n[output cut: 5 of 14 bytes left out]";
    assert_eq!(
        told(&results),
        [
            ("c1", format!("error: {cut}")),
            ("c2", format!("error: the tool failed by a fault of its own (panic): {cut}")),
        ]
    );
    assert_eq!(set.call("fails", "").await.unwrap_err().to_string(), cut);
}

#[tokio::test]
async fn a_long_unknown_name_is_shown_shortened() {
    let set = set(vec![echo("read_file")]);
    let name = "read_file".repeat(100_000);
    let results = run(&set, calls(&[("c1", &name, "")])).await;
    let shown: String = name.chars().take(60).collect();
    let said = format!("error: no tool is named `{shown}…`; the tools are `read_file`");
    assert_eq!(told(&results), [("c1", said)]);
}

/// Panics when it is dropped.
struct PanicsAtTheEnd;

impl Drop for PanicsAtTheEnd {
    fn drop(&mut self) {
        panic!("at the end");
    }
}

#[tokio::test]
async fn a_thrown_value_that_panics_when_dropped_is_an_error_of_its_call() {
    let bad = tool("bad", |_, _| async { if true { std::panic::panic_any(PanicsAtTheEnd) } else { "" } });
    // A call that is alone has no task of its own that would catch it.
    let results = run(&set(vec![bad]), calls(&[("c1", "bad", "")])).await;
    let said = "error: the tool failed by a fault of its own (panic): no message".to_owned();
    assert_eq!(told(&results), [("c1", said)]);
}

#[tokio::test]
async fn a_panic_is_an_error_of_its_own_call() {
    let bad = tool("bad", |_, _| async { if true { panic!("index 7 of 3") } else { "" } });
    let at_once = tool("at_once", |_, _| -> std::future::Ready<String> { panic!("before the first await") });
    let set = set(vec![bad, at_once, echo("fine")]);
    let asked = calls(&[("c1", "bad", ""), ("c2", "fine", ""), ("c3", "at_once", ""), ("c4", "fine", "")]);
    let results = run(&set, asked).await;
    assert_eq!(
        told(&results),
        [
            ("c1", "error: the tool failed by a fault of its own (panic): index 7 of 3".to_owned()),
            ("c2", "ok".to_owned()),
            ("c3", "error: the tool failed by a fault of its own (panic): before the first await".to_owned()),
            ("c4", "ok".to_owned()),
        ]
    );
    assert!(matches!(set.call("bad", "{}").await, Err(CallError::Panicked(_))));
}

#[tokio::test]
async fn dropping_the_turn_stops_the_work() {
    struct Alive(Arc<AtomicUsize>);
    impl Drop for Alive {
        fn drop(&mut self) {
            self.0.fetch_sub(1, Ordering::SeqCst);
        }
    }
    let alive = Arc::new(AtomicUsize::new(0));
    let started = Arc::new(Notify::new());
    let (count, signal) = (Arc::clone(&alive), Arc::clone(&started));
    let hang = tool("hang", move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        let guard = Alive(Arc::clone(&count));
        let signal = Arc::clone(&signal);
        async move {
            signal.notify_one();
            pending::<()>().await;
            drop(guard);
        }
    });
    let set = set(vec![hang]);
    let asked = calls(&[("c1", "hang", ""), ("c2", "hang", "")]);
    let options = DispatchOptions::new();
    {
        let (events, cancel) = (Events::none(), CancellationToken::new());
        let turn = dispatch(&set, asked, &options, &events, &cancel);
        tokio::select! {
            _ = turn => unreachable!("the calls never return"),
            () = async { started.notified().await; started.notified().await } => {}
        }
    }
    while alive.load(Ordering::SeqCst) > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn the_parallel_wrapper_is_answered_once_with_its_childrens_results() {
    let wrapped = json!({"tool_uses": [
        {"recipient_name": "functions.read", "parameters": {"text": "one"}},
        {"recipient_name": "functions.fail", "parameters": {}},
        {"recipient_name": "functions.read", "parameters": {"text": "two"}},
    ]});
    let fail = tool("fail", |_, _| async { Err::<(), _>(ToolError::new("broken")) });
    let set = set(vec![echo("read"), fail]);
    for name in ["parallel", "multi_tool_use.parallel"] {
        let asked = vec![
            ToolCall::new("w", name, wrapped.to_string()),
            ToolCall::new("c", "read", r#"{"text":"three"}"#),
        ];
        let results = run(&set, asked).await;
        assert_eq!(told(&results), [("w", "one\nerror: broken\ntwo".to_owned()), ("c", "three".to_owned())]);
    }
}

#[tokio::test]
async fn a_wrapper_that_names_an_unknown_tool_runs_nothing() {
    let runs = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&runs);
    let set = set(vec![tool("read", move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        async {}
    })]);
    let uses = [
        json!([{"recipient_name": "functions.read", "parameters": {}}, {"recipient_name": "functions.rm", "parameters": {}}]),
        json!([{"recipient_name": "read", "parameters": {}}]),
        json!([{"recipient_name": "functions.read", "parameters": "{}"}]),
        json!([]),
    ];
    for uses in uses {
        let wrapped = json!({"tool_uses": uses}).to_string();
        let results = run(&set, vec![ToolCall::new("w", "parallel", wrapped)]).await;
        assert!(matches!(results[0].outcome, Err(CallError::UnknownTool { .. })), "{uses}");
    }
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn names_are_taken_as_models_are_known_to_spell_them() {
    let find = ToolSpec::new("find", "Finds a customer.")
        .namespace(Namespace::new("crm", "Customer records."))
        .no_parameters()
        .execute(|_, _| async { "found" });
    let set = set(vec![echo("read"), find]);
    for name in ["functions.read", "default_api.read", "default_api:read"] {
        assert_eq!(run(&set, calls(&[("c", name, "{}")])).await[0].model_text(), "ok", "{name}");
    }
    for name in ["crm.find", "crm__find", "functions.crm__find"] {
        assert_eq!(run(&set, calls(&[("c", name, "{}")])).await[0].model_text(), "found", "{name}");
    }
    for namespace in ["functions", "read", ""] {
        let call = ToolCall::new("c", "read", "{}").in_namespace(namespace);
        assert_eq!(run(&set, vec![call]).await[0].model_text(), "ok", "{namespace}");
    }
    for (namespace, name) in [(None, "find"), (Some("crm"), "read"), (Some("other"), "find"), (None, "READ")]
    {
        let mut call = ToolCall::new("c", name, "{}");
        call.namespace = namespace.map(str::to_owned);
        assert!(run(&set, vec![call]).await[0].is_error(), "{namespace:?} {name}");
    }
}

#[tokio::test]
async fn activity_rows_open_and_close_with_the_authors_labels() {
    let arguments = |text: &str| json!({"text": text}).to_string();
    let labelled = ToolSpec::new("labelled", "Says something.")
        .schema::<Value>(any_object())
        .completed_activity(|arguments: &Value, said: &Value| {
            format!("Said {} to {}", said["words"], arguments["text"])
        })
        .activity(|arguments: &Value| format!("Talking to {}", arguments["text"].as_str().unwrap()))
        .execute(|_, _| async { ToolOutput::text("hi").with_details(json!({"words": 1})) });
    let fails = ToolSpec::new("fails", "Fails.")
        .title("Failing on purpose")
        .no_parameters()
        .execute(|_, _| async { Err::<(), _>(ToolError::new("no")) });
    let hidden =
        ToolSpec::new("hidden", "Works unseen.").no_parameters().activity(|_| None).execute(|_, _| async {});
    let panics = ToolSpec::new("bad_label", "Has a label that panics.")
        .no_parameters()
        .activity(|_| -> Option<String> { panic!("label") })
        .execute(|_, _| async {});
    let (events, seen) = recorder();
    let set = set(vec![labelled, fails, hidden, panics]);
    let mut asked =
        calls(&[("2", "fails", "{}"), ("3", "hidden", "{}"), ("4", "bad_label", "{}"), ("5", "none", "{}")]);
    asked.insert(0, ToolCall::new("1", "labelled", arguments("Ada\nL.")));
    let results = dispatch(&set, asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    assert_eq!(
        rows(&seen),
        [
            "1: Talking to Ada L., running",
            "1: Said 1 to \"Ada\\nL.\", completed",
            "2: Failing on purpose, running",
            "2: Failing on purpose, failed (failed)",
            "4: Bad label, running",
            "4: Bad label, completed",
        ]
    );
    assert!(!results[3].is_error());
}

#[tokio::test]
async fn presentation_and_progress_reach_the_observer_and_never_the_model() {
    let plan = tool_runtime::PresentationEvent::new("plan.snapshot", json!({"items": []}));
    let shown = plan.clone();
    let todo = sequential("todo", move |_, context: ToolContext| {
        let plan = plan.clone();
        async move {
            context.progress(Progress::steps(1.0, 2.0));
            ToolOutput::text("done").present(plan).completes("event-7")
        }
    });
    let (events, seen) = recorder();
    let set = set(vec![todo]);
    let asked = calls(&[("c", "todo", "{}")]);
    let results = dispatch(&set, asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    let kinds: Vec<EventKind> = seen.lock().unwrap().iter().map(|event| event.kind.clone()).collect();
    assert_eq!(kinds[1], EventKind::Progress { call_id: "c".into(), progress: Progress::steps(1.0, 2.0) });
    assert_eq!(kinds[2], EventKind::Presentation { call_id: "c".into(), event: shown });
    assert!(matches!(&kinds[3], EventKind::Activity { phase: ActivityPhase::Completed, .. }));
    assert_eq!(results[0].model_text(), "done");
    assert_eq!(results[0].outcome.as_ref().unwrap().completes, ["event-7"]);
}

#[tokio::test]
async fn an_observer_that_panics_does_not_fail_the_call() {
    let events = Events::to(|_: &Event| panic!("observer"));
    let set = set(vec![echo("read")]);
    let asked = calls(&[("c", "read", "")]);
    let results = dispatch(&set, asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    assert!(!results[0].is_error());
}

#[tokio::test]
async fn callers_are_held_to_what_the_tool_allows() {
    let restricted = |name: &'static str, callers: AllowedCallers| {
        ToolSpec::new(name, "Does something.")
            .allowed_callers(callers)
            .no_parameters()
            .execute(|_, _| async { ToolOutput::text("ran").ends_turn() })
    };
    let set = set(vec![
        restricted("direct", AllowedCallers::Direct),
        restricted("program", AllowedCallers::Programmatic),
        restricted("any", AllowedCallers::Any),
    ]);
    let program = || Caller::Program { caller_id: "p".into() };
    let outcome = async |name: &str, caller: Caller| {
        run(&set, vec![ToolCall::new("c", name, "{}").by(caller)]).await.remove(0)
    };
    assert_eq!(
        outcome("direct", program()).await.model_text(),
        "error: the tool `direct` can only be called directly, not by a program"
    );
    assert_eq!(
        outcome("program", Caller::Direct).await.model_text(),
        "error: the tool `program` can only be called by a program, not directly"
    );
    assert!(outcome("direct", Caller::Direct).await.ends_turn());
    // A program goes on after its calls.
    assert!(!outcome("any", program()).await.ends_turn());
    assert!(!outcome("program", program()).await.is_error());
}

#[test]
fn a_set_lists_all_problems_of_all_tools() {
    let nothing = |spec: ToolSpec| spec.no_parameters().execute(|_, _| async {});
    let error = ToolSet::new(vec![
        nothing(ToolSpec::new("bad name", " ")),
        nothing(ToolSpec::new("both", "Is both.").read_only(true).destructive(true)),
        nothing(ToolSpec::new("x", "In a group.").namespace(Namespace::new("g", "One."))),
        nothing(ToolSpec::new("y", "In a group.").namespace(Namespace::new("g", "Two."))),
        nothing(ToolSpec::new("z", "Like its group.").namespace(Namespace::new("z", "Z."))),
        nothing(ToolSpec::new("now", "Has no time.").timeout(Duration::ZERO)),
        ToolSpec::new("list", "Takes a list.")
            .schema::<Value>(json!({"type": "array"}))
            .execute(|_, _| async {}),
    ])
    .unwrap_err();
    let tools: Vec<&str> = error.problems.iter().map(|problem| &*problem.tool).collect();
    assert_eq!(tools, ["bad name", "bad name", "both", "g.y", "z.z", "now", "list"], "{error}");
}

#[test]
fn an_empty_set_is_legal() {
    assert!(ToolSet::new(Vec::new()).unwrap().is_empty());
}

#[tokio::test]
async fn images_are_named_in_text_and_kept_as_parts() {
    let picture = tool("picture", |_, _| async {
        ToolOutput::text("a cat: ").with(Image::from_bytes("image/png", b"\x89PNG"))
    });
    let results = run(&set(vec![picture]), calls(&[("c", "picture", "")])).await;
    assert_eq!(results[0].model_text(), "a cat: [image, image/png]");
    assert_eq!(results[0].for_model().len(), 2);
}
