//! Reported user code that the macros must take, at run time. What must not build is in `ui-cases`, and looked up here.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tool_runtime::testing::{TestCall, call};
use tool_runtime::{ToolError, WorkerAgentTool, testing, tools, worker_tool};

/// The message that a case of `ui` gets; there is one, at `place` (`line:column`).
fn message(case: &str, place: &str) -> String {
    let file =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("ui-cases/tests/ui").join(case).with_extension("stderr");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().filter(|line| line.starts_with("error")).count(), 1, "{text}");
    let first = text.lines().find(|line| line.contains("-->")).unwrap();
    assert!(first.ends_with(&format!(".rs:{place}")), "{text}");
    text
}

fn names(tools: &[WorkerAgentTool]) -> Vec<&str> {
    tools.iter().map(|tool| &*tool.spec().name).collect()
}

fn parameters(tool: &WorkerAgentTool) -> &Value {
    tool.definition().parameters().as_value()
}

fn text(call: &TestCall) -> String {
    assert!(call.outcome.is_ok(), "{}", call.text());
    call.text()
}

#[tokio::test]
async fn m_01_no_crate_but_the_runtime() {
    let tools = fixture_runtime_only::all();
    assert_eq!(text(&call(&tools[0], json!({"a": 1, "b": 2})).await), "3");
    assert_eq!(text(&call(&tools[0], json!({"a": 1})).await), "1");
    assert_eq!(text(&call(&tools[1], json!({"n": 4})).await), "Some(4) test_call");
}

mod shadowed {
    use tool_runtime::worker_tool;

    pub(super) struct MyError;

    impl ::std::convert::From<MyError> for tool_runtime::ToolError {
        fn from(_: MyError) -> Self {
            tool_runtime::ToolError::new("mine")
        }
    }

    type Result<T> = ::std::result::Result<T, MyError>;

    #[allow(dead_code, reason = "they only stand in the way")]
    mod in_the_way {
        pub(super) struct Option;
        pub(super) struct String;
        pub(super) struct Vec;
        pub(super) struct Some;
        pub(super) mod std {}
        pub(super) mod serde {}
    }
    #[allow(unused_imports, reason = "they only stand in the way")]
    use in_the_way::{Option, Some, String, Vec, serde, std};

    /// Gives the number, unless it is 0.
    #[worker_tool(activity = "Taking {n}", completed_activity = "Took {n}")]
    pub(super) async fn f(#[param] n: u32) -> Result<u32> {
        if n == 0 { Result::Err(MyError) } else { Result::Ok(n) }
    }
}

#[tokio::test]
async fn m_02_prelude_names_are_shadowed() {
    let call = call(&shadowed::f(), json!({"n": 3})).await;
    assert_eq!(text(&call), "3");
    assert_eq!(call.activity.as_deref(), Some("Taking 3"));
    assert_eq!(call.completed_activity.as_deref(), Some("Took 3"));
    let failed = testing::call(&shadowed::f(), json!({"n": 0})).await;
    assert_eq!(failed.text(), "mine");
}

/// The crate denies `missing_docs` (and all of clippy's stricter groups); that it is built is the case.
#[tokio::test]
async fn m_03_missing_docs_are_denied() {
    let tools = fixture_strict_lints::all(None);
    assert_eq!(tools[1].spec().description, "Reads a file.");
    assert_eq!(text(&call(&tools[1], json!({"path": "a"})).await), "a");
    assert_eq!(text(&call(&tools[2], json!({})).await), "");
}

#[tokio::test]
async fn m_04_lints_are_forbidden() {
    let tool = fixture_forbidden_lints::inc(0);
    let call = call(&tool, json!({"n": 1})).await;
    assert_eq!(call.completed_activity.as_deref(), Some("2"));
}

