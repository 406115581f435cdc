//! Each ending of a turn.

use std::future::pending;

use serde_json::{Value, json};
use tests::anthropic_rules;
use tests::latch::latch;
use tests::responses_rules::complaints;
use tests::script::{ScriptedModel, Step, calls, cut, results, says, stopped, user_texts};
use tool_runtime::provider::anthropic;
use tool_runtime::provider::responses::encode_input;
use tool_runtime::{
    CallSummary, CancellationToken, DispatchOptions, Ending, Item, ModelError, ModelResponse, Native,
    Steering, StopReason, ToolOutput, ToolSet,
};

use super::{agent, echo, finish, reads, run, writes};

fn ids(calls: &[CallSummary]) -> Vec<&str> {
    calls.iter().map(|call| call.call_id.as_str()).collect()
}

#[tokio::test]
async fn a_turn_without_calls_finishes_with_the_text() {
    let model = ScriptedModel::new([says("hello")]);
    let outcome = run(agent(&model, Vec::new())).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!((outcome.text.as_str(), outcome.iterations, outcome.first_new), ("hello", 1, 1));
    assert_eq!(outcome.items, [Item::user("go"), Item::assistant("hello")]);
    assert_eq!(outcome.new_items(), [Item::assistant("hello")]);
}

#[tokio::test]
async fn rounds_go_on_until_no_call_is_left() {
    let model = ScriptedModel::new([
        calls(&[("c1", "echo", r#"{"text":"one"}"#)]),
        calls(&[("c2", "echo", r#"{"text":"two"}"#)]),
        says("done"),
    ]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(outcome.iterations, 3);
    assert_eq!(results(&model.asked()[2].items).len(), 2);
    assert_eq!(outcome.results.len(), 2);
}

#[tokio::test]
async fn a_tool_ends_the_turn_and_all_results_are_kept() {
    let model =
        ScriptedModel::new([calls(&[("c1", "finish", "{}"), ("c2", "echo", "{}")]), says("never asked")]);
    let outcome = run(agent(&model, vec![finish(), echo("echo")])).await;
    let Ending::EndedByTool(call) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!((call.call_id.as_str(), call.tool.as_str()), ("c1", "finish"));
    assert_eq!(model.remaining(), 1);
    assert_eq!(
        results(&outcome.items)[1],
        (
            "c2".to_owned(),
            "error: the turn has ended with the call of `finish`, so this call was not started".to_owned()
        )
    );
}

#[tokio::test]
async fn of_two_ending_calls_of_a_group_the_first_in_call_order_counts() {
    let last = || reads("last", |_, _| async { ToolOutput::text("over").ends_turn() });
    let model = ScriptedModel::new([calls(&[("c1", "last", "{}"), ("c2", "last", "{}")])]);
    let outcome = run(agent(&model, vec![last()])).await;
    assert!(matches!(&outcome.ending, Ending::EndedByTool(call) if call.call_id == "c1"));
}

#[tokio::test]
async fn after_the_limit_there_is_one_synthesis_round_and_then_a_hard_stop() {
    let insisting = (0..9).map(|_| calls(&[("", "echo", "{}")]));
    let model = ScriptedModel::new(insisting);
    let outcome = run(agent(&model, vec![echo("echo")]).iteration_limit(3)).await;
    assert!(matches!(outcome.ending, Ending::IterationLimit { limit: 3 }));
    assert_eq!((outcome.iterations, model.remaining()), (4, 5));
    let told = results(&outcome.items);
    assert_eq!(told[2].1, "ok");
    assert!(told[3].1.starts_with("error: the call was not run: the turn has no rounds"), "{}", told[3].1);
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
}

#[tokio::test]
async fn a_text_in_the_last_round_needs_no_synthesis() {
    let model = ScriptedModel::new([calls(&[("", "echo", "{}")]), says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")]).iteration_limit(2)).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(user_texts(&outcome.items), ["go"]);
}

#[tokio::test]
async fn a_text_that_was_cut_is_the_last_and_the_caller_sees_it() {
    let model = ScriptedModel::new([cut(says("half an ans"))]);
    let outcome = run(agent(&model, Vec::new())).await;
    assert!(matches!(outcome.ending, Ending::Cut(StopReason::OutputLimit)));
    assert_eq!(outcome.text, "half an ans");
}

#[tokio::test]
async fn a_response_cut_before_it_says_anything_gets_one_more_try() {
    let nothing = || cut(says(""));
    let model = ScriptedModel::new([nothing(), says("short")]);
    let outcome = run(agent(&model, Vec::new())).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(user_texts(&outcome.items).len(), 2);
    let model = ScriptedModel::new([nothing(), nothing(), says("never asked")]);
    let outcome = run(agent(&model, Vec::new())).await;
    assert!(matches!(outcome.ending, Ending::Cut(StopReason::OutputLimit)));
}

#[tokio::test]
async fn what_a_filter_cut_is_not_asked_for_again() {
    let filtered = stopped(calls(&[("c1", "echo", "{}")]), StopReason::Filtered);
    let model = ScriptedModel::new([filtered, says("never asked")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert!(matches!(outcome.ending, Ending::Cut(StopReason::Filtered)));
    assert_eq!(results(&outcome.items).len(), 1);
}

#[tokio::test(start_paused = true)]
async fn cancelling_tells_what_ran_what_may_have_had_effects_and_what_did_not_start() {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let stuck = writes("stuck", move |_, _| {
        stop.cancel();
        pending::<String>()
    });
    let asked = [("c1", "echo", "{}"), ("c2", "stuck", "{}"), ("c3", "echo", "{}")];
    let model = ScriptedModel::new([calls(&asked), says("never asked")]);
    let outcome = agent(&model, vec![echo("echo"), stuck]).run("go", &cancel).await.unwrap();
    let Ending::Cancelled(cancelled) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!(ids(&cancelled.answered), ["c1"]);
    assert_eq!(ids(&cancelled.interrupted), ["c2"]);
    assert_eq!(ids(&cancelled.not_started), ["c3"]);
    assert_eq!(ids(&cancelled.still_running), Vec::<&str>::new());
    assert_eq!(model.remaining(), 1);
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
}

#[tokio::test]
async fn a_turn_that_is_cancelled_says_nothing_more_and_leaves_what_the_user_said() {
    // Once with rounds left, and once in the last one.
    for limit in [5, 1] {
        let (cancel, steering) = (CancellationToken::new(), Steering::new());
        let (stop, user) = (cancel.clone(), steering.clone());
        let last = writes("last", move |_, _| {
            user.send("stop!");
            stop.cancel();
            async { "done" }
        });
        let model = ScriptedModel::new([calls(&[("c1", "last", "{}")]), says("never asked")]);
        let turn = agent(&model, vec![last]).steering(steering.clone()).iteration_limit(limit);
        let outcome = turn.run("go", &cancel).await.unwrap();
        assert!(matches!(outcome.ending, Ending::Cancelled(_)));
        assert_eq!(user_texts(&outcome.items), ["go"]);
        assert_eq!(steering.take(), [Item::user("stop!")]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_cannot_be_stopped_is_reported_as_running() {
    let (open, latch) = latch();
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let blocks = writes("blocks", move |_, cx| {
        let (latch, stop) = (latch.clone(), stop.clone());
        async move {
            cx.run_blocking(move || {
                stop.cancel();
                latch.wait();
            })
            .await
        }
    });
    let model = ScriptedModel::new([calls(&[("c1", "blocks", "{}")])]);
    let options = DispatchOptions::new().grace(std::time::Duration::from_millis(10));
    let outcome = agent(&model, vec![blocks]).dispatch(options).run("go", &cancel).await.unwrap();
    let Ending::Cancelled(cancelled) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!(ids(&cancelled.interrupted), ["c1"]);
    assert_eq!(ids(&cancelled.still_running), ["c1"]);
    drop(open);
}

#[tokio::test]
async fn cancelling_gives_up_a_request_and_leaves_a_conversation_that_can_go_on() {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let last = calls(&[("c1", "echo", "{}")]);
    let hang = Step::Do(Box::new(move |_| {
        stop.cancel();
        Ok(last)
    }));
    let model = ScriptedModel::new([hang, Step::Hang]);
    let outcome = agent(&model, vec![echo("echo")]).run("go", &cancel).await.unwrap();
    let Ending::Cancelled(cancelled) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!(ids(&cancelled.not_started), ["c1"]);
    let mut items = outcome.items;
    items.push(Item::user("again"));
    let model = ScriptedModel::new([says("hello")]);
    let outcome = agent(&model, vec![echo("echo")]).run(items, &CancellationToken::new()).await.unwrap();
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(complaints(&model.asked()[0].input()), Vec::<String>::new());
}

#[tokio::test]
async fn a_turn_cancelled_before_it_begins_asks_nothing() {
    let cancel = CancellationToken::new();
    cancel.cancel();
    let model = ScriptedModel::new([says("never asked")]);
    let outcome = agent(&model, Vec::new()).run("go", &cancel).await.unwrap();
    assert!(matches!(outcome.ending, Ending::Cancelled(_)));
    assert_eq!((outcome.items.len(), model.asked().len()), (1, 0));
}

#[tokio::test]
async fn a_model_that_fails_leaves_its_own_error_and_all_results() {
    let error = ModelError::provider("the key is wrong", false).with_code("invalid_key");
    let model = ScriptedModel::new([Step::from(calls(&[("c1", "echo", "{}")])), Step::from(error.clone())]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert!(matches!(&outcome.ending, Ending::ModelFailed(original) if *original == error));
    assert_eq!(results(&outcome.items).len(), 1);
    assert_eq!(model.asked().len(), 2);
}

/// A response that the provider pauses in the middle of a tool of its own.
fn paused() -> ModelResponse {
    let call =
        json!({"type": "server_tool_use", "id": "srvtoolu_1", "name": "web_search", "input": {"query": "x"}});
    let call = Item::Opaque(Native::new(anthropic::FORMAT, call));
    stopped(ModelResponse::new(vec![Item::assistant("I look it up. "), call]), StopReason::Paused)
}

fn resumed() -> ModelResponse {
    let found = json!({"type": "web_search_tool_result", "tool_use_id": "srvtoolu_1", "content": []});
    ModelResponse::new(vec![
        Item::Opaque(Native::new(anthropic::FORMAT, found)),
        Item::assistant("Nothing is there."),
    ])
}

/// The conversation as the Messages API gets it.
fn messages(items: &[Item]) -> Vec<Value> {
    let set = ToolSet::new(Vec::new()).unwrap();
    serde_json::from_str(&anthropic::encode_messages(&set, items)).unwrap()
}

#[tokio::test]
async fn a_paused_response_goes_back_as_it_is_and_the_model_goes_on() {
    let model = ScriptedModel::new([paused(), resumed()]);
    let outcome = run(agent(&model, Vec::new())).await;
    assert!(matches!(outcome.ending, Ending::Finished), "{:?}", outcome.ending);
    assert_eq!((outcome.text.as_str(), outcome.iterations), ("I look it up. Nothing is there.", 2));
    let asked = &model.asked()[1].items;
    assert_eq!(asked[1..], paused().items, "nothing is left out, and nobody says anything in between");
    let sent = messages(asked);
    assert_eq!(sent.len(), 2);
    assert_eq!(sent[1]["content"][1]["id"], "srvtoolu_1");
    // Together they are one message of the model.
    assert_eq!(anthropic_rules::complaints(&messages(&outcome.items)), Vec::<String>::new());
    assert_eq!(messages(&outcome.items).len(), 2);
}

#[tokio::test]
async fn a_pause_without_a_round_left_ends_the_turn_with_a_conversation_that_can_go_on() {
    let model = ScriptedModel::new([paused(), resumed()]);
    let outcome = run(agent(&model, Vec::new()).iteration_limit(1)).await;
    assert!(matches!(outcome.ending, Ending::Cut(StopReason::Paused)), "{:?}", outcome.ending);
    assert_eq!((outcome.text.as_str(), model.remaining()), ("I look it up. ", 1));
    let mut items = outcome.items;
    items.push(Item::user("And?"));
    // The call of the provider's tool has no result now, and would be refused.
    let sent = messages(&items);
    assert_eq!(anthropic_rules::complaints(&sent), Vec::<String>::new());
    assert!(!json!(sent).to_string().contains("srvtoolu_1"));
}

fn malformed() -> ModelResponse {
    stopped(ModelResponse::new(Vec::new()), StopReason::MalformedCall("print(echo(1))".to_owned()))
}

#[tokio::test]
async fn a_call_that_the_provider_could_not_read_is_told_to_the_model_which_tries_again() {
    let model = ScriptedModel::new([malformed(), calls(&[("c1", "echo", "{}")]), malformed(), says("done")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert!(matches!(outcome.ending, Ending::Finished), "{:?}", outcome.ending);
    assert_eq!(outcome.results.len(), 1);
    assert_eq!(
        user_texts(&model.asked()[1].items)[1],
        "Your call could not be read, so nothing was run (print(echo(1))). Call again: one of the listed tools by its \
         exact name, with its arguments as one JSON object and no code around it. Or answer without a call."
    );
}

#[tokio::test]
async fn the_third_call_that_the_provider_could_not_read_ends_the_turn() {
    let model = ScriptedModel::new([malformed(), malformed(), malformed(), says("never asked")]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    let Ending::MalformedCall { said, times } = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!((said.as_str(), *times, outcome.ending.kind()), ("print(echo(1))", 3, "malformed_call"));
    assert_eq!((outcome.results.len(), model.remaining()), (0, 1));
    assert_eq!(complaints(&encode_input(&outcome.items)), Vec::<String>::new());
    let model = ScriptedModel::new([malformed(), says("never asked")]);
    let outcome = run(agent(&model, vec![echo("echo")]).iteration_limit(1)).await;
    assert!(matches!(outcome.ending, Ending::MalformedCall { times: 1, .. }), "{:?}", outcome.ending);
}
