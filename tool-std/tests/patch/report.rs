//! What people, hosts and providers see of the tool.

use serde_json::{Value, json};
use tool_runtime::{ExecutionMode, GrammarSyntax, Input, TextFormat, ToolErrorKind, testing};
use tool_std::computer::{Computer, computer_tools};

use crate::folder::{Folder, patch};

#[tokio::test]
async fn the_details_name_each_file() {
    let folder = Folder::with(&[("a", "one\n"), ("b", "x\n"), ("c", "1\n2\n")]);
    let lines = "*** Add File: n\n+n\n*** Update File: a\n@@\n-one\n+1\n+2\n*** Update File: b\n*** Move to: B\n*** Delete File: c\n";
    let call = folder.call(&patch(lines)).await;
    assert_eq!(
        call.details::<Value>().unwrap(),
        json!({"files": [
            {"path": "n", "change": "added", "added": 1, "removed": 0},
            {"path": "a", "change": "modified", "added": 2, "removed": 1},
            {"path": "b", "change": "modified", "moved_to": "B", "added": 0, "removed": 0},
            {"path": "c", "change": "deleted", "added": 0, "removed": 2},
        ]})
    );
    assert_eq!(call.activity.as_deref(), Some("Editing 4 files"));
    assert_eq!(call.completed_activity.as_deref(), Some("Edited 4 files (+3 -3)"));
}

#[tokio::test]
async fn labels_count_files_and_name_no_content() {
    let folder = Folder::with(&[("a", "one\n")]);
    let call = folder.call("*** Update File: a\n@@\n-one\n+1\n*** Update File: a\n@@\n-1\n+one\n").await;
    assert_eq!(call.activity.as_deref(), Some("Editing 1 file"));
    assert_eq!(call.completed_activity.as_deref(), Some("Edited 1 file (+2 -2)"));
    let call = folder.call("secret").await;
    assert_eq!(call.activity.as_deref(), Some("Editing files"));
    assert_eq!(call.completed_activity, None);
}

#[tokio::test]
async fn it_is_a_free_text_tool_and_a_json_tool_elsewhere() {
    let folder = Folder::new();
    let spec = folder.tool().spec();
    let Input::Text(TextFormat::Grammar { syntax: GrammarSyntax::Lark, definition }) = &spec.input else {
        panic!("{:?}", spec.input)
    };
    assert!(definition.starts_with("start: "));
    assert_eq!(
        (spec.execution_mode, spec.destructive, spec.read_only),
        (ExecutionMode::Sequential, Some(true), false)
    );
    let call = testing::call(folder.tool(), json!({"input": patch("*** Add File: a\n+a\n")})).await;
    assert_eq!(call.model_text, "A a (+1 -0)");
}

#[tokio::test]
async fn a_refusal_is_one_of_the_arguments() {
    let call = Folder::new().call("no patch").await;
    let Err(tool_runtime::CallError::Tool(error)) = call.outcome else { panic!("{:?}", call.outcome) };
    assert_eq!(error.kind(), ToolErrorKind::InvalidArguments);
}

#[test]
fn the_catalog_has_it() {
    let folder = Folder::new();
    let tools = computer_tools(&Computer::new(folder.path("")).unwrap());
    assert!(tools.iter().any(|tool| tool.spec().name == "apply_patch"));
}
