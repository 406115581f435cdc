//! What the loop does around a request: retries, anchors, tools that a search found, what a provider cannot enforce.

use serde_json::json;
use tests::script::{ScriptedModel, Step, calls, cut, says, with_id};
use tool_runtime::{
    AllowedCallers, Anchor, CancellationToken, Ending, EventKind, Item, LoadedItem, ModelError,
    ModelResponse, Native, StrictDropped, ToolName, ToolSpec, Usage, event_channel,
};

use super::{agent, echo, run};

fn overloaded() -> Step {
    Step::Fail(ModelError::provider("overloaded", true))
}

#[tokio::test(start_paused = true)]
async fn a_failure_that_may_heal_is_tried_three_times_and_each_is_told() {
    let model = ScriptedModel::new([overloaded(), overloaded(), says("hello").into()]);
    let (sender, mut events) = event_channel(100);
    let outcome = run(agent(&model, Vec::new()).events(sender)).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(model.asked().len(), 3);
    let mut retries = Vec::new();
    while let Some(event) = events.next().await {
        if let EventKind::Retry { attempt, wait, reason } = event.kind {
            retries.push((attempt, wait.as_millis(), reason));
        }
    }
    assert_eq!(retries.iter().map(|retry| retry.0).collect::<Vec<_>>(), [2, 3]);
    assert!((375..=500).contains(&retries[0].1) && (750..=1_000).contains(&retries[1].1), "{retries:?}");
    assert_eq!(retries[0].2, "overloaded");
}

#[tokio::test(start_paused = true)]
async fn attempts_are_bounded_and_the_last_error_is_kept() {
    let model = ScriptedModel::new([overloaded(), overloaded(), overloaded(), says("never asked").into()]);
    let outcome = run(agent(&model, Vec::new())).await;
    assert!(matches!(&outcome.ending, Ending::ModelFailed(error) if error.message == "overloaded"));
    assert_eq!(model.remaining(), 1);
    let model = ScriptedModel::new([overloaded(), says("never asked").into()]);
    assert!(matches!(run(agent(&model, Vec::new()).attempts(1)).await.ending, Ending::ModelFailed(_)));
}

#[tokio::test(start_paused = true)]
async fn cancelling_ends_the_wait_between_attempts() {
    let cancel = CancellationToken::new();
    let stop = cancel.clone();
    let fail = Step::Do(Box::new(move |_| {
        stop.cancel();
        Err(ModelError::provider("overloaded", true))
    }));
    let model = ScriptedModel::new([fail, says("never asked").into()]);
    let outcome = agent(&model, Vec::new()).run("go", &cancel).await.unwrap();
    assert!(matches!(outcome.ending, Ending::Cancelled(_)));
}

#[tokio::test]
async fn nothing_is_asked_again_once_text_was_shown_or_a_program_may_have_run() {
    let shown = Step::ShowAndFail("Hel".to_owned(), ModelError::provider("cut off", true));
    let model = ScriptedModel::new([shown, says("never asked").into()]);
    assert!(matches!(run(agent(&model, Vec::new())).await.ending, Ending::ModelFailed(_)));
    let program = ToolSpec::new("stock", "Counts.").allowed_callers(AllowedCallers::Programmatic);
    let program = program.no_parameters().execute(|_, _| async { "7" });
    let model = ScriptedModel::new([overloaded(), says("never asked").into()]);
    assert!(matches!(run(agent(&model, vec![program])).await.ending, Ending::ModelFailed(_)));
}

