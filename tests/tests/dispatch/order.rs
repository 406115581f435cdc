//! Which calls run together, which alone, and what ends the turn.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::sync::Barrier;
use tool_runtime::{
    CallError, CancellationToken, DispatchOptions, Events, ExecutionMode, ToolCall, ToolOutput, ToolSet,
    ToolSpec, dispatch,
};

use crate::world::{any_object, calls, recorder, rows, run, set, told, tool};

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
