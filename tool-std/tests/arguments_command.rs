//! `worker-tools arguments`, run as a person or a test would run it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "cli")]

use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::thread;

use serde_json::{Value, json};

const ROWS: &str = include_str!("../../tests/cases/arguments.jsonl");

/// Runs `worker-tools arguments` with `flags` on `input`.
fn run(flags: &[&str], input: &str) -> Output {
    let mut program = Command::new(env!("CARGO_BIN_EXE_worker-tools"))
        .arg("arguments")
        .args(flags)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = program.stdin.take().unwrap();
    let input = input.to_owned();
    // The program answers while it reads, so both pipes are served at once. It may also stop reading early.
    let writer = thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let output = program.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn stdout(output: &Output) -> &str {
    std::str::from_utf8(&output.stdout).unwrap()
}

fn stderr(output: &Output) -> &str {
    std::str::from_utf8(&output.stderr).unwrap()
}

/// The same value: numbers by value, objects in any order.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(key, left)| right.get(key).is_some_and(|right| same(left, right)))
        }
        (left, right) => left == right,
    }
}

#[test]
fn every_reported_fault_has_its_expected_outcome() {
    let output = run(&["--jsonl"], ROWS);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let rows: Vec<Value> = ROWS.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((rows.len(), answers.len()), (72, 72));
    let mut wrong = Vec::new();
    for (row, answer) in rows.iter().zip(&answers) {
        assert_eq!(row["id"], answer["id"]);
        let right = match (row["expect"].get("ok"), row["expect"].get("err")) {
            (Some(expected), _) => answer.get("ok").is_some_and(|ok| same(ok, expected)),
            (None, expected) => answer.get("err") == expected && answer["message"].is_string(),
        };
        if !right {
            wrong.push(format!("{} ({}): {answer}", row["id"], row["why"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// One line for one request, however many lines the arguments have.
#[test]
fn arguments_of_many_lines_are_answered_on_one() {
    let requests: Vec<String> = ["{\n  \"a\": \"x\\ny\",\r\n  \"n\": 1.50\n}\n", "{\n  \"a\": \"b\",\n}"]
        .iter()
        .map(|raw| json!({"id": "r", "schema": {"type": "object"}, "raw": raw}).to_string())
        .collect();
    let output = run(&["--jsonl"], &requests.join("\n"));
    let answers: Vec<Value> =
        stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let ok: Vec<&Value> = answers.iter().map(|answer| &answer["ok"]).collect();
    assert_eq!(ok, [&json!({"a": "x\ny", "n": 1.50}), &json!({"a": "b"})]);
}

/// A file with a schema that wants one integer `depth`.
fn depth_schema() -> tempfile::NamedTempFile {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let schema = json!({
        "type": "object",
        "properties": {"depth": {"type": "integer"}, "path": {"type": "string"}},
        "additionalProperties": false
    });
    write!(file, "{schema}").unwrap();
    file
}

#[test]
fn one_text_is_printed_as_the_tool_gets_it() {
    let schema = depth_schema();
    let output = run(&["--schema", schema.path().to_str().unwrap()], r#"{"depth":"18446744073709551615",}"#);
    assert_eq!(stdout(&output), "{\"depth\":18446744073709551615}\n");
    assert_eq!(stderr(&output), "repaired: trailing_comma \nrepaired: number_from_text /depth\n");
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_refused_text_gives_class_message_and_exit_code_1() {
    let schema = depth_schema();
    let output = run(&["--schema", schema.path().to_str().unwrap()], r#"{"depht":1}"#);
    assert!(stdout(&output).starts_with("invalid: "), "{}", stdout(&output));
    assert!(stdout(&output).contains("`depth`"), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_cut_text_is_completed_for_a_read_only_tool_only() {
    let schema = depth_schema();
    let path = schema.path().to_str().unwrap();
    let cut = r#"{"path":"src""#;
    assert_eq!(run(&["--schema", path], cut).status.code(), Some(1));
    assert_eq!(stdout(&run(&["--schema", path, "--read-only"], cut)), "{\"path\":\"src\"}\n");
}

#[test]
fn what_cannot_be_run_says_why_and_gives_exit_code_2() {
    let missing = run(&["--schema", "no-such-file.json"], "{}");
    assert!(stderr(&missing).contains("no-such-file.json"), "{}", stderr(&missing));
    assert_eq!(missing.status.code(), Some(2));

    let mut file = tempfile::NamedTempFile::new().unwrap();
    write!(file, r#"{{"type":"object","properties":{{"a":{{"minimum":"1"}}}}}}"#).unwrap();
    let faulty = run(&["--schema", file.path().to_str().unwrap()], "{}");
    assert!(stderr(&faulty).contains("/properties/a"), "{}", stderr(&faulty));
    assert_eq!(faulty.status.code(), Some(2));

    assert_eq!(run(&[], "{}").status.code(), Some(2));
}

#[test]
fn a_line_that_is_no_request_is_named_and_the_others_are_answered() {
    let good = json!({"id": 1, "schema": {"type": "object"}, "raw": "{}"}).to_string();
    let output = run(&["--jsonl"], &format!("{good}\nnonsense\n\n{good}\n"));
    assert_eq!(stdout(&output).lines().count(), 2);
    assert!(stderr(&output).contains("line 2"), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(2));
}
