//! Shared parts of the examples: what a person would see of a running turn, as lines of text.
//!
//! Each program in `src/bin` shows one thing, runs offline and needs no key:
//! `cargo run -p examples --bin first_tool`.

use tool_runtime::{ActivityPhase, Event, EventKind, ToolCall, ToolResult, WorkerAgentTool};

/// An observer: prints one line for each event that a person would want to see.
pub fn print_event(event: &Event) {
    match &event.kind {
        EventKind::Activity { label, phase, .. } => {
            let phase = match phase {
                ActivityPhase::Running => "running",
                ActivityPhase::Completed => "done",
                ActivityPhase::Failed => "failed",
                _ => "changed",
            };
            println!("  {phase:>8}  {label}");
        }
        EventKind::Progress { progress, .. } => {
            println!("  {:>8}  {}", "", progress.message.as_deref().unwrap_or("goes on"));
        }
        EventKind::Repaired { repairs, .. } => {
            let names: Vec<&str> = repairs.iter().map(|repair| repair.name).collect();
            println!("  {:>8}  {}", "repaired", names.join(", "));
        }
        _ => {}
    }
}

/// Prints what the model wrote for a call.
pub fn print_call(call: &ToolCall) {
    println!("  {}({})", call.display_name(), call.input.as_str());
}

/// Prints a call and what the model reads as its answer.
pub fn print_result(result: &ToolResult) {
    print_call(&result.call);
    for line in result.model_text().lines() {
        println!("    -> {line}");
    }
}

/// Prints the names of a turn's tools, in their order.
pub fn print_names<'a>(tools: impl IntoIterator<Item = &'a WorkerAgentTool>) {
    let names: Vec<_> = tools.into_iter().map(|tool| tool.spec().display_name()).collect();
    println!("  {}", if names.is_empty() { "none".to_owned() } else { names.join(", ") });
}
