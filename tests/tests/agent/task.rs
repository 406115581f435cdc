//! A task with a fixed catalog: it is done when `submit_result` has taken a value that fits, and in no other way.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tests::script::{ScriptedModel, calls, says};
use tool_runtime::{
    Agent, Correction, Ending, FinalAnswer, Outcome, ToolChoice, ToolError, ToolName, ToolOutput, ToolSet,
    ToolSpec, WorkerAgentTool,
};

use super::{agent, echo, run};

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"count": {"type": "integer", "minimum": 1}},
        "required": ["count"],
        "additionalProperties": false
    })
}

/// Keeps the value and ends the turn.
fn submit_result(accepted: Arc<Mutex<Option<Value>>>) -> WorkerAgentTool {
    ToolSpec::new("submit_result", "Submits the result of the task.")
        .strict(true)
        .destructive(false)
        .schema::<Value>(schema())
        .execute(move |value, _| {
            *accepted.lock().unwrap() = Some(value);
            async { Ok::<_, ToolError>(ToolOutput::text("accepted").ends_turn()) }
        })
}

fn demand(_: &FinalAnswer<'_>) -> Option<Correction> {
    let correction = Correction::new("The task ends by `submit_result` only. Call it now.");
    Some(correction.offer([ToolName::bare("submit_result")]).tool_choice(ToolChoice::Required))
}

fn task(model: &ScriptedModel) -> (Agent, Arc<Mutex<Option<Value>>>) {
    let accepted = Arc::default();
    let tools = vec![echo("recall"), submit_result(Arc::clone(&accepted))];
    (agent(model, tools).check_answer(demand), accepted)
}

async fn run_task(model: &ScriptedModel) -> (Outcome, Option<Value>) {
    let (agent, accepted) = task(model);
    let outcome = run(agent).await;
    let value = accepted.lock().unwrap().clone();
    (outcome, value)
}

#[tokio::test]
async fn a_value_that_fits_ends_the_task() {
    let model = ScriptedModel::new([
        calls(&[("c1", "recall", "{}")]),
        calls(&[("c2", "submit_result", r#"{"count":3}"#)]),
        says("never asked"),
    ]);
    let (outcome, value) = run_task(&model).await;
    assert!(matches!(&outcome.ending, Ending::EndedByTool(call) if call.tool == "submit_result"));
    assert_eq!((value, model.remaining()), (Some(json!({"count": 3})), 1));
    let submit = &model.asked()[0].body["tools"][1];
    assert_eq!((&submit["name"], &submit["strict"]), (&json!("submit_result"), &json!(true)));
    assert_eq!(submit["parameters"]["properties"]["count"]["minimum"], 1);
}

#[tokio::test]
async fn a_value_that_does_not_fit_keeps_the_turn_open_and_says_why() {
    let model = ScriptedModel::new([
        calls(&[("c1", "submit_result", r#"{"count":0}"#)]),
        calls(&[("c2", "submit_result", r#"{"count":1}"#)]),
    ]);
    let (outcome, value) = run_task(&model).await;
    let told = outcome.results[0].model_text();
    assert!(told.contains("`submit_result`") && told.contains("count"), "{told}");
    assert!(matches!(outcome.ending, Ending::EndedByTool(_)));
    assert_eq!(value, Some(json!({"count": 1})));
}

#[tokio::test]
async fn prose_gets_one_instruction_and_then_fails_the_task() {
    let model =
        ScriptedModel::new([says("There are three."), says("As I said: three."), says("never asked")]);
    let (outcome, value) = run_task(&model).await;
    assert!(matches!(outcome.ending, Ending::NotAccepted { .. }));
    assert_eq!((value, model.remaining()), (None, 1));
    assert_eq!(model.asked()[1].offered, ["submit_result"]);
}

#[tokio::test]
async fn prose_and_then_a_value_is_a_result() {
    let model =
        ScriptedModel::new([says("There are three."), calls(&[("", "submit_result", r#"{"count":3}"#)])]);
    let (outcome, value) = run_task(&model).await;
    assert!(matches!(outcome.ending, Ending::EndedByTool(_)));
    assert_eq!(value, Some(json!({"count": 3})));
}

#[tokio::test]
async fn the_host_checks_a_value_again_with_a_set_of_its_own() {
    let check = ToolSpec::new("check", "Checks a value.").schema::<Value>(schema());
    let set = ToolSet::new(vec![check.execute(|_, _| async {})]).unwrap();
    assert!(set.call("check", r#"{"count":3}"#).await.is_ok());
    assert!(set.call("check", r#"{"count":0}"#).await.is_err());
    assert!(set.call("check", r#"{"count":3,"more":1}"#).await.is_err());
}
