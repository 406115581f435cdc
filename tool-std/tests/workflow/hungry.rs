//! Random programs that fill their memory in many ways, and catch what comes of it. None of them harms the process
//! that asks, and each ends within its limits, with a sentence.
//!
//! CI runs a few. `HUNGRY=5000 cargo test -p tool-std --test workflow hungry -- --nocapture` runs so many and prints how they
//! ended; `HUNGRY_SEED` begins elsewhere.

mod grammar;

use std::collections::BTreeMap;
use std::time::Duration;

use tool_std::workflow::{Replay, WorkflowLimits};

use crate::{program, replayer};

/// What programs do that end in any other way than to run out of memory, of work or of time.
const ENDS: &[&str] =
    &["too_much_memory", "too_much_work", "too_long", "threw", "bad_result", "never_ends", "engine_failed"];

#[tokio::test(flavor = "multi_thread")]
async fn programs_that_fill_their_memory_end_with_a_sentence() {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (programs, first) = (number("HUNGRY").unwrap_or(60), number("HUNGRY_SEED").unwrap_or(1));
    let mut ended = BTreeMap::<String, usize>::new();
    for seed in first..first + programs {
        let (source, memory, stack) = grammar::program(seed);
        let limits = WorkflowLimits::new()
            .memory_bytes(memory)
            .stack_bytes(stack)
            .fuel(60)
            .replay_time(Duration::from_millis(400));
        let replay = replayer().replay(&program(&source), &[], &limits).await;
        let how = match replay {
            Ok(Replay::Failed(failure)) => {
                assert!(!failure.sentence.is_empty());
                assert!(ENDS.contains(&failure.code.as_str()), "HUNGRY_SEED={seed}: {failure:?}\n{source}");
                failure.code
            }
            Ok(Replay::Completed(_)) => "completed".to_owned(),
            other => panic!("HUNGRY_SEED={seed} HUNGRY=1: {other:?}\n{source}"),
        };
        *ended.entry(how).or_default() += 1;
    }
    println!("{programs} programs from {first}: {ended:?}");
    let ours = first_of_ours(&replayer()).await;
    assert_eq!(ours, Replay::Completed("well".to_owned()), "the next program is replayed as ever");
}

async fn first_of_ours(replayer: &tool_std::workflow::Replayer) -> Replay {
    replayer.replay(&program("return 'well'"), &[], &WorkflowLimits::new()).await.unwrap()
}
