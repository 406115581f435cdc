//! What a model reads of a command.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;
use tool_runtime::ToolErrorKind;
use tool_runtime::testing::TestCall;
use tool_std::computer::sandbox::SandboxChoice;

use crate::stage::{Stage, sandboxes};

fn plain() -> Stage {
    Stage::new(SandboxChoice::None, |builder| builder)
}

/// The message of a call that must fail, and its kind.
fn refused(call: &TestCall) -> (String, ToolErrorKind) {
    match &call.outcome {
        Err(tool_runtime::CallError::Tool(error)) => (error.message().to_owned(), error.kind()),
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_result_has_code_duration_and_output() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run("echo hello; exit 3").await;
        let [code, duration] = ran.head()[..] else { panic!("{}", ran.text) };
        assert_eq!(code, "exit_code=3");
        assert!(duration.starts_with("duration="), "{duration}");
        assert_eq!(ran.output(), "hello");
        assert_eq!(ran.code(), 3);
        assert_eq!(ran.details["timed_out"], false);
        assert!(ran.details["duration_ms"].is_u64());
        assert!(ran.details.get("signal").is_none());
        assert!(ran.details.get("full_output_path").is_none());
    }
}

#[tokio::test]
async fn both_streams_come_as_they_were_written() {
    let ran = plain().run("for i in 1 2 3; do echo out $i; echo err $i >&2; done").await;
    assert_eq!(ran.output(), "out 1\nerr 1\nout 2\nerr 2\nout 3\nerr 3");
}

#[tokio::test]
async fn output_is_text_whatever_was_written() {
    let ran = plain().run(r"printf 'a\0\033[31mb\033[0m\xff\r\n 10%%\r100%%\n'").await;
    assert_eq!(ran.output(), "ab\u{fffd}\n100%");
    assert_eq!(plain().run("true").await.output(), "(no output)");
}

#[tokio::test]
async fn exit_codes_are_explained_as_facts() {
    let stage = plain();
    let cases = [
        ("grep nothing /dev/null", 1, "note: `grep` exits with 1 when nothing matches"),
        ("cd / && echo x | LC_ALL=C /bin/grep y", 1, "note: `grep` exits with 1 when nothing matches"),
        ("env A=1 diff <(echo a) <(echo b)", 1, "note: `diff` exits with 1 when the inputs differ"),
        ("[ a = b ]", 1, "note: `[` exits with 1 when the condition is false"),
        ("no-such-program", 127, "note: 127 is what a shell gives when a program was not found"),
        ("/dev/null", 126, "note: 126 is what a shell gives when a program was found but cannot be run"),
        (
            "kill -SEGV $$",
            139,
            "note: 139 is what a shell gives when signal 11 (SEGV) ended a program: it crashed",
        ),
    ];
    for (command, code, note) in cases {
        let ran = stage.run(command).await;
        assert_eq!((ran.code(), ran.head().last().copied()), (code, Some(note)), "{command}: {}", ran.text);
    }
    assert_eq!(stage.run("kill -SEGV $$").await.details["signal"], "SEGV");
    for silent in ["false", "grep x /dev/null || false", "grep x /dev/null; exit 0", "echo 'grep x'; exit 1"]
    {
        assert_eq!(stage.run(silent).await.head().len(), 2, "{silent}");
    }
}

#[tokio::test]
async fn long_output_is_cut_and_all_of_it_saved() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let ran = stage.run("seq 1 30000").await;
        let whole: String = (1..=30_000).map(|n| format!("{n}\n")).collect();
        let total = whole.chars().count();
        let marker = format!("\n[… {} of {total} characters left out …]\n", total - 50_000);
        let (beginning, rest) = ran.output().split_once(&marker).unwrap();
        assert_eq!(beginning, &whole[..20_000]);
        let (end, hint) = rest.split_once("\n\n[").unwrap();
        assert_eq!(end, whole[total - 30_000..].trim_end());
        let path = ran.details["full_output_path"].as_str().unwrap();
        let file =
            stage.folder.path().canonicalize().unwrap().join(".worker-tools/command-logs/test_call.log");
        assert_eq!(path, file.to_str().unwrap());
        assert_eq!(
            hint,
            format!(
                "all {total} characters of the output are in `{path}`: read parts of it with read_file, or search it with grep]"
            )
        );
        assert_eq!(fs::read_to_string(&file).unwrap(), whole);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[tokio::test]
