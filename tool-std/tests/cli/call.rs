//! `worker-tools call`: what each outcome prints, and its exit code.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::program::{command, run, run_on};

#[test]
fn the_result_goes_to_standard_output() {
    let ran = run(&["call", "todo", r#"{"todos": [{"id": "a", "content": "read"}]}"#]);
    assert_eq!(ran.stderr, "  · [ ] read\n");
    assert_eq!(ran.json()["todos"][0]["content"], "read");
}

#[test]
fn arguments_come_from_standard_input_too_and_may_be_left_out() {
    assert_eq!(run_on(r#"{"todos": []}"#, &["call", "todo", "-"]).json()["summary"]["total"], 0);
    assert_eq!(run(&["call", "todo"]).json()["todos"], json!([]));
}

#[test]
fn arguments_are_repaired_and_the_repairs_are_told() {
    let ran = run(&["call", "todo", r#"{"merge": "true",}"#]);
    assert!(ran.stderr.contains("repaired: trailing_comma, boolean_from_text /merge"), "{ran:?}");
    ran.good();
}

#[test]
fn details_are_printed_as_json() {
    let details: Value = run(&["call", "todo", "--details"]).json();
    assert_eq!(details["summary"]["total"], 0);
}

#[test]
fn refused_arguments_give_1_and_the_message_of_the_model() {
    for arguments in [r#"{"todos": 3}"#, "nonsense", r#"{"todos": [{"id": "a"}]}"#] {
        let ran = run(&["call", "todo", arguments]);
        assert_eq!(ran.stdout, "");
        let refused = ran.refused(1);
        assert!(refused.starts_with("error: "), "{refused}");
    }
}

/// A workspace that can be named on a command line.
fn workspace() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

#[test]
fn what_may_destroy_something_needs_yes_where_nobody_can_be_asked() {
    let (folder, workspace) = workspace();
    let arguments = ["call", "command", r#"{"command": "echo hi; touch made"}"#, "--workspace", &workspace];
    let refused = run(&arguments).refused(4);
    assert!(refused.contains("nobody is at the terminal to be asked; `--yes` allows it"), "{refused}");
    assert!(!folder.path().join("made").exists());

    let ran = run(&[&arguments[..], &["--yes"]].concat());
    assert!(ran.stderr.contains("✓ Running a command (echo)"), "{ran:?}");
    let result = ran.good();
    assert!(result.starts_with("exit_code=0\n") && result.ends_with("hi\n"), "{result}");
    assert!(folder.path().join("made").exists());
}

#[test]
fn nobody_is_asked_about_a_call_that_cannot_run() {
    let refused = run(&["call", "command", r#"{"comand": "true"}"#]).refused(1);
    assert!(refused.contains("did you mean `command`"), "{refused}");
}

#[test]
fn a_tool_that_fails_gives_3_and_what_the_model_would_read() {
    let (_folder, workspace) = workspace();
    let ran = run(&["call", "read_file", r#"{"path": "/etc/passwd"}"#, "--workspace", &workspace]);
    assert_eq!(ran.stdout, "");
    let told = ran.refused(3);
    assert!(told.contains("✗ Reading etc/passwd: denied") && told.contains("\nerror: "), "{told}");
}

#[test]
fn a_free_text_tool_takes_text() {
    let (folder, workspace) = workspace();
    fs::write(folder.path().join("note"), "one\ntwo\n").unwrap();
    let patch = "*** Begin Patch\n*** Update File: note\n@@\n one\n-two\n+three\n*** End Patch\n";
    let options = ["--yes", "--workspace", &workspace];
    let result = run_on(patch, &[&["call", "apply_patch", "-"][..], &options].concat()).good();
    assert!(result.starts_with("M note"), "{result}");
    assert_eq!(fs::read_to_string(folder.path().join("note")).unwrap(), "one\nthree\n");

    let refused = run(&[&["call", "apply_patch"][..], &options].concat()).refused(2);
    assert!(refused.contains("`apply_patch` takes free text: give it behind the name, or `-`"), "{refused}");
    let refused = run(&[&["call", "apply_patch", "no patch"][..], &options].concat()).refused(1);
    assert!(refused.contains("no file was changed"), "{refused}");
}

#[test]
fn the_options_of_the_turn_reach_the_commands() {
    let (_folder, workspace) = workspace();
    let call = ["call", "command", r#"{"command": "echo $A$B"}"#, "--yes", "--workspace", &workspace];
    let sandbox = run(&[&call[..], &["--details", "--sandbox", "none"]].concat()).json();
    assert_eq!(sandbox["sandbox"]["level"], "none");
    let mut program = command(&[&call[..], &["--env", "A=one ", "--env", "B"]].concat());
    let output = program.env("B", "two").output().unwrap();
    assert!(String::from_utf8(output.stdout).unwrap().ends_with("\n\none two\n"));
    let refused = run(&[&call[..], &["--env", "NO_SUCH_VARIABLE"]].concat()).refused(2);
    assert!(refused.contains("no variable `NO_SUCH_VARIABLE`"), "{refused}");
}

#[test]
fn commands_find_the_skills_and_their_servers() {
    let ((_folder, workspace), (root, skills)) = (workspace(), workspace());
    let skill = root.path().join("stocks");
    fs::create_dir_all(skill.join("agents")).unwrap();
    fs::write(skill.join("SKILL.md"), "---\nname: stocks\ndescription: Prices.\n---\n").unwrap();
    let server = "{type: mcp, value: stock-data, transport: streamable_http, url: 'https://example.com/mcp'}";
    fs::write(skill.join("agents/openai.yaml"), format!("dependencies:\n  tools: [{server}]\n")).unwrap();
    let command =
        format!("cat {skills}/stocks/SKILL.md \\\"$MCPORTER_CONFIG\\\"; echo; echo \\\"$MCPORTER_CONFIG\\\"");
    let call = ["call", "command", &format!(r#"{{"command": "{command}"}}"#), "--yes"];
    let result = run(&[&call[..], &["--workspace", &workspace, "--skills", &skills]].concat()).good();
    assert!(result.contains("name: stocks") && result.contains("https://example.com/mcp"), "{result}");
    let path = result.trim_end().lines().last().unwrap();
    assert!(path.ends_with(".json") && !Path::new(path).exists(), "{path} is gone");
}

#[test]
fn a_long_result_that_nobody_reads_ends_quietly() {
    let (_folder, workspace) = workspace();
    let call =
        ["call", "command", r#"{"command": "yes | head -c 200000"}"#, "--yes", "--workspace", &workspace];
    let mut program = command(&call).spawn().unwrap();
    drop(program.stdout.take());
    let output = program.wait_with_output().unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{told}");
    assert!(!told.contains("pipe"), "{told}");
}

#[cfg(unix)]
mod stopped {
    use std::fs::File;
    use std::io::{BufRead, BufReader, Read, Write};
    use std::process::{Command, Stdio};

    use super::workspace;
    use crate::program::{Ran, command, on_a_terminal, until};

    /// The command holds a pipe open for as long as anything of it runs.
    #[test]
    fn a_cancelled_call_gives_130_and_leaves_nothing_running() {
        let (folder, workspace) = workspace();
        let pipe = folder.path().join("pipe");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        for signal in ["-INT", "-TERM"] {
            let long = r#"{"command": "exec 3> pipe; echo started >&3; sleep 1000 & sleep 1000"}"#;
            let program =
                command(&["call", "command", long, "--yes", "--workspace", &workspace]).spawn().unwrap();
            let mut held = BufReader::new(File::open(&pipe).unwrap());
            held.read_line(&mut String::new()).unwrap();
            assert!(
                Command::new("kill").args([signal, &program.id().to_string()]).status().unwrap().success()
            );
            assert_eq!(held.read_to_end(&mut Vec::new()).unwrap(), 0);
            let refused = Ran::from(program.wait_with_output().unwrap()).refused(130);
            assert!(refused.contains("✗ Running a command (exec): cancelled"), "{refused}");
        }
    }

    #[test]
    fn a_person_is_asked_at_the_terminal() {
        for (answer, code, expected) in [("y\n", 0, "exit_code=0"), ("\n", 4, "you did not say yes")] {
            let (_folder, workspace) = workspace();
            let line =
                format!(r#"worker-tools call command '{{"command": "true"}}' --workspace {workspace}"#);
            let mut script = on_a_terminal(&line).env("NO_COLOR", "1").stdin(Stdio::piped()).spawn().unwrap();
            let (mut stdin, mut stdout) = (script.stdin.take().unwrap(), script.stdout.take().unwrap());
            let mut shown = String::new();
            until(&mut stdout, &mut shown, "Run it? [y/N] ");
            stdin.write_all(answer.as_bytes()).unwrap();
            stdout.read_to_string(&mut shown).unwrap();
            assert_eq!(script.wait().unwrap().code(), Some(code), "{shown}");
            assert!(shown.contains(expected), "{expected:?} is not in {shown}");
        }
    }
}