/// The crate forbids `unsafe_code`; that it is built is the case.
#[tokio::test]
async fn m_05_unsafe_code_is_forbidden() {
    let tools = fixture_strict_lints::all(Some("/root"));
    assert_eq!(
        names(&tools),
        ["read_page", "read_again", "described_by_a_constant", "nothing", "add", "flags", "raw", "run", "id"]
    );
    let call = call(&tools[0], json!({"path": "a"})).await;
    assert_eq!(text(&call), r#"{"lines":3}"#);
    assert_eq!(call.activity.as_deref(), Some("Reading a"));
    assert_eq!(call.completed_activity.as_deref(), Some("Read 3 lines of a"));
}

/// Matches.
#[worker_tool(activity = "Matching {type}")]
async fn r#match(#[param] r#type: String, #[param] r#in: u32) -> Result<String, ToolError> {
    Ok(format!("{type}{in}", type = r#type, in = r#in))
}

#[tokio::test]
async fn m_06_raw_identifiers() {
    let tool = r#match();
    assert_eq!(tool.spec().name, "match");
    let properties = parameters(&tool)["properties"].as_object().unwrap();
    assert_eq!(properties.keys().collect::<Vec<_>>(), ["type", "in"]);
    let call = call(&tool, json!({"type": "a", "in": 1})).await;
    assert_eq!(text(&call), "a1");
    assert_eq!(call.activity.as_deref(), Some("Matching a"));
}

#[tokio::test]
async fn m_07_the_runtime_has_another_name_or_comes_through_another_crate() {
    let renamed = fixture_renamed::all();
    let added = call(&renamed[0], json!({"a": 2})).await;
    assert_eq!(added.completed_activity.as_deref(), Some("Added 42"));
    let through = fixture_through_prelude::all();
    assert_eq!(names(&through), ["hello", "add"]);
    assert_eq!(text(&call(&through[0], json!({"times": 2})).await), "hellohello");
    assert_eq!(text(&call(&through[1], json!({"a": 1, "b": 2})).await), "3");
}

#[test]
fn m_08_a_future_that_is_not_send_is_one_error_with_its_notes() {
    let message = message("worker_tool/fail/m_08_not_send", "7:10");
    assert!(message.contains("future cannot be sent between threads safely"));
    assert!(message.contains("-- has type `Rc<u32>` which is not `Send`"));
    assert!(message.contains("await occurs here, with `rc` maybe used later"));
}

/// Adds.
#[worker_tool(function = add_plain)]
async fn add(#[state] base: u32, #[param] a: u32, #[param] b: u32) -> Result<u32, ToolError> {
    Ok(base + a + b)
}

#[tokio::test]
async fn m_09_the_plain_function_is_kept() {
    assert_eq!(add_plain(1, 2, 3).await.unwrap(), 6);
    assert_eq!(text(&call(&add(1), json!({"a": 2, "b": 3})).await), "6");
}

const ABOUT: &str = "Adds numbers.";

#[worker_tool(description = ABOUT)]
async fn add_by_constant(#[param] a: u32, #[param] b: u32) -> u32 {
    a + b
}

#[worker_tool(description = concat!("Adds ", "numbers."))]
async fn add_by_macro(#[param] a: u32, #[param] b: u32) -> u32 {
    a + b
}

#[tokio::test]
async fn m_10_the_description_is_a_constant() {
    for tool in tools![add_by_constant, add_by_macro] {
        assert_eq!(tool.spec().description, "Adds numbers.");
        assert_eq!(text(&call(&tool, json!({"a": 1, "b": 2})).await), "3");
    }
}

#[test]
fn m_11_arguments_without_a_concrete_type_or_a_plain_name() {
    let concrete = message("worker_tool/fail/m_11_impl_trait", "5:22");
    assert!(concrete.contains("needs a concrete type"));
    assert!(concrete.contains("^^^^^^^^^^^^^^^^^\n"), "all of `impl Into<String>` is marked");
    assert!(message("worker_tool/fail/m_11_pattern", "5:14").contains("has a plain name"));
    assert!(message("worker_tool/fail/method", "8:20").contains("a free function"));
}

fn seven() -> u32 {
    7
}

/// Finds.
#[worker_tool]
async fn find(
    /// What to look for.
    #[param]
    #[schemars(length(min = 1))]
    q: String,
    #[param]
    #[serde(default)]
    limit: u32,
    #[param]
    #[serde(default = "seven", rename = "max")]
    depth: u32,
) -> Result<String, ToolError> {
    Ok(format!("{q} {limit} {depth}"))
}

#[tokio::test]
async fn m_12_attributes_on_parameters() {
    let tool = find();
    let schema = parameters(&tool);
    assert_eq!(schema["properties"]["q"]["description"], "What to look for.");
    assert_eq!(schema["properties"]["q"]["minLength"], 1);
    assert_eq!(schema["required"], json!(["q"]));
    assert_eq!(text(&call(&tool, json!({"q": "a"})).await), "a 0 7");
    assert_eq!(text(&call(&tool, json!({"q": "a", "limit": 2, "max": 3})).await), "a 2 3");
}

mod inner {
    use super::{ToolError, worker_tool};

    /// Gives the number.
    #[worker_tool]
    pub(crate) async fn f(#[param] n: u32) -> Result<u32, ToolError> {
        Ok(n)
    }
}

#[tokio::test]
async fn m_13_visibility_is_that_of_the_function() {
    use inner::f;
    assert_eq!(names(&tools![inner::f, f()]), ["f", "f"]);
    assert_eq!(text(&call(&f(), json!({"n": 3})).await), "3");
    let message = message("worker_tool/fail/m_13_private", "14:19");
    assert!(message.contains("function `f` is private"), "{message}");
}

#[test]
fn m_14_borrowed_arguments() {
    for (case, place) in [("m_14_borrowed_text", "5:22"), ("m_14_borrowed_params", "7:22")] {
        let message = message(&format!("worker_tool/fail/{case}"), place);
        assert!(message.contains("take an owned type"), "{message}");
    }
}

/// Does nothing.
#[worker_tool]
async fn nothing() {}

#[test]
fn m_15_an_entry_is_configured_out_or_is_no_tool() {
    let list = tools![
        #[cfg(any())]
        extra,
        nothing,
    ];
    assert_eq!(names(&list), ["nothing"]);
    assert!(tools![].is_empty());
    let message = message("tools/fail/m_15_not_a_tool", "14:19");
    assert!(message.contains("does not make a tool"), "{message}");
    assert!(message.contains("`#[worker_tool]`"), "{message}");
}
