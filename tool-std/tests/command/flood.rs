//! More output than anything can hold.

use std::fs;
use std::process::Command;

use serde_json::json;
use tool_std::computer::sandbox::SandboxChoice;

use crate::stage::{Ran, Stage, is_full_size, is_root};

/// The most memory that this program may have, in MiB, with all its tests at once.
const MOST: u64 = 60;

/// The most memory that this program had at once, in MiB.
fn peak() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
}

/// How much is written, in bytes, and as `head` wants it.
fn size() -> (u64, &'static str) {
    if is_full_size() { (10 << 30, "10G") } else { (24 << 20, "24M") }
}

/// Runs a command that writes without end, with the size in the place of `SIZE`, and tells the memory that it took.
async fn flood(what: &str, source: &str) -> Ran {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    let (bytes, size) = size();
    let before = peak();
    let command = source.replace("SIZE", size);
    let ran = stage.run_with(json!({"command": command, "timeout": 36_000})).await;
    let (after, millis) = (peak(), &ran.details["duration_ms"]);
    eprintln!("{what}: {bytes} bytes in {millis} ms; peak memory {before} MiB before, {after} MiB after");
    assert!(after < MOST, "{what}: {after} MiB");
    assert_eq!(ran.code(), 0);
    if let Some(log) = ran.details["full_output_path"].as_str() {
        let length = fs::metadata(log).unwrap().len();
        let is_whole = length <= bytes + 100 && length < 128 << 20;
        assert!(is_whole || ((128 << 20)..(128 << 20) + 100).contains(&length), "{length}");
        let says = if is_whole {
            " characters of the output are in `"
        } else {
            "the beginning of the output (128 MiB) is in `"
        };
        assert!(ran.text.contains(says), "{}", &ran.text[ran.text.len() - 300..]);
    }
    ran
}

/// Whether the result says that so many characters came.
fn says_total(ran: &Ran, total: u64) -> bool {
    ran.text.contains(&format!(" of {total} characters left out …]"))
}

#[tokio::test]
async fn lines_without_number() {
    let ran = flood("lines", "yes 'one more line' | head -c SIZE").await;
    assert!(says_total(&ran, size().0));
}

#[tokio::test]
async fn one_line_without_end() {
    let ran = flood("one line", "head -c SIZE /dev/zero | tr '\\0' x").await;
    assert!(says_total(&ran, size().0));
}

#[tokio::test]
async fn a_line_that_is_written_anew_without_end() {
    let ran = flood("a line written anew", "yes $'\\r50%' | tr -d '\\n' | head -c SIZE; echo").await;
    assert!(ran.output().len() < 10, "{}", ran.output().len());
}

#[tokio::test]
async fn a_sequence_without_end() {
    let ran =
        flood("a sequence", "printf '\\033]0;'; head -c SIZE /dev/zero | tr '\\0' x; echo; echo seen").await;
    let output = ran.output();
    assert!(output.contains("\nseen\n\n["), "{}", &output[output.len() - 300..]);
}

#[tokio::test]
async fn sequences_without_number() {
    let ran = flood("sequences", "yes $'\\033[31mred\\033[0m' | head -c SIZE").await;
    assert!(ran.output().starts_with("red\nred\n"));
}

#[tokio::test]
async fn what_is_no_text_at_all() {
    let ran = flood("no text", "head -c 8M /dev/urandom").await;
    assert!(ran.output().chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
}

#[tokio::test]
async fn a_full_disk_costs_the_log_and_not_the_result() {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    let small = stage.folder.path().join(".worker-tools");
    fs::create_dir(&small).unwrap();
    let mount = |program: &str, arguments: &[&str]| {
        Command::new(program).args(arguments).arg(&small).status().unwrap()
    };
    if !is_root() || !mount("mount", &["-t", "tmpfs", "-o", "size=100k", "tmpfs"]).success() {
        eprintln!("not tested, since no small disk can be mounted");
        return;
    }
    let ran = stage.run("seq 1 100000").await;
    let left = fs::read_dir(small.join("command-logs")).unwrap().count();
    assert!(mount("umount", &[]).success());
    assert!(
        ran.text.ends_with("[the whole output could not be saved: No space left on device (os error 28)]"),
        "{}",
        &ran.text[ran.text.len() - 300..]
    );
    assert!(ran.output().contains("\n99999\n100000\n"));
    assert!(ran.details.get("full_output_path").is_none());
    assert_eq!(left, 0);
}
