//! More output than anything can hold.

use std::fs;
use std::process::Command;

use serde_json::json;
use tool_std::computer::sandbox::SandboxChoice;

use crate::stage::{Stage, is_full_size, is_root};

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

async fn flood(what: &str, source: &str) -> (u64, String) {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    let (bytes, size) = size();
    let before = peak();
    let command = source.replace("SIZE", size);
    let ran = stage.run_with(json!({"command": command, "timeout": 3600})).await;
    let (after, millis) = (peak(), &ran.details["duration_ms"]);
    eprintln!("{what}: {bytes} bytes in {millis} ms; peak memory {before} MiB before, {after} MiB after");
    assert!(after < MOST, "{what}: {after} MiB");
    let log = ran.details["full_output_path"].as_str().unwrap();
    let length = fs::metadata(log).unwrap().len();
    assert!(length == bytes || ((128 << 20)..(128 << 20) + 100).contains(&length), "{length}");
    let says = if length == bytes {
        "characters of the output are in `"
    } else {
        "the beginning of the output (128 MiB) is in `"
    };
    assert!(ran.text.contains(says), "{}", &ran.text[ran.text.len() - 300..]);
    assert_eq!(ran.code(), 0);
    (bytes, ran.text)
}

#[tokio::test]
async fn lines_without_number() {
    let (bytes, text) = flood("lines", "yes 'one more line' | head -c SIZE").await;
    assert!(text.contains(&format!(" of {bytes} characters left out …]")), "{}", &text[20_000..20_200]);
}

#[tokio::test]
async fn one_line_without_end() {
    let (bytes, text) = flood("one line", "head -c SIZE /dev/zero | tr '\\0' x").await;
    assert!(text.contains(&format!(" of {bytes} characters left out …]")), "{}", &text[20_000..20_200]);
}

#[tokio::test]
async fn a_line_that_is_written_anew_without_end() {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    let ran = stage.run(&format!("yes $'\\r50%' | tr -d '\\n' | head -c {}; echo", size().1)).await;
    assert!(ran.output().len() < 10, "{}", ran.output().len());
    assert!(peak() < MOST);
}

#[tokio::test]
async fn sequences_without_end() {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    let ran = stage
        .run(&format!("printf '\\033]0;'; head -c {} /dev/zero | tr '\\0' x; echo; echo seen", size().1))
        .await;
    assert!(ran.output().contains("\nseen\n\n["), "{}", &ran.output()[49_000..]);
    assert!(peak() < MOST);
}

#[tokio::test]
async fn what_is_no_text_at_all() {
    let stage = Stage::new(SandboxChoice::None, |builder| builder);
    let ran = stage.run("head -c 20M /dev/urandom").await;
    assert!(ran.output().chars().all(|c| c == '\n' || c == '\t' || !c.is_control()));
    assert!(peak() < MOST);
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