#[tokio::test]
async fn a_next_request_builds_on_the_last_response_that_it_can_build_on() {
    let model = ScriptedModel::new([
        with_id(calls(&[("c1", "echo", "{}")]), "r1"),
        with_id(cut(calls(&[("c2", "echo", "{}")])), "r2"),
        with_id(calls(&[("c1", "echo", "{}")]), "r3"),
        with_id(says("done"), "r4"),
    ]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    let previous: Vec<_> = model.asked().into_iter().map(|asked| asked.previous).collect();
    // Not on the cut one; and not on the third, whose call has an id that was given before.
    assert_eq!(previous, [None, Some(("r1".to_owned(), 2)), None, None]);
    let anchor = outcome.anchor.unwrap();
    assert_eq!((anchor.id.as_str(), anchor.known), ("r4", outcome.items.len()));

    let mut items = outcome.items;
    items.push(Item::user("more"));
    let known = anchor.known;
    let model = ScriptedModel::new([says("hello")]);
    agent(&model, vec![echo("echo")]).anchor(anchor).run(items, &CancellationToken::new()).await.unwrap();
    assert_eq!(model.asked()[0].previous, Some(("r4".to_owned(), known)));
}

#[tokio::test]
async fn an_anchor_is_dropped_when_the_conversation_had_to_be_mended() {
    let items = vec![calls(&[("c1", "echo", "{}")]).items.remove(0), Item::user("go on")];
    let model = ScriptedModel::new([says("hello")]);
    let agent = agent(&model, vec![echo("echo")]).anchor(Anchor::new("r0", 1));
    agent.run(items, &CancellationToken::new()).await.unwrap();
    assert_eq!(model.asked()[0].previous, None);
}

#[tokio::test]
async fn a_tool_that_the_providers_search_found_can_be_called_also_in_the_next_turn() {
    let find = || {
        let spec = ToolSpec::new("find", "Finds.").defer_loading(true).read_only(true);
        spec.no_parameters().execute(|_, _| async { "found" })
    };
    let native = Native::new("openai.responses", json!({"type": "tool_search_output", "tools": []}));
    let loaded = Item::Loaded(LoadedItem::new(vec![ToolName::bare("find")], native));
    let mut searched = calls(&[("c1", "find", "{}")]);
    searched.items.insert(0, loaded);
    let model = ScriptedModel::new([searched, says("done")]);
    let outcome = run(agent(&model, vec![find()])).await;
    assert_eq!(outcome.results[0].model_text(), "found");
    let model = ScriptedModel::new([calls(&[("c2", "find", "{}")]), says("done")]);
    let next = agent(&model, vec![find()]).run(outcome.items, &CancellationToken::new()).await.unwrap();
    assert_eq!(next.results[0].model_text(), "found");
}

#[tokio::test]
async fn what_a_provider_cannot_enforce_is_told_once_a_turn() {
    let dropping = |mut response: ModelResponse| {
        response.strict_dropped = vec![StrictDropped::new("echo", "too deep")];
        response
    };
    let model = ScriptedModel::new([dropping(calls(&[("", "echo", "{}")])), dropping(says("done"))]);
    let (sender, mut events) = event_channel(100);
    run(agent(&model, vec![echo("echo")]).events(sender)).await;
    let mut told = 0;
    while let Some(event) = events.next().await {
        told += u32::from(matches!(event.kind, EventKind::StrictDropped { .. }));
    }
    assert_eq!(told, 1);
}

#[tokio::test]
async fn what_the_responses_cost_is_summed_up() {
    let costing = |mut response: ModelResponse, input, output| {
        response.usage = Usage::default();
        response.usage.input_tokens = input;
        response.usage.output_tokens = output;
        response
    };
    let model = ScriptedModel::new([
        costing(calls(&[("", "echo", "{}")]), 10, 2),
        costing(says("done"), 20, u64::MAX),
    ]);
    let outcome = run(agent(&model, vec![echo("echo")])).await;
    assert_eq!((outcome.usage.input_tokens, outcome.usage.output_tokens), (30, u64::MAX));
}

#[tokio::test]
async fn settings_of_the_turn_go_with_each_request() {
    let model = ScriptedModel::new([calls(&[("", "echo", "{}")]), says("done")]);
    run(agent(&model, vec![echo("echo")]).instructions("Be brief.").max_output_tokens(99)).await;
    for asked in model.asked() {
        assert_eq!(
            (&asked.body["instructions"], &asked.body["max_output_tokens"]),
            (&json!("Be brief."), &json!(99))
        );
        assert_eq!(asked.offered, ["echo"]);
    }
}
