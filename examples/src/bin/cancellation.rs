//! Cancellation: what ran, what may have had effects, what never started.
//!
//! `cargo run -p examples --bin cancellation`

use std::error::Error;
use std::time::Duration;

use examples::print_event;
use tool_runtime::{
    CallError, CancellationToken, DispatchOptions, Event, EventKind, Events, Interrupted, Progress, ToolCall,
    ToolContext, ToolResult, ToolSet, dispatch, tools, worker_tool,
};

/// Looks up one word; done at once.
#[worker_tool(read_only, parallel, activity = "Looking up")]
async fn look_up() -> &'static str {
    "found"
}

/// Downloads a file, and keeps what it has when it has to stop.
#[worker_tool(read_only, parallel, activity = "Downloading")]
async fn download(cx: ToolContext) -> &'static str {
    cx.cancellation().cancelled().await;
    cx.progress(Progress::message("told to stop; keeps what it has"));
    "the first half of the file"
}

/// Waits for a partner that never answers, and does not listen.
#[worker_tool(parallel, activity = "Waiting for the partner")]
async fn negotiate(cx: ToolContext) -> String {
    cx.progress(Progress::message("nobody answers"));
    std::future::pending().await
}

/// Sends a letter.
#[worker_tool(activity = "Sending the letter")]
async fn send_letter() -> &'static str {
    "sent"
}

/// What became of a call, from what its result says.
fn verdict(result: &ToolResult) -> &'static str {
    match &result.outcome {
        Ok(_) => "ran to its end",
        Err(CallError::Cancelled(Interrupted::BeforeStart)) => "did not start",
        Err(CallError::Cancelled(Interrupted::WhileRunning)) => "was stopped, may have had effects",
        Err(CallError::Cancelled(Interrupted::StillRunning)) => "could not be stopped",
        Err(_) => "failed",
    }
}

// One thread, so that the three parallel calls start in their order each time.
#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let set = ToolSet::new(tools![look_up, download, negotiate, send_letter])?;
    let calls = ["look_up", "download", "negotiate", "send_letter"];
    let calls = calls.iter().enumerate().map(|(at, name)| ToolCall::new(format!("call_{at}"), *name, "{}"));

    // A program would fire it on Ctrl-C: `tokio::spawn(async move { ctrl_c().await; cancel.cancel() })`. Here the person
    // loses patience when nobody answers.
    let cancel = CancellationToken::new();
    let patience = cancel.clone();
    let events = Events::to(move |event: &Event| {
        print_event(event);
        if matches!(&event.kind, EventKind::Progress { progress, .. } if progress.message.as_deref() == Some("nobody answers"))
        {
            println!("  ^C");
            patience.cancel();
        }
    });
    // How long a call may go on after that; one second unless said otherwise.
    let options = DispatchOptions::new().grace(Duration::from_millis(100));

    println!("While it runs");
    let results = dispatch(&set, calls.collect(), &options, &events, &cancel).await;

    println!("\nWhat became of each call");
    for result in &results {
        println!("  {:<12} {:<34} {}", result.call.name, verdict(result), result.model_text());
    }
    Ok(())
}
