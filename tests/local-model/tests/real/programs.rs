//! The programs as a person starts them, against the server.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use local_model::chat::EAGER;
use serde_json::Value;
use tool_runtime::{FileJournal, Item};

use super::turns::assert_well_formed;
use super::{Local, variable};

/// Ends a program with the test.
struct Started(Child);

impl Drop for Started {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a program to its end, with this on its standard input.
fn run(mut command: Command, input: &str) -> Output {
    // No key and no proxy of whoever runs this.
    for name in ["OPENAI_API_KEY", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"] {
        command.env_remove(name);
    }
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // One that does not read ends before.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (text(&output.stdout), text(&output.stderr))
}

/// A folder with something to read.
fn workspace() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("notes.txt"), "The cellar holds an old bicycle.\n").unwrap();
    std::fs::create_dir(folder.path().join("letters")).unwrap();
    std::fs::write(folder.path().join("letters/may.txt"), "Dear Ann, it rains.\n").unwrap();
    folder
}

#[test]
fn the_server_says_where_it_listens_and_answers() {
    let Some(model) = variable("LOCAL_MODEL") else { return };
    let mut server = Command::new(env!("CARGO_BIN_EXE_local-model"));
    let server = server.arg(model).arg("127.0.0.1:0").stdout(Stdio::piped());
    let mut server = Started(server.spawn().unwrap());
    let mut line = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = line.trim().strip_prefix("listening on http://").unwrap().strip_suffix("/v1").unwrap();
    let mut connection = std::net::TcpStream::connect(address).unwrap();
    connection.write_all(b"GET /health HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n").unwrap();
    let answer = std::io::read_to_string(connection).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200 OK"), "{answer}");
    assert!(answer.ends_with(r#"{"status":"ok","is_writing":false,"answered":0,"given_up":0}"#), "{answer}");
}

#[test]
fn a_server_that_cannot_start_says_why() {
    let folder = workspace();
    let program = |arguments: &[&Path]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_local-model"));
        command.args(arguments);
        let output = run(command, "");
        (output.status.code(), texts(&output).1)
    };
    let (code, said) = program(&[&folder.path().join("none.gguf"), Path::new("127.0.0.1:0")]);
    assert_eq!(code, Some(1));
    assert!(said.contains("none.gguf` cannot be used: No such file"), "{said}");
    let (code, said) = program(&[&folder.path().join("notes.txt"), Path::new("127.0.0.1:0")]);
    assert_eq!(code, Some(1));
    assert!(said.contains("notes.txt` cannot be used: "), "{said}");
    let (code, said) = program(&[Path::new("a.gguf"), Path::new("nowhere")]);
    assert_eq!(code, Some(1));
    assert!(said.contains("`nowhere` cannot be listened on"), "{said}");
    assert_eq!(program(&[]).0, Some(2));
}

#[test]
fn the_example_chat_holds_a_conversation() {
    let Some(program) = variable("LOCAL_MODEL_CHAT") else { return };
    let Some(local) = Local::shared() else { return };
    let mut command = Command::new(program);
    command.args(["--base-url", &local.base_url(), "--model", EAGER]);
    let output = run(command, "Which files are here? Use ls.\nThank you!\n");
    let (said, errors) = texts(&output);
    assert!(output.status.success(), "{said}{errors}");
    let turns: Vec<&str> = said.split("> ").skip(1).collect();
    assert_eq!(turns.len(), 2, "{said}");
    for turn in turns {
        // The question, rows, and behind them an answer or why there is none.
        assert!(turn.ends_with("\n\n"), "{said}");
        assert!(turn.lines().nth(1).is_some_and(|line| !line.is_empty()), "{said}");
        let rows = |phase: &str| turn.lines().filter(|line| line.trim_start().starts_with(phase)).count();
        assert!(rows("running  ") > 0, "a tool ran: {said}");
        assert_eq!(
            rows("running  "),
            rows("done  ") + rows("failed  "),
            "each call that began has ended: {said}"
        );
        assert!(!turn.contains("the turn ended: model_failed"), "{said}");
    }
}

/// `worker-tools` with the model.
fn worker_tools(local: &Local, program: &Path, workspace: &Path, name: &str) -> Command {
    let mut command = Command::new(program);
    command.args([
        name,
        "--api",
        "chat",
        "--base-url",
        &local.base_url(),
        "--model",
        "smollm2",
        "--workspace",
    ]);
    command.arg(workspace);
    command
}

#[test]
fn worker_tools_run_makes_a_whole_turn() {
    let Some(program) = variable("LOCAL_MODEL_WORKER_TOOLS") else { return };
    let Some(local) = Local::shared() else { return };
    let folder = workspace();
    let mut command = worker_tools(local, &program, folder.path(), "run");
    command.args(["--json", "Read notes.txt with read_file and tell me what is in the cellar."]);
    let output = run(command, "");
    let (said, errors) = texts(&output);
    let outcome: Value =
        serde_json::from_str(&said).unwrap_or_else(|error| panic!("{error}: {said}{errors}"));
    let ending = outcome["ending"].as_str().unwrap();
    let code = if matches!(ending, "finished" | "ended_by_tool") { 0 } else { 3 };
    assert_eq!(output.status.code(), Some(code), "{said}{errors}");
    assert_ne!(ending, "model_failed", "{said}{errors}");
    assert!(outcome["usage"]["output_tokens"].as_u64().unwrap() > 0, "{said}");
    let results = outcome["results"].as_array().unwrap();
    for result in results {
        assert!(!result["text"].as_str().unwrap().is_empty(), "{said}");
        assert_eq!(result["repairs"], serde_json::json!([]), "{said}");
    }
}

#[test]
fn worker_tools_chat_keeps_a_journal_that_the_next_one_goes_on_with() {
    let Some(program) = variable("LOCAL_MODEL_WORKER_TOOLS") else { return };
    let Some(local) = Local::shared() else { return };
    let folder = workspace();
    let journal = folder.path().join("talk.jsonl");
    for (round, input) in ["List the files with ls.\n", "And what is in notes.txt?\n"].into_iter().enumerate()
    {
        let mut command = worker_tools(local, &program, folder.path(), "chat");
        command.arg("--journal").arg(&journal);
        let output = run(command, input);
        let (said, errors) = texts(&output);
        assert!(output.status.success(), "{said}{errors}");
        assert!(!errors.contains("the model failed"), "{errors}");
        let (_, recovered) = FileJournal::open(&journal).unwrap();
        assert!(recovered.may_have_run.is_empty() && recovered.ended.is_some(), "{recovered:?}");
        assert_well_formed(&recovered.items);
        let asked = recovered.items.iter().filter(|item| matches!(item, Item::User(_))).count();
        assert!(asked > round, "{:?}", recovered.items);
    }
}
