//! A call that is cancelled, or whose future is dropped at any await, has applied its patch as a whole or not at all.

use std::future::Future;
use std::pin::pin;
use std::task::Poll;

use tool_runtime::{CancellationToken, DispatchOptions, Events, ToolCall, ToolSet, dispatch};

use crate::folder::{Folder, LockHolder, Snapshot, patch, snapshot};

const FILES: usize = 40;

fn folder() -> Folder {
    let folder = Folder::new();
    for n in 0..FILES {
        folder.write(&format!("f{n}"), "old\n");
    }
    folder
}

fn change() -> String {
    let update = |n: usize| match n % 3 {
        0 => format!("*** Update File: f{n}\n@@\n-old\n+new\n"),
        1 => format!("*** Update File: f{n}\n*** Move to: made/f{n}\n@@\n-old\n+new\n"),
        _ => format!("*** Delete File: f{n}\n*** Add File: added/f{n}\n+new\n"),
    };
    patch(&(0..FILES).map(update).collect::<String>())
}

/// Waits for work that nobody awaits any more: a patch waits for the one before it.
async fn settled(folder: &Folder) -> Snapshot {
    let call = folder.call(&patch("*** Delete File: missing\n")).await;
    assert!(call.model_text.contains("`missing` does not exist"), "{}", call.model_text);
    snapshot(&folder.path(""))
        .into_iter()
        .map(|(path, found)| (path.strip_prefix(folder.path("")).unwrap().to_path_buf(), found))
        .collect()
}

/// Polls a future at most this often, and drops it.
async fn polled<F: Future>(future: F, most: usize) -> Option<F::Output> {
    let mut future = pin!(future);
    let mut polls = 0;
    std::future::poll_fn(|context| {
        polls += 1;
        match future.as_mut().poll(context) {
            Poll::Ready(output) => Poll::Ready(Some(output)),
            Poll::Pending if polls >= most => Poll::Ready(None),
            Poll::Pending => Poll::Pending,
        }
    })
    .await
}

#[tokio::test]
async fn dropped_at_any_poll() {
    let (untouched, whole) = (settled(&folder()).await, {
        let folder = folder();
        folder.applied(&change()).await;
        settled(&folder).await
    });
    assert_ne!(untouched, whole);
    let mut finished = false;
    for most in 1.. {
        let folder = folder();
        // While another patch is at work it waits for its turn first.
        let other = patch("*** Delete File: missing\n");
        let mut first = Box::pin(folder.call(&other));
        let _started = std::future::poll_fn(|context| Poll::Ready(first.as_mut().poll(context))).await;
        let done = polled(folder.call(&change()), most).await;
        drop(first);
        let found = settled(&folder).await;
        assert!(found == untouched || found == whole, "dropped after {most} polls: {found:?}");
        if done.is_some() {
            assert_eq!(found, whole);
            finished = true;
            break;
        }
    }
    assert!(finished);
}

#[tokio::test]
async fn dropped_at_any_moment_of_its_work() {
    let untouched = settled(&folder()).await;
    let (mut none, mut all) = (0, 0);
    let mut done = false;
    for round in 0_usize.. {
        let folder = folder();
        let change = change();
        let mut call = Box::pin(folder.call(&change));
        // The work runs on a thread of its own; how far it comes until the drop depends on how much is done here.
        for _ in 0..round * 20 {
            done |= std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context).is_ready())).await;
            if done {
                break;
            }
            let _read = std::fs::read(folder.path("f0"));
        }
        drop(call);
        let found = settled(&folder).await;
        if found == untouched {
            none += 1;
            assert!(!done);
        } else {
            all += 1;
            assert!(!found.keys().any(|path| path.to_string_lossy().contains(".apply_patch")), "{found:?}");
            assert_eq!(found.values().filter(|(_, content)| content == b"old\n").count(), 0, "{found:?}");
            assert_eq!(found.values().filter(|(_, content)| content == b"new\n").count(), FILES, "{found:?}");
        }
        if done {
            break;
        }
    }
    eprintln!("dropped: {none} not applied, {all} applied as a whole");
}

#[tokio::test]
async fn cancelled_at_any_moment_of_its_work() {
    let untouched = settled(&folder()).await;
    let (mut none, mut all) = (0, 0);
    for round in 0.. {
        let folder = folder();
        let set = ToolSet::new(vec![folder.tool().clone()]).unwrap();
        let cancel = CancellationToken::new();
        let calls = vec![ToolCall::with_text("1", "apply_patch", change())];
        let (options, events) = (DispatchOptions::new(), Events::none());
        let mut turn = Box::pin(dispatch(&set, calls, &options, &events, &cancel));
        let mut results = None;
        for _ in 0..round * 20 {
            let polled = std::future::poll_fn(|context| Poll::Ready(turn.as_mut().poll(context))).await;
            if let Poll::Ready(done) = polled {
                results = Some(done);
                break;
            }
            let _read = std::fs::read(folder.path("f0"));
        }
        let done = results.is_some();
        cancel.cancel();
        let results = match results {
            Some(results) => results,
            None => turn.await,
        };
        let found = settled(&folder).await;
        if found == untouched {
            none += 1;
            assert!(results[0].is_error());
        } else {
            all += 1;
            assert_eq!(found.values().filter(|(_, content)| content == b"old\n").count(), 0, "{found:?}");
            assert_eq!(found.values().filter(|(_, content)| content == b"new\n").count(), FILES, "{found:?}");
        }
        if done {
            break;
        }
    }
    eprintln!("cancelled: {none} not applied, {all} applied as a whole");
}

#[tokio::test]
async fn a_call_that_is_dropped_before_its_files_are_exchanged_writes_nothing() {
    let folder = folder();
    let untouched = settled(&folder).await;
    let holder = LockHolder::start(&folder);
    let change = change();
    let mut call = Box::pin(folder.call(&change));
    // Until all is prepared and the call waits for the lock.
    while folder.left_over().len() < FILES {
        let polled = std::future::poll_fn(|context| Poll::Ready(call.as_mut().poll(context))).await;
        assert!(polled.is_pending());
    }
    drop(call);
    holder.stop();
    assert_eq!(settled(&folder).await, untouched);
}

#[tokio::test]
async fn a_call_that_is_cancelled_before_it_starts_writes_nothing() {
    let folder = folder();
    let untouched = settled(&folder).await;
    let set = ToolSet::new(vec![folder.tool().clone()]).unwrap();
    let cancel = CancellationToken::new();
    cancel.cancel();
    let call = ToolCall::with_text("1", "apply_patch", change());
    let results = dispatch(&set, vec![call], &DispatchOptions::new(), &Events::none(), &cancel).await;
    assert!(results[0].is_error());
    assert_eq!(settled(&folder).await, untouched);
}
