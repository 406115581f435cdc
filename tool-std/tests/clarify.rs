//! The question to the person, through the tool as a model calls it.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops at what must not be")]

use serde_json::{Value, json};
use tool_runtime::{
    CancellationToken, DispatchOptions, EventKind, Events, ToolCall, ToolSet, dispatch, testing, tools,
};
use tool_std::clarify::{clarify, clarify_tools};

async fn refused(arguments: Value) -> String {
    let call = testing::call(&clarify(), arguments).await;
    assert!(call.outcome.is_err(), "{call:?}");
    assert!(call.events.iter().all(|event| !matches!(event, EventKind::Presentation { .. })), "{call:?}");
    call.model_text
}

#[tokio::test]
async fn asks_and_ends_the_turn() {
    let arguments = json!({
        "question": "  Which of the two?\n",
        "choices": ["the first", {"label": " the second ", "description": "costs more"}],
    });
    let call = testing::call(&clarify(), arguments).await;
    let output = call.outcome.as_ref().unwrap();
    assert!(output.ends_turn);
    let choices = json!([{"label": "the first"}, {"label": "the second", "description": "costs more"}]);
    let details = json!({"tool": "clarify", "ok": true, "question": "Which of the two?", "choices": choices});
    assert_eq!(call.details::<Value>().unwrap(), details);
    assert_eq!(serde_json::from_str::<Value>(&call.model_text).unwrap(), details);
    assert_eq!(call.activity.as_deref(), Some("Asking a question"));

    let shown = call.events.iter().find_map(|event| match event {
        EventKind::Presentation { event, .. } => Some(event),
        _ => None,
    });
    let shown = shown.unwrap();
    assert_eq!(shown.kind, "interaction.request");
    let payload = json!({"operation_id": "test_call", "question": "Which of the two?", "choices": choices});
    assert_eq!(shown.payload, payload);
}

#[tokio::test]
async fn a_question_without_choices_has_an_empty_list() {
    let call = testing::call(&clarify(), json!({"question": "What is it called?"})).await;
    assert_eq!(call.details::<Value>().unwrap()["choices"], json!([]));
}

#[tokio::test]
async fn a_description_that_says_the_label_again_is_dropped() {
    let choices = json!([{"label": "yes", "description": " yes"}, {"label": "no", "description": "  "}]);
    let call = testing::call(&clarify(), json!({"question": "Go on?", "choices": choices})).await;
    assert_eq!(call.details::<Value>().unwrap()["choices"], json!([{"label": "yes"}, {"label": "no"}]));
}

#[tokio::test]
async fn limits_are_told() {
    let question = "a string of 1 to 2000 characters";
    assert!(refused(json!({"question": "x".repeat(2_001)})).await.contains(question));
    assert!(refused(json!({"question": ""})).await.contains(question));
    for choices in [json!(["one"]), json!(["1", "2", "3", "4", "5"])] {
        let refusal = refused(json!({"question": "?", "choices": choices})).await;
        assert!(refusal.contains("`/choices`: expected a list of 2 to 4 items"), "{refusal}");
    }
    let long = json!([{"label": "a", "description": "x".repeat(501)}, "b"]);
    let refusal = refused(json!({"question": "?", "choices": long})).await;
    assert!(refusal.contains("1 to 500 characters"), "{refusal}");
    let refusal = refused(json!({"question": "?", "choices": ["x".repeat(201), "b"]})).await;
    assert!(refusal.contains("1 to 200 characters"), "{refusal}");
}

#[tokio::test]
async fn blanks_and_equal_labels_are_refused() {
    assert!(refused(json!({"question": " \n "})).await.contains("`question` is blank"));
    assert!(refused(json!({"question": "?", "choices": ["a", "  "]})).await.contains("blank label"));
    let equal = refused(json!({"question": "?", "choices": ["a", "b", {"label": " a"}]})).await;
    assert!(equal.contains("two of the `choices` are `a`"), "{equal}");
}

#[tokio::test]
async fn nothing_runs_behind_the_question() {
    let set = ToolSet::new(tools![..clarify_tools()]).unwrap();
    let calls = vec![
        ToolCall::new("first", "clarify", r#"{"question": "Which?"}"#),
        ToolCall::new("second", "clarify", r#"{"question": "And which?"}"#),
    ];
    let events = Events::none();
    let results = dispatch(&set, calls, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    assert!(results[0].outcome.as_ref().unwrap().ends_turn);
    assert!(results[1].outcome.is_err(), "{results:?}");
}

#[test]
fn the_flags_are_those_of_a_question() {
    let tool = clarify();
    let spec = tool.spec();
    assert_eq!((spec.read_only, spec.destructive), (false, Some(false)));
    assert_eq!(spec.execution_mode, tool_runtime::ExecutionMode::Sequential);
}
