//! How large an attack is, and what it may take.

use std::fs;

/// `small`, or `full` where `ATTACK=full` asks for it.
pub(crate) fn size(small: u64, full: u64) -> u64 {
    if is_full() { full } else { small }
}

pub(crate) fn is_full() -> bool {
    std::env::var("ATTACK").is_ok_and(|size| size == "full")
}

/// The most memory, in MiB, that this whole program may ever take, all of its tests together.
const MOST: u64 = 250;

/// Holds the program to its bound, and says what it took so far.
pub(crate) fn assert_little_memory(after: &str) {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let peak = peak.trim().trim_end_matches(" kB").parse::<u64>().unwrap() / 1024;
    println!("at most {peak} MiB after: {after}");
    assert!(peak < MOST, "{peak} MiB after: {after}");
}
