//! `worker-tools workflow`.
#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// The longest that a test waits for something that must come.
const PATIENCE: Duration = Duration::from_secs(60);
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");

/// `worker-tools` with these arguments, in a folder.
fn worker_tools(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_worker-tools"));
    command.args(arguments).current_dir(folder).env_remove("DATABASE_URL").stdin(Stdio::null());
    command
}

/// What it prints; it must succeed.
#[track_caller]
fn printed(folder: &Path, arguments: &[&str]) -> String {
    let output = worker_tools(folder, arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What it says when it fails.
#[track_caller]
fn failed(folder: &Path, arguments: &[&str]) -> String {
    let output = worker_tools(folder, arguments).output().unwrap();
    assert!(!output.status.success());
    assert!(output.stdout.is_empty());
    String::from_utf8(output.stderr).unwrap()
}

/// A folder with the script and a recording that submits `done` for each prompt, after a pause.
fn folder(script: &str, pause_ms: u64) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("program.js"), script).unwrap();
    let answer = json!({ "status": "completed", "pause_ms": pause_ms, "output": [
        { "type": "function_call", "call_id": "c1", "name": "submit_result", "arguments": "{\"result\":\"done\"}" }
    ] });
    fs::write(folder.path().join("answers.jsonl"), answer.to_string()).unwrap();
    folder
}

#[test]
fn run_prints_the_result_and_leaves_nothing_behind() {
    let folder = folder("return `${args.name}: ${await agent('Do it.')}`", 0);
    fs::write(folder.path().join("args.json"), r#"{"name":"it"}"#).unwrap();
    let run = ["workflow", "run", "program.js", "--args", "args.json", "--recording", "answers.jsonl"];
    let output = worker_tools(folder.path(), &run).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "it: done\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        said.ends_with("1 of 1 tasks done\n"),
        "without a terminal it says how far it is in lines: {said}"
    );
    assert!(!said.contains('\u{1b}'));
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["answers.jsonl", "args.json", "program.js"]);
}

#[test]
fn run_that_fails_says_why() {
    let folder = folder("const a = 1;\na.b.c", 0);
    let run = |extra: &[&str]| {
        failed(
            folder.path(),
            &[&["workflow", "run", "program.js", "--recording", "answers.jsonl"], extra].concat(),
        )
    };
    let said = run(&[]);
    assert!(said.contains("has failed: the program failed at line 2: TypeError"), "{said}");
    fs::write(folder.path().join("list.json"), "[1]").unwrap();
    assert!(run(&["--args", "list.json"]).contains("`args` must be an object"));
    assert!(run(&["--args", "none.json"]).contains("none.json"));
    let nobody = failed(folder.path(), &["workflow", "show", "1000"]);
    assert!(nobody.contains("no state is named"), "{nobody}");
    let unknown = failed(folder.path(), &["workflow", "--state", "state", "show", "1000"]);
    assert!(unknown.contains("there is no workflow 1000"), "{unknown}");
}

#[test]
fn show_list_and_cancel_look_after_the_runs_of_a_state() {
    let folder = folder("return await Promise.all([agent('one'), agent('two')])", 600_000);
    let run = ["workflow", "--state", "state", "run", "program.js", "--recording", "answers.jsonl"];
    let mut running = worker_tools(folder.path(), &run).stderr(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    let live = loop {
        let listed = printed(folder.path(), &["workflow", "--state", "state", "list", "--json"]);
        let listed: Value = serde_json::from_str(&listed).unwrap();
        if let Some(id) = listed[0]["run_id"].as_i64() {
            break id.to_string();
        }
        assert!(since.elapsed() < PATIENCE);
    };
    let show = || -> Value {
        let shown = printed(folder.path(), &["workflow", "--state", "state", "show", &live]);
        serde_json::from_str(&shown).unwrap()
    };
    while show()["counts"]["running"] != 2 {
        assert!(since.elapsed() < PATIENCE, "{:#}", show());
    }
    assert_eq!(show()["live_tasks"][1]["label"], "two");
    let early = failed(folder.path(), &["workflow", "--state", "state", "show", &live, "--result"]);
    assert!(early.contains("is not completed, so it has no result"), "{early}");
    assert_eq!(printed(folder.path(), &["workflow", "--state", "state", "cancel", &live]), "cancelled\n");
    assert!(!running.wait().unwrap().success(), "who waits for it hears of it");
    assert_eq!(show()["counts"]["cancelled"], 2);
    let over = printed(folder.path(), &["workflow", "--state", "state", "list", "--over"]);
    assert!(over.contains("cancelled"), "{over}");
    assert_eq!(printed(folder.path(), &["workflow", "--state", "state", "list", "--json"]).trim(), "[]");
}

/// The commands of the README: a run is killed in the middle, and comes to the result of an undisturbed one.
#[test]
fn the_commands_of_the_readme_come_to_what_it_shows() {
    let readme = fs::read_to_string(Path::new(ROOT).join("README.md")).unwrap();
    let begin = readme.find("A workflow (feature `workflow`)").unwrap();
    let mut blocks = readme[begin..].split("```").skip(1).step_by(2);
    let commands = blocks.next().unwrap().strip_prefix("sh\n").unwrap();
    let shown = blocks.next().unwrap().strip_prefix("text\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(Path::new(ROOT).join("examples"), folder.path().join("examples")).unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_worker-tools")).parent().unwrap();
    let path = std::env::join_paths([program.to_owned(), "/usr/bin".into(), "/bin".into()]).unwrap();
    let mut shell = Command::new("sh");
    shell.arg("-c").arg(commands).current_dir(folder.path()).env("PATH", path).env_remove("DATABASE_URL");
    let output = shell.stdin(Stdio::null()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), shown);
}

