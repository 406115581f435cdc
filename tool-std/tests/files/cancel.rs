//! Calls that are cancelled or dropped leave nothing behind.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tool_runtime::{
    CallError, CancellationToken, DispatchOptions, Event, EventKind, Events, Interrupted, ToolCall, ToolSet,
    dispatch,
};
use tool_std::computer::computer_tools;

use crate::size::size;
use crate::tree::Tree;

/// A tree that takes a while to walk, to search and to list.
fn large() -> Tree {
    let tree = Tree::new();
    let text = "a line without it\n".repeat(2_000);
    for file in 0..size(400, 5_000) {
        tree.write(format!("d{}/file-{file}.txt", file % 50), &text);
    }
    fs::write(tree.computer.user_files().unwrap().join("a.txt"), "").unwrap();
    tree.write("long.txt", "a line\n".repeat(1_000_000));
    tree
}

fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("read_file", json!({"path": "long.txt", "offset": 900_000})),
        ("find", json!({"pattern": "file"})),
        ("find", json!({"pattern": "nothing-like-that"})),
        ("grep", json!({"pattern": "line with it", "caseSensitive": true})),
        ("ls", json!({"path": "d1"})),
        ("reply_attachment", json!({"path": "~/files/a.txt"})),
    ]
}

/// What of the tree this process has open.
fn open_in(folder: &Path) -> usize {
    let open = fs::read_dir("/proc/self/fd").unwrap().filter_map(Result::ok);
    let targets = open.filter_map(|entry| fs::read_link(entry.path()).ok());
    // The computer itself keeps its folders open.
    targets.filter(|target| target.starts_with(folder) && target != folder).count()
}

async fn until_closed(tree: &Tree) {
    while open_in(tree.computer.workspace()) > 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn a_cancelled_call_has_one_result_and_ends() {
    let tree = large();
    let set = ToolSet::new(computer_tools(&tree.computer)).unwrap();
    for (tool, arguments) in calls() {
        let cancel = CancellationToken::new();
        let when_running = cancel.clone();
        let events = Events::to(move |event: &Event| {
            if matches!(event.kind, EventKind::Activity { .. }) {
                when_running.cancel();
            }
        });
        let call = ToolCall::new("call", tool, arguments.to_string());
        let results = dispatch(&set, vec![call], &DispatchOptions::new(), &events, &cancel).await;
        assert_eq!(results.len(), 1);
        // It was done in the end, or it was stopped; it never goes on behind our back.
        if let Err(error) = &results[0].outcome {
            let is_stopped =
                matches!(error, CallError::Cancelled(Interrupted::BeforeStart | Interrupted::WhileRunning));
            assert!(is_stopped, "{tool}: {error}");
        }
        until_closed(&tree).await;
    }
}

#[tokio::test]
async fn a_dropped_call_ends_at_every_await() {
    let tree = large();
    let set = Arc::new(ToolSet::new(computer_tools(&tree.computer)).unwrap());
    for (tool, arguments) in calls() {
        let arguments = arguments.to_string();
        for polls in 0.. {
            let mut call = Box::pin(set.call(tool, &arguments));
            let mut left = polls;
            // Gives up after so many polls, each when the call has something new.
            let ended = std::future::poll_fn(|context| {
                if left == 0 {
                    return std::task::Poll::Ready(None);
                }
                left -= 1;
                call.as_mut().poll(context).map(Some)
            })
            .await;
            drop(call);
            until_closed(&tree).await;
            if ended.is_some() {
                break;
            }
        }
    }
}
