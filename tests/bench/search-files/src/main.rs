//! Compares `find` and `grep` with ripgrep (`rg`), query by query, on a tree of 50,000 files.
//!
//! Both answer each query in turn, many times over; the medians count. Ends with 1 if a tool takes more than twice the
//! time of `rg`, or finds another number:
//!
//! ```sh
//! cd tests/bench/search-files && cargo run --release
//! cd tests/bench/search-files && cargo run --release -- 'a rare word' 'files by a glob'
//! ```

mod tree;

use std::path::Path;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tokio::runtime::Runtime;
use tool_runtime::ToolSet;
use tool_std::computer::{Computer, computer_tools};

const FILES: usize = 50_000;
const ROUNDS: usize = 15;

/// A question to both.
struct Query {
    what: &'static str,
    tool: &'static str,
    arguments: Value,
    /// The commands whose last one prints a line for each file or line that is found.
    rg: &'static str,
}

fn queries() -> Vec<Query> {
    let query = |what, tool, arguments, rg| Query { what, tool, arguments, rg };
    vec![
        query("all files", "find", json!({"limit": 100}), "rg --files"),
        query("files by a glob", "find", json!({"pattern": "*.rs"}), "rg --files -g '*.rs'"),
        query("files by a word", "find", json!({"pattern": "controller"}), "rg --files | rg controller"),
        query(
            "files by letters",
            "find",
            json!({"pattern": "cntrlr"}),
            "rg --files | rg -i 'c[^/]*n[^/]*t[^/]*r[^/]*l[^/]*r'",
        ),
        query("a rare word", "grep", json!({"pattern": "quicksilver", "limit": 50}), "rg -n quicksilver"),
        query("a frequent word", "grep", json!({"pattern": "return", "limit": 50}), "rg -n return"),
        query("in any case", "grep", json!({"pattern": "Return", "caseSensitive": false}), "rg -n -i return"),
        query("an expression", "grep", json!({"pattern": r"fn \w+_index\("}), r"rg -n 'fn \w+_index\('"),
        query("no literal", "grep", json!({"pattern": r"[0-9]{5}"}), r"rg -n '[0-9]{5}'"),
        query(
            "with lines around",
            "grep",
            json!({"pattern": "quicksilver", "context": 3}),
            "rg -n -C 3 quicksilver | rg ':.*quicksilver'",
        ),
        query("in one folder", "grep", json!({"pattern": "return", "path": "d07"}), "rg -n return d07"),
    ]
}

fn main() -> ExitCode {
    let folder = tempfile::tempdir().expect("a folder");
    let made = tree::make(folder.path(), FILES);
    println!(
        "{FILES} files, {} MB, {} threads\n",
        made >> 20,
        std::thread::available_parallelism().map_or(1, usize::from)
    );
    let computer = Computer::new(folder.path()).expect("a computer");
    let set = ToolSet::new(computer_tools(&computer)).expect("tools");
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
    println!("{:<20} {:>8} {:>10} {:>10} {:>6}", "query", "found", "tool", "rg", "times");
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let is_good = queries()
        .iter()
        .filter(|query| wanted.is_empty() || wanted.iter().any(|what| what == query.what))
        .fold(true, |is_good, query| compare(query, &set, &runtime, folder.path()) && is_good);
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(query: &Query, set: &ToolSet, runtime: &Runtime, folder: &Path) -> bool {
    let (mut of_tool, mut of_rg) = (Vec::new(), Vec::new());
    let (mut found, mut expected) = (0, 0);
    for _ in 0..ROUNDS {
        let (time, lines) = timed(|| ask_tool(query, set, runtime));
        of_tool.push(time);
        found = lines;
        let (time, lines) = timed(|| ask_rg(query, folder));
        of_rg.push(time);
        expected = lines;
    }
    let (tool, rg) = (median(of_tool), median(of_rg));
    let times = tool.as_secs_f64() / rg.as_secs_f64();
    // Letters may lie in several parts of a path, which the expression does not say.
    let same = found == expected || query.what == "files by letters";
    let verdict = match (same, times <= 2.0) {
        (false, _) => format!("rg finds {expected}"),
        (_, false) => "too slow".to_owned(),
        _ => String::new(),
    };
    println!("{:<20} {found:>8} {tool:>10.1?} {rg:>10.1?} {times:>6.2} {verdict}", query.what);
    verdict.is_empty()
}

fn timed(work: impl FnOnce() -> u64) -> (Duration, u64) {
    let start = Instant::now();
    let found = work();
    (start.elapsed(), found)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ask_tool(query: &Query, set: &ToolSet, runtime: &Runtime) -> u64 {
    let output = runtime.block_on(set.call(query.tool, &query.arguments.to_string())).expect("an answer");
    let details: Value = output.details_as().expect("details");
    details["total_matched"].as_u64().expect("a number")
}

fn ask_rg(query: &Query, folder: &Path) -> u64 {
    let command = query.rg.replace("rg ", "rg --smart-case --no-require-git --no-messages --no-heading ");
    let output = Command::new("sh").args(["-c", &command]).current_dir(folder).output().expect("rg");
    output.stdout.iter().filter(|byte| **byte == b'\n').count() as u64
}