/// A program that nothing interrupts does not outlive the process that runs it, not even one that is killed.
#[cfg(target_os = "linux")]
#[test]
fn a_program_ends_with_the_worker_that_is_killed() {
    let folder = folder("return String.raw({ raw: { length: 2 ** 53 } })", 0);
    let run = ["workflow", "run", "program.js", "--recording", "answers.jsonl"];
    let mut running = worker_tools(folder.path(), &run).stderr(Stdio::null()).spawn().unwrap();
    let since = Instant::now();
    let child = loop {
        if let Some(child) = child_of(running.id()) {
            break child;
        }
        assert!(since.elapsed() < PATIENCE);
        std::thread::sleep(Duration::from_millis(10));
    };
    running.kill().unwrap();
    running.wait().unwrap();
    while is_alive(child) {
        assert!(since.elapsed() < PATIENCE, "the process {child} goes on");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// What the kernel says of a process: its state, its parent, and for how many hundredths of a second it has worked.
#[cfg(target_os = "linux")]
fn look_at(process: u32) -> Option<(String, u32, u64)> {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    let fields: Vec<_> = stat.rsplit_once(") ")?.1.split(' ').collect();
    Some((fields.first()?.to_string(), fields.get(1)?.parse().ok()?, fields.get(11)?.parse().ok()?))
}

/// A child that is at work.
#[cfg(target_os = "linux")]
fn child_of(parent: u32) -> Option<u32> {
    let processes = fs::read_dir("/proc").unwrap();
    let mut processes = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    processes.find(|process| look_at(*process).is_some_and(|(_, of, worked)| of == parent && worked > 20))
}

/// Whether a process runs; one that is over and that nobody has asked for does not.
#[cfg(target_os = "linux")]
fn is_alive(process: u32) -> bool {
    look_at(process).is_some_and(|(state, ..)| state != "Z")
}

#[test]
fn run_says_why_tasks_have_failed() {
    let script = "return await agent('Give a number.', { label: 'the number', schema: { type: 'integer' } })";
    let folder = folder(script, 0);
    let run = ["workflow", "run", "program.js", "--recording", "answers.jsonl"];
    let output = worker_tools(folder.path(), &run).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&output.stdout), "null\n");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("worker-tools: the task 0 (the number) has failed: "), "{said}");
}

/// Standard error that takes nothing.
#[cfg(target_os = "linux")]
#[test]
fn a_run_goes_on_when_nobody_reads_how_far_it_is() {
    let folder = folder("return await agent('Do it.')", 0);
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let run = ["workflow", "run", "program.js", "--recording", "answers.jsonl"];
    let output = worker_tools(folder.path(), &run).stderr(full).output().unwrap();
    assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"done\n"[..]));
}

#[test]
fn what_is_no_place_of_a_state_does_not_become_a_folder() {
    let folder = tempfile::tempdir().unwrap();
    for place in ["mysql://db/agent", "POSTGRES://db/agent", ""] {
        let said = failed(folder.path(), &["workflow", "--state", place, "list"]);
        assert!(said.contains("is no place of a state database; name a directory"), "{said}");
    }
    let other = worker_tools(folder.path(), &["workflow", "list"])
        .env("DATABASE_URL", "mysql://root:secret@db/shop")
        .output()
        .unwrap();
    let said = String::from_utf8(other.stderr).unwrap();
    assert!(
        said.contains("DATABASE_URL is neither of the form `postgres://…`") && !said.contains("secret"),
        "{said}"
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}
