//! The contract of every standard tool: its name, flags, parameters and their limits.
//!
//! `docs/tools.md` is made from the tools: `UPDATE_EXPECT=1 cargo test -p tool-std --test contract`, then read the diff. What
//! stands below in [`CONTRACTS`] is written by hand, so that a contract changes on purpose or not at all.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]
#![cfg(feature = "cli")]

use std::fs;
use std::path::Path;
use std::process::Command;

use expect_test::expect_file;
use serde_json::Value;
use tool_runtime::{DEFAULT_MAX_OUTPUT, ExecutionMode, Input, WorkerAgentTool};
use tool_std::computer::Computer;
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};

/// What a tool promises.
struct Contract {
    name: &'static str,
    /// All that is not as with a sequential tool that writes, destroys nothing and stays in the host's control.
    flags: &'static [&'static str],
    /// The parameters, as [`lines`] writes them; `?` marks those that may be left out.
    parameters: &'static [&'static str],
}

const CONTRACTS: &[Contract] = &[Contract {
    name: "todo",
    flags: &[],
    parameters: &[
        "todos?: array|null maxItems=256",
        "todos[]: object",
        "todos[].id: string minLength=1 maxLength=100",
        "todos[].content?: string|null minLength=1 maxLength=4000",
        "todos[].status?: string|null enum=[\"pending\",\"in_progress\",\"completed\",\"cancelled\",null]",
        "merge?: boolean default=false",
    ],
}];

/// All that a turn can have.
fn whole_turn(folder: &Path) -> Vec<WorkerAgentTool> {
    let computer = Computer::builder(folder).user_files(folder).build().unwrap();
    main_turn_tools(&TurnContext::new(TodoStore::new()).computer(computer))
}

fn flags(tool: &WorkerAgentTool) -> Vec<String> {
    let spec = tool.spec();
    let named = [
        (spec.execution_mode == ExecutionMode::Parallel, "parallel"),
        (spec.read_only, "read_only"),
        (spec.is_destructive(), "destructive"),
        (spec.idempotent, "idempotent"),
        (spec.open_world, "open_world"),
        (spec.strict, "strict"),
        (spec.input != Input::Json, "text"),
        (spec.defer_loading, "defer_loading"),
    ];
    let named = named.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word.to_owned());
    let time = spec.timeout.map(|timeout| format!("timeout {timeout:?}"));
    let size = (spec.max_output != DEFAULT_MAX_OUTPUT).then(|| format!("max_output {}", spec.max_output));
    named.chain(time).chain(size).collect()
}

/// The parameters, one a line: name, types, and every keyword but the texts. Objects are closed unless the line says `open`.
fn parameters(tool: &WorkerAgentTool) -> Vec<String> {
    let mut found = Vec::new();
    inner("", tool.definition().parameters().as_value(), &mut found);
    found
}

fn lines(name: &str, schema: &Value, is_required: bool, found: &mut Vec<String>) {
    let kind = match &schema["type"] {
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("|"),
        kind => kind.as_str().unwrap_or("any").to_owned(),
    };
    let mut line = format!("{name}{}: {kind}", if is_required { "" } else { "?" });
    for (keyword, value) in schema.as_object().unwrap() {
        match keyword.as_str() {
            "type" | "description" | "properties" | "required" | "items" | "additionalProperties" => {}
            keyword => line.push_str(&format!(" {keyword}={value}")),
        }
    }
    if kind.contains("object") && schema.get("additionalProperties").is_none_or(|value| *value == true) {
        line.push_str(" open");
    }
    found.push(line);
    inner(name, schema, found);
}

/// The schemas within a schema.
fn inner(name: &str, schema: &Value, found: &mut Vec<String>) {
    if let Some(items) = schema.get("items") {
        lines(&format!("{name}[]"), items, true, found);
    }
    if let Some(values) = schema.get("additionalProperties").filter(|values| values.is_object()) {
        lines(&format!("{name}.*"), values, true, found);
    }
    let required = schema["required"].as_array().cloned().unwrap_or_default();
    for (key, property) in schema["properties"].as_object().into_iter().flatten() {
        let separator = if name.is_empty() { "" } else { "." };
        lines(&format!("{name}{separator}{key}"), property, required.contains(&Value::from(&**key)), found);
    }
}

#[test]
fn every_tool_keeps_its_contract() {
    let folder = tempfile::tempdir().unwrap();
    let tools = whole_turn(folder.path());
    let names: Vec<_> = tools.iter().map(|tool| tool.spec().display_name()).collect();
    let expected: Vec<_> = CONTRACTS.iter().map(|contract| contract.name).collect();
    assert_eq!(names, expected, "each tool has its row in `CONTRACTS`, in the order of the turn");
    for (tool, contract) in tools.iter().zip(CONTRACTS) {
        assert_eq!(flags(tool), contract.flags, "the flags of `{}`", contract.name);
        assert_eq!(parameters(tool), contract.parameters, "the parameters of `{}`", contract.name);
        let root = tool.definition().parameters().as_value();
        assert_eq!(
            root["additionalProperties"], false,
            "unknown parameters of `{}` are refused",
            contract.name
        );
    }
}

const GENERATED: &str = "<!-- From here on made from the tools, see tool-std/tests/contract.rs -->\n\n";

#[test]
fn the_page_of_the_tools_is_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_worker-tools"))
        .args(["list", "--markdown", "--workspace"])
        .arg(folder.path())
        .arg("--user-files")
        .arg(folder.path())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/tools.md");
    let page = fs::read_to_string(page).unwrap();
    let (head, _) = page.split_once(GENERATED).unwrap();
    let made = String::from_utf8(output.stdout).unwrap();
    expect_file!["../../docs/tools.md"].assert_eq(&format!("{head}{GENERATED}{made}"));
}
