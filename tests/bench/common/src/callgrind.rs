//! Instructions of one run of a case, as callgrind counts them: the same on a busy machine.

use std::process::Command;

const FEW: u64 = 100;
const MANY: u64 = 1_100;

/// What many runs take without what few take. `case` is what this program runs again and again when it is called with it and
/// a number.
pub(crate) fn instructions(case: &[&str]) -> f64 {
    (collected(case, MANY) - collected(case, FEW)) / (MANY - FEW) as f64
}

fn collected(case: &[&str], times: u64) -> f64 {
    let program = std::env::current_exe().expect("the path of this program");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(case)
        .arg(times.to_string())
        .output()
        .expect("valgrind has to be installed");
    let log = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{log}");
    let collected = log.lines().find_map(|line| line.split("Collected : ").nth(1));
    collected.and_then(|count| count.trim().parse().ok()).unwrap_or_else(|| panic!("{log}"))
}
