//! The figures that CI keeps: instructions of definitions and calls beyond their floors, in `instructions.txt`.

use std::collections::BTreeMap;
use std::process::{Command, ExitCode};

use bench_common::Line;

const COMMITTED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/instructions.txt");
/// By how much a figure may grow.
const TOLERANCE: f64 = 0.1;
const UPDATE: &str = "UPDATE_EXPECT=1 bash tests/bench/guard";

/// Compares what is counted now with what is committed, or writes it there where `UPDATE_EXPECT` is set.
pub(crate) fn run() -> ExitCode {
    let counted = counted();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        let lines = counted.iter().map(|(case, count)| format!("{count:.0}\t{case}\n"));
        std::fs::write(COMMITTED, lines.collect::<String>()).expect("the figures can be written");
    }
    let committed = committed();
    let mut is_good = true;
    println!("instructions beyond the floor, and what is committed:");
    for (case, count) in &counted {
        let known = committed.get(case);
        let grows = known.is_none_or(|known| *count > known * (1.0 + TOLERANCE));
        let known = known.map_or_else(|| "nothing".to_owned(), |known| format!("{known:.0}"));
        println!("{count:>8.0} {known:>8} {case}{}", if grows { "  <- GREW" } else { "" });
        is_good &= !grows;
    }
    if let Some(gone) = committed.keys().find(|case| !counted.contains_key(*case)) {
        println!("`{gone}` is committed and was not counted");
        is_good = false;
    }
    if is_good {
        return ExitCode::SUCCESS;
    }
    println!("a figure grew by more than 10 %; if that is meant, commit what `{UPDATE}` writes");
    ExitCode::FAILURE
}

fn counted() -> BTreeMap<String, f64> {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new(program).arg("instructions").output().expect("this program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).expect("text");
    let lines = text.lines().map(|line| serde_json::from_str::<Line>(line).expect("a line"));
    let beyond = lines.filter_map(|line| Some((format!("({}) {}", line.row, line.what), line.instructions?)));
    beyond
        .filter(|(case, _)| !case.contains("floor"))
        .map(|(case, (work, floor))| (case, work - floor))
        .collect()
}

fn committed() -> BTreeMap<String, f64> {
    let text = std::fs::read_to_string(COMMITTED).unwrap_or_default();
    let figure = |line: &str| {
        let (count, case) = line.split_once('\t')?;
        Some((case.to_owned(), count.parse().ok()?))
    };
    text.lines().filter_map(figure).collect()
}
