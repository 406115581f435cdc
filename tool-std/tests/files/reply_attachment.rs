//! Files that go along with the reply.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use tool_runtime::ToolSet;
use tool_std::computer::{Computer, computer_tools};

use crate::tree::Tree;

fn with_report() -> Tree {
    let tree = Tree::new();
    fs::create_dir(tree.computer.user_files().unwrap().join("out")).unwrap();
    fs::write(tree.computer.user_files().unwrap().join("out/report.csv"), "a,b\n1,2\n").unwrap();
    tree
}

#[tokio::test]
async fn a_file_is_queued_with_its_size() {
    let tree = with_report();
    let real = tree.computer.user_files().unwrap().join("out/report.csv");
    for path in [json!("../files/out/report.csv"), json!("~/files/out/report.csv"), json!(real)] {
        let call = tree.call("reply_attachment", json!({"path": path})).await;
        let attachment = json!({
            "agent_computer_path": real, "user_files_relative_path": "out/report.csv", "name": "report.csv", "size": 8,
        });
        let whole = json!({
            "tool": "reply_attachment", "ok": true, "delivery_state": "queued", "attachments": [attachment],
        });
        assert_eq!(call.details::<Value>().unwrap(), whole);
        assert_eq!(serde_json::from_str::<Value>(&call.model_text).unwrap(), whole);
        assert_eq!(call.activity.as_deref(), Some("Attaching out/report.csv"));
    }
}

#[tokio::test]
async fn name_and_type_are_the_callers() {
    let tree = with_report();
    let arguments =
        json!({"path": "~/files/out/report.csv", "name": "Zahlen 2024.csv", "mimeType": "text/csv"});
    let call = tree.call("reply_attachment", arguments).await;
    let attachment = &call.details::<Value>().unwrap()["attachments"][0];
    assert_eq!(
        (&attachment["name"], &attachment["mime_type"]),
        (&json!("Zahlen 2024.csv"), &json!("text/csv"))
    );
    for bad in [
        json!({"name": "../a"}),
        json!({"name": ""}),
        json!({"mimeType": "csv"}),
        json!({"mime_type": "a/b"}),
    ] {
        let mut arguments = json!({"path": "~/files/out/report.csv"});
        arguments.as_object_mut().unwrap().extend(bad.as_object().unwrap().clone());
        assert!(tree.call("reply_attachment", arguments).await.outcome.is_err(), "{bad}");
    }
}

#[tokio::test]
async fn only_user_files_can_be_attached() {
    let tree = with_report();
    let files = tree.computer.user_files().unwrap();
    tree.write("a.txt", "");
    std::os::unix::fs::symlink(tree.path("a.txt"), files.join("link.txt")).unwrap();
    std::os::unix::fs::symlink(tree.outside().join("secret.txt"), files.join("out.txt")).unwrap();
    let copy = format!("cannot be attached from where it is: copy it to `{}` first", files.display());
    for (path, said) in [
        ("a.txt", copy.as_str()),
        ("~/files/link.txt", &copy),
        ("~/files/out.txt", "lies outside of what may be used here"),
        ("~/files/../../outside/secret.txt", "lies outside of what may be used here"),
        ("~/files/out", "`~/files/out` is a folder; only a file can be attached"),
        ("~/files", "is a folder; only a file can be attached"),
        ("~/files/out/reprot.csv", "does not exist; did you mean"),
    ] {
        let call = tree.call("reply_attachment", json!({"path": path})).await;
        assert!(call.outcome.is_err(), "{path}");
        assert!(call.model_text.contains(said), "{path}: {}", call.model_text);
    }
}

#[tokio::test]
async fn a_file_is_sized_and_never_opened() {
    let tree = with_report();
    let real = tree.computer.user_files().unwrap().join("out/report.csv");
    let accessed = || fs::metadata(&real).unwrap().accessed().unwrap();
    let before = accessed();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o000)).unwrap();
    let call = tree.call("reply_attachment", json!({"path": "~/files/out/report.csv"})).await;
    assert_eq!(call.details::<Value>().unwrap()["attachments"][0]["size"], 8);
    assert_eq!(accessed(), before);

    let pipe = tree.computer.user_files().unwrap().join("pipe");
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR, 0)
        .unwrap();
    let text = tree.text("reply_attachment", json!({"path": pipe})).await;
    assert!(text.ends_with("is a pipe; only a file can be attached"), "{text}");
}

#[tokio::test]
async fn without_user_files_there_is_no_such_tool() {
    let tree = Tree::new();
    let computer = Computer::new(tree.computer.workspace()).unwrap();
    let set = ToolSet::new(computer_tools(&computer)).unwrap();
    assert!(set.get(None, "reply_attachment").is_none());
    assert!(set.get(None, "read_file").is_some());
}
