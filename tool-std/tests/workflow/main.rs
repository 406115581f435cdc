//! Workflows: programs, their replays, and what hostile ones come to.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

#[path = "../support/databases.rs"]
mod databases;
#[path = "../support/worker_process.rs"]
mod worker_process;

mod commands;
mod hostile;
mod hungry;
mod kills;
mod mission;
mod programs;
mod replays;
mod tasks;
mod tools;
mod world;

use serde_json::Value;
use tool_std::workflow::{CallOutcome, KnownCall, Program, Replay, Replayer, WorkflowLimits};

/// A program without arguments.
fn program(source: &str) -> Program {
    Program::new(source, None, 1, 1_000).unwrap()
}

/// Where the programs of these tests are replayed.
fn replayer() -> Replayer {
    Replayer::of_program(env!("CARGO_BIN_EXE_worker-tools"))
}

/// A replay as workers make it, in a process of its own.
fn apart(program: &Program, known: &[KnownCall], limits: &WorkflowLimits) -> Replay {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(replayer().replay(program, known, limits)).unwrap()
}

/// What a program does at first.
fn first(source: &str) -> Replay {
    apart(&program(source), &[], &WorkflowLimits::new())
}

/// The result of a program that calls nobody.
#[track_caller]
fn completed(source: &str) -> String {
    match first(source) {
        Replay::Completed(text) => text,
        other => panic!("{other:?}"),
    }
}

/// How a program fails.
#[track_caller]
fn failure(replay: Replay) -> (&'static str, String) {
    match replay {
        // For patterns.
        Replay::Failed(failure) => (failure.code.leak(), failure.sentence),
        other => panic!("{other:?}"),
    }
}

/// Runs a program to its end with agents that answer with `answer`; gives the prompts by stages, and the end.
fn run(program: &Program, answer: impl Fn(&str) -> Option<Value>) -> (Vec<Vec<String>>, Replay) {
    let (mut known, mut stages) = (Vec::<KnownCall>::new(), Vec::new());
    loop {
        match program.replay(&known, &WorkflowLimits::new()) {
            Replay::Pending { first, calls } => {
                assert_eq!(first, known.len());
                stages.push(calls.iter().map(|call| call.prompt.clone()).collect());
                known.extend(calls.iter().map(|call| {
                    KnownCall {
                        call: call.to_text(),
                        outcome: Some(
                            answer(&call.prompt)
                                .map_or(CallOutcome::Failed, |value| CallOutcome::Value(value.to_string())),
                        ),
                    }
                }));
            }
            end => return (stages, end),
        }
    }
}
