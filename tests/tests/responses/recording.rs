//! A model that replays a recording.

use std::sync::{Arc, Mutex};

use serde_json::json;
use tests::wire::parse;
use tool_runtime::provider::responses::Settings;
use tool_runtime::provider::{MAX_RECORDING, RecordedModel};
use tool_runtime::{Delta, Item, Model, ModelErrorKind, ModelRequest, ToolSet};

use crate::{catalog, fixture};

fn message(text: &str) -> String {
    let content = json!([{"type": "output_text", "text": text}]);
    json!({"status": "completed", "output": [{"type": "message", "content": content}]}).to_string()
}

/// A fixture on one line.
fn line(text: &str) -> String {
    parse(text).to_string()
}

fn load(text: &str) -> Result<RecordedModel, String> {
    RecordedModel::from_text(text).map_err(|error| error.to_string())
}

#[tokio::test]
async fn answers_come_in_order_and_run_out() {
    let text = format!("\u{feff}# two answers\r\n\r\n{}\r\n  {}\n\n", message("one"), message("two"));
    let model = load(&text).unwrap();
    let set = ToolSet::new(Vec::new()).unwrap();
    let ask = async || model.respond(ModelRequest::new(&set, &[]), &|_| {}).await;
    assert_eq!(ask().await.unwrap().text(), "one");
    assert_eq!(model.remaining(), 1);
    assert_eq!(ask().await.unwrap().text(), "two");
    let error = ask().await.unwrap_err();
    assert_eq!((error.kind, error.retryable), (ModelErrorKind::Provider, false));
    assert_eq!(
        error.to_string(),
        "the recording has run out: it holds 2 answers, and one more was asked for"
    );
    assert_eq!(model.requests().len(), 2);
}

#[tokio::test]
async fn what_was_asked_is_kept() {
    let model = Arc::new(load(&message("hi")).unwrap().with_settings(Settings::new("gpt-test")));
    let set = catalog();
    let items = [Item::user("hello")];
    let seen = Mutex::new(Vec::new());
    let on_delta = |delta: Delta| seen.lock().unwrap().push(delta);
    model.respond(ModelRequest::new(&set, &items), &on_delta).await.unwrap();
    assert_eq!(*seen.lock().unwrap(), [Delta::Text("hi".to_owned())]);
    let body = parse(&model.requests()[0]);
    assert_eq!(body["model"], "gpt-test");
    assert_eq!(body["input"], json!([{"type": "message", "role": "user", "content": "hello"}]));
    assert_eq!(body["tools"], parse(fixture!("tools")));
}

#[tokio::test]
async fn a_recorded_failure_is_given_in_its_turn() {
    let model = load(&format!("{}\n{}", line(fixture!("error")), message("then"))).unwrap();
    let set = ToolSet::new(Vec::new()).unwrap();
    let ask = async || model.respond(ModelRequest::new(&set, &[]), &|_| {}).await;
    assert_eq!(ask().await.unwrap_err().code.as_deref(), Some("invalid_function_parameters"));
    assert_eq!(ask().await.unwrap().text(), "then");
}

#[test]
fn a_bad_line_is_named() {
    let error = load(&format!("{}\n\n# note\n{{\"output\":3}}\n", message("one"))).unwrap_err();
    assert!(
        error.starts_with("the recording, line 4: the answer is no response object: invalid type"),
        "{error}"
    );
    assert_eq!(load("not json").unwrap_err(), "the recording, line 1: the answer is no JSON object");
    assert_eq!(load("# nothing\n").unwrap_err(), "the recording: there is no answer in it");
    assert_eq!(
        load(&" ".repeat(MAX_RECORDING + 1)).unwrap_err(),
        "the recording: it is longer than 67108864 bytes"
    );
}

#[test]
fn a_bad_file_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("turn.jsonl");
    let load =
        || RecordedModel::from_file(&path).map(|model| model.remaining()).map_err(|error| error.to_string());
    let named = |rest: &str| format!("the recording `{}`{rest}", path.display());
    assert!(load().unwrap_err().starts_with(&named(": it cannot be opened: ")));
    std::fs::write(&path, b"# one\n\xff\n").unwrap();
    assert_eq!(load().unwrap_err(), named(", line 2: it is no UTF-8"));
    std::fs::write(&path, "[]").unwrap();
    assert_eq!(load().unwrap_err(), named(", line 1: the answer is no JSON object"));
    std::fs::write(&path, message("one")).unwrap();
    assert_eq!(load(), Ok(1));
    assert!(RecordedModel::from_file(folder.path()).is_err());
}
