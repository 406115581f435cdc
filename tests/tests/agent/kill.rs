//! A turn with a file journal is killed at random moments and goes on: no recorded result is lost, and nothing is run twice
//! without saying so.
//!
//! `AGENT_KILLS=200 cargo test -p tests --test agent kill` kills more often.

use std::collections::HashMap;
use std::fs;
use std::hash::{BuildHasher, RandomState};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use tests::responses_rules::complaints;
use tests::script::results;
use tool_runtime::provider::responses::encode_input;
use tool_runtime::{FileJournal, Item};

fn start(folder: &Path) -> Child {
    Command::new(env!("CARGO_BIN_EXE_journal_child")).arg(folder).stdin(Stdio::null()).spawn().unwrap()
}

/// How often each effect happened.
fn effects(folder: &Path) -> HashMap<String, u32> {
    let text = fs::read_to_string(folder.join("effects")).unwrap_or_default();
    let mut counts = HashMap::new();
    for line in text.lines() {
        *counts.entry(line.to_owned()).or_default() += 1;
    }
    counts
}

fn journal_len(folder: &Path) -> u64 {
    fs::metadata(folder.join("journal.jsonl")).map_or(0, |data| data.len())
}

/// Kills the child once its journal has grown by about `growth` bytes. Gives whether it was done before.
fn kill_after(mut child: Child, folder: &Path, growth: u64) -> bool {
    let target = journal_len(folder) + growth;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            assert!(status.success(), "{status}");
            return true;
        }
        if journal_len(folder) >= target {
            child.kill().unwrap();
            child.wait().unwrap();
            return false;
        }
        std::thread::yield_now();
    }
}

#[test]
fn after_a_kill_no_recorded_result_is_lost_and_nothing_runs_twice_unsaid() {
    let kills: u32 = std::env::var("AGENT_KILLS").ok().and_then(|count| count.parse().ok()).unwrap_or(12);
    let random = RandomState::new();
    let mut done = 0;
    let mut folder = tempfile::tempdir().unwrap();
    let mut known: Vec<(String, String)> = Vec::new();
    for kill in 0..kills {
        let growth = random.hash_one(kill) % 6_000;
        let finished = kill_after(start(folder.path()), folder.path(), growth);
        let (journal, recovered) = FileJournal::open(folder.path().join("journal.jsonl")).unwrap();
        drop(journal);
        let told = results(&recovered.items);
        assert_eq!(complaints(&encode_input(&recovered.items)), Vec::<String>::new());
        // What was recovered before is still there, word for word.
        assert_eq!(told[..known.len()], known[..]);
        check_effects(folder.path(), &recovered.items, &recovered.may_have_run);
        // The next run begins with exactly this.
        known = told;
        if finished {
            assert_eq!(recovered.ended.as_deref(), Some("finished"));
            done += 1;
            folder = tempfile::tempdir().unwrap();
            known.clear();
        }
    }
    println!("{kills} kills, {done} turns that came to their end");
}

/// Every effect happened at most once; one that happened is answered as done, or as one that may have happened; one that is
/// answered as done happened.
fn check_effects(folder: &Path, items: &[Item], may_have_run: &[tool_runtime::CallSummary]) {
    let happened = effects(folder);
    for (call_id, text) in results(items) {
        let number = call_id.trim_start_matches("call_").to_owned();
        let times = happened.get(&number).copied().unwrap_or(0);
        assert!(times <= 1, "{call_id} ran {times} times");
        if text == format!("effect {number}") {
            assert_eq!(times, 1, "{call_id} is answered and did not run");
        } else if text.ends_with("it was not started") {
            assert_eq!(times, 0, "{call_id} ran, and its result says that it did not start");
        } else {
            assert!(text.contains("it may have run and had effects"), "{call_id}: {text}");
        }
    }
    let answered = results(items);
    for call in may_have_run {
        assert!(answered.iter().any(|(id, text)| *id == call.call_id && text.contains("may have run")));
    }
}
