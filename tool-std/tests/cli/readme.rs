//! What the README shows of the command line is what it prints: `UPDATE_EXPECT=1 cargo test -p tool-std --test cli readme`.

use std::path::Path;

use expect_test::expect_file;

use crate::program::Ran;

/// Runs a line of a `console` block in the root of the repository; gives what a terminal shows of it.
fn shown(root: &Path, line: &str) -> String {
    let program = Path::new(env!("CARGO_BIN_EXE_worker-tools")).parent().unwrap();
    let path = std::env::join_paths([program.to_owned(), "/usr/bin".into(), "/bin".into()]).unwrap();
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", line]).current_dir(root).env("PATH", path).env_remove("CLICOLOR_FORCE");
    let ran = Ran::from(shell.output().unwrap());
    without_times(&(ran.stderr + &ran.stdout))
}

/// Every time becomes the same.
fn without_times(text: &str) -> String {
    let mut parts = text.split("(");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| match part.split_once(" ms)") {
        Some((time, rest)) if time == "under 1" || time.parse::<u32>().is_ok() => text + "(1 ms)" + rest,
        _ => text + "(" + part,
    })
}

#[cfg(unix)]
#[test]
fn the_readme_shows_what_the_program_prints() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("README.md")).unwrap();
    let mut made = String::new();
    let mut in_console = false;
    for line in page.lines() {
        match line {
            "```console" => in_console = true,
            "```" => in_console = false,
            _ => {}
        }
        if let Some(command) = line.strip_prefix("$ ").filter(|_| in_console) {
            made += &format!("{line}\n{}", shown(&root, command));
        } else if !in_console || line == "```console" {
            made += &format!("{line}\n");
        }
    }
    assert!(page.contains("\n$ worker-tools "), "the README shows the command line");
    expect_file!["../../../README.md"].assert_eq(&made);
}
