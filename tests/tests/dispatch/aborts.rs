//! Time limits, cancellation, and what is left behind.

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tests::latch::latch;
use tokio::sync::Notify;
use tool_runtime::{
    CallError, CancellationToken, DispatchOptions, Events, ExecutionMode, Interrupted, ToolContext, ToolSpec,
    dispatch,
};

use crate::world::{calls, echo, run, run_until, sequential, set, told, tool};

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
    let (open, latch) = latch();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let blocks = sequential("blocks", move |_, context: ToolContext| {
        let (latch, stop) = (latch.clone(), stop.clone());
        async move {
            context
                .run_blocking(move || {
                    stop.cancel();
                    latch.wait();
                })
                .await
        }
    });
    let options = DispatchOptions::new().grace(Duration::from_millis(1));
    let set = set(vec![blocks]);
    let results = dispatch(&set, calls(&[("c", "blocks", "")]), &options, &Events::none(), &cancel).await;
    drop(open);
    assert!(matches!(results[0].outcome, Err(CallError::Cancelled(Interrupted::StillRunning))));
    assert_eq!(
        results[0].model_text(),
        "error: the call was aborted; it could not be stopped and still runs"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn d_10_a_task_that_blocks_its_thread_is_reported_as_still_running() {
    let (open, latch) = latch();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let blocks = tool("blocks", move |_, _| {
        let (latch, stop) = (latch.clone(), stop.clone());
        async move {
            stop.cancel();
            latch.wait();
        }
    });
    let options = DispatchOptions::new().grace(Duration::from_millis(5));
    let set = set(vec![blocks, echo("fine")]);
    let asked = calls(&[("c1", "fine", ""), ("c2", "blocks", "")]);
    let results = dispatch(&set, asked, &options, &Events::none(), &cancel).await;
    drop(open);
    assert_eq!(results.len(), 2);
    assert!(matches!(results[1].outcome, Err(CallError::Cancelled(Interrupted::StillRunning))));
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