async fn output_of_50000_characters_is_whole() {
    let stage = plain();
    let ran = stage.run("head -c 50000 /dev/zero | tr '\\0' 'x'").await;
    assert_eq!(ran.output().len(), 50_000);
    assert!(ran.details.get("full_output_path").is_none());
    let ran = stage.run("head -c 50001 /dev/zero | tr '\\0' 'x'").await;
    assert!(
        ran.output().contains("[… 1 of 50001 characters left out …]"),
        "{}",
        &ran.output()[19_900..20_100]
    );
}

#[tokio::test]
async fn characters_are_never_cut_in_two() {
    let ran = plain().run("for i in {1..60000}; do printf '€'; done").await;
    let beginning = ran.output().split_once('\n').unwrap().0;
    assert_eq!(beginning, "€".repeat(20_000));
}

#[tokio::test]
async fn twenty_logs_are_kept_and_none_is_written_over() {
    let stage = plain();
    let folder = stage.folder.path().join(".worker-tools/command-logs");
    fs::create_dir_all(&folder).unwrap();
    fs::write(folder.join("notes.txt"), "").unwrap();
    for call in 1..=22 {
        stage.run(&format!("echo {call}; seq 1 20000")).await;
    }
    let mut names: Vec<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name.ends_with(".log"));
    names.sort();
    let mut newest: Vec<_> =
        (3..=21).map(|n| format!("test_call-{n}.log")).chain(["test_call.log".to_owned()]).collect();
    newest.sort();
    assert_eq!(names, newest);
    // The name that had become free, with what came last.
    assert!(fs::read_to_string(folder.join("test_call.log")).unwrap().starts_with("22\n"));
    assert!(folder.join("notes.txt").exists());
}

#[tokio::test]
async fn a_log_does_not_follow_a_link_out_of_the_home() {
    let stage = plain();
    let outside = tempfile::tempdir().unwrap();
    std::os::unix::fs::symlink(outside.path(), stage.folder.path().join(".worker-tools")).unwrap();
    let ran = stage.run("seq 1 20000").await;
    assert!(
        ran.text.contains("[the whole output could not be saved: "),
        "{}",
        &ran.text[ran.text.len() - 300..]
    );
    assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn arguments_that_make_no_sense_are_refused() {
    let stage = plain();
    let outside = tempfile::tempdir().unwrap();
    let cases = [
        (
            json!({"command": "pwd", "workdir": "no/such"}),
            ToolErrorKind::NotFound,
            "`no/such` does not exist",
        ),
        (json!({"command": "pwd", "workdir": outside.path()}), ToolErrorKind::Denied, "lies outside"),
        (json!({"command": "a\u{0}b"}), ToolErrorKind::InvalidArguments, "NUL"),
        (
            json!({"command": "x".repeat(200_000)}),
            ToolErrorKind::InvalidArguments,
            "write a script to a file",
        ),
    ];
    for (arguments, kind, says) in cases {
        let call = stage.call(arguments).await;
        let (message, was) = refused(&call);
        assert!(was == kind && message.contains(says), "{message}");
    }
    for arguments in [
        json!({"command": ""}),
        json!({"command": "pwd", "timeout": 0}),
        json!({"command": "pwd", "cwd": "/"}),
    ] {
        assert!(stage.call(arguments).await.outcome.is_err());
    }
}

#[tokio::test]
async fn a_command_starts_in_the_workspace_or_where_it_is_told() {
    for choice in sandboxes() {
        let stage = Stage::new(choice, |builder| builder);
        let folder = stage.folder.path().canonicalize().unwrap();
        fs::create_dir_all(folder.join("a/b")).unwrap();
        assert_eq!(stage.run("pwd").await.output(), folder.to_str().unwrap());
        for workdir in ["a/b", "~/a/b", folder.join("a/b").to_str().unwrap()] {
            let ran = stage.run_with(json!({"command": "pwd", "workdir": workdir})).await;
            assert_eq!(ran.output(), folder.join("a/b").to_str().unwrap());
        }
    }
}

#[tokio::test]
async fn labels_say_what_is_done_and_with_what() {
    let stage = plain();
    for (command, label) in [
        ("cd . && cargo --version >/dev/null; echo 'cargo test'", "Running a command (cargo)"),
        ("true secret; grep -q secret /dev/null", "Searching code (grep)"),
        ("cd /", "Running a command"),
    ] {
        let call = stage.call(json!({"command": command})).await;
        assert_eq!(call.activity.as_deref(), Some(label));
        assert_eq!(call.completed_activity.as_deref(), Some(label));
    }
}
