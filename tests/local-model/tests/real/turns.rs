//! The loop of the runtime with a real model.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tool_runtime::{
    Agent, CancellationToken, Content, Ending, EventKind, Item, Outcome, StopReason, ToolChoice, ToolError,
    ToolName, ToolSpec, WorkerAgentTool, event_channel,
};

use super::Local;
use super::tools::{Log, bounded, noting};

/// Short answers: nobody reads them.
const MAX_TOKENS: u32 = 60;

fn agent(local: &Local, streamed: bool, tools: Vec<WorkerAgentTool>) -> Agent {
    let model = local.client(streamed).build().unwrap();
    Agent::new(model, tools).unwrap().max_output_tokens(MAX_TOKENS)
}

async fn run(agent: Agent, input: impl Into<tool_runtime::TurnInput>) -> Outcome {
    let outcome = agent.run(input, &CancellationToken::new()).await.unwrap();
    assert_well_formed(&outcome.items);
    outcome
}

/// Fails unless each call has exactly one result, behind it and before the model speaks again.
pub(super) fn assert_well_formed(items: &[Item]) {
    let mut open: HashMap<&str, usize> = HashMap::new();
    let mut seen = Vec::new();
    for item in items {
        match item {
            Item::Call(item) => {
                assert!(!seen.contains(&item.call.id), "an id twice: {items:?}");
                seen.push(item.call.id.clone());
                open.insert(&item.call.id, 0);
            }
            Item::Result(result) => {
                assert!(open.remove(&*result.call_id).is_some(), "a result without its call: {items:?}");
            }
            Item::User(_) => assert!(open.is_empty(), "a call without its result: {items:?}"),
            _ => {}
        }
    }
    assert!(open.is_empty(), "a call without its result: {items:?}");
}

fn calls(outcome: &Outcome) -> usize {
    outcome.new_items().iter().filter(|item| item.as_call().is_some()).count()
}

#[tokio::test]
async fn a_turn_ends_whatever_the_model_chooses() {
    let Some(local) = Local::shared() else { return };
    for streamed in [true, false] {
        for choice in [ToolChoice::Auto, ToolChoice::Required] {
            let log = Log::default();
            let tools =
                bounded().into_iter().take(3).map(|(name, _, schema)| noting(name, schema, &log)).collect();
            let agent = agent(local, streamed, tools).tool_choice(choice.clone()).iteration_limit(3);
            let outcome =
                run(agent.instructions("Use the tools."), "Make it warm and loud, then tell me.").await;
            assert!(outcome.iterations <= 4, "{outcome:?}");
            assert_eq!(outcome.results.len(), calls(&outcome));
            assert!(outcome.usage.input_tokens > 0 && outcome.usage.output_tokens > 0);
            if choice == ToolChoice::Required {
                assert!(!outcome.results.is_empty(), "the first round has to call: {outcome:?}");
            }
            // A text may be cut, and rounds may be used up; the model and the history never fail.
            let kind = outcome.ending.kind();
            assert!(["finished", "cut", "iteration_limit"].contains(&kind), "{:?}", outcome.ending);
        }
    }
}

#[tokio::test]
async fn no_tool_ever_gets_a_value_out_of_its_bounds() {
    let Some(local) = Local::shared() else { return };
    for streamed in [true, false] {
        // Each is asked for in one of the two ways.
        for (name, wish, schema) in bounded().into_iter().skip(usize::from(streamed)).step_by(2) {
            let log = Log::default();
            let agent = agent(local, streamed, vec![noting(name, schema, &log)])
                .tool_choice_every_round(ToolChoice::Tool(ToolName::bare(name)))
                .iteration_limit(1);
            let outcome = run(agent, wish).await;
            assert!(matches!(outcome.ending, Ending::IterationLimit { limit: 1 }), "{:?}", outcome.ending);
            assert!(!outcome.text.is_empty(), "the last round has no tools and gives a text: {outcome:?}");
            for result in &outcome.results {
                assert!(result.outcome.is_ok() && result.repairs.is_empty(), "{result:?}");
            }
            let log = log.lock().unwrap();
            assert_eq!((log.len(), outcome.results.len()), (1, 1), "one call, run once");
            if name == "set_volume" {
                assert!(
                    log.iter().all(|given| (3..=11).contains(&given["level"].as_i64().unwrap())),
                    "{log:?}"
                );
            }
        }
    }
}

#[tokio::test]
async fn an_answer_that_is_cut_runs_nothing_and_says_so() {
    let Some(local) = Local::shared() else { return };
    for streamed in [true, false] {
        let log = Log::default();
        let schema = json!({
            "type": "object",
            "properties": { "text": { "type": "string", "minLength": 2000 } },
            "required": ["text"],
            "additionalProperties": false,
        });
        let agent = agent(local, streamed, vec![noting("write_book", schema, &log)])
            .tool_choice(ToolChoice::Required)
            .max_output_tokens(40);
        let outcome = run(agent, "Write a book.").await;
        assert!(matches!(outcome.ending, Ending::Cut(StopReason::OutputLimit)), "{:?}", outcome.ending);
        assert!(log.lock().unwrap().is_empty(), "nothing ran");
        assert_eq!((outcome.iterations, outcome.results.len()), (2, 2), "one more try");
        for result in &outcome.results {
            assert_eq!(result.outcome.as_ref().unwrap_err().kind(), "response_cut");
            assert!(result.model_text().starts_with("error: "), "{}", result.model_text());
        }
    }
}

#[tokio::test]
async fn a_text_that_is_cut_is_the_answer_and_its_ending_says_so() {
    let Some(local) = Local::shared() else { return };
    for streamed in [true, false] {
        let agent = agent(local, streamed, Vec::new()).max_output_tokens(5);
        let outcome = run(agent, "Tell me a long story about a ship.").await;
        assert!(matches!(outcome.ending, Ending::Cut(StopReason::OutputLimit)), "{:?}", outcome.ending);
        assert!(!outcome.text.is_empty());
        assert_eq!(outcome.usage.output_tokens, 5);
    }
}

fn failing(count: &Arc<AtomicUsize>) -> WorkerAgentTool {
    let count = Arc::clone(count);
    ToolSpec::new("print_page", "Prints the page.").destructive(false).no_parameters().execute(move |_, _| {
        count.fetch_add(1, Ordering::SeqCst);
        async { Err::<&str, _>(ToolError::new("the printer has no paper")) }
    })
}

#[tokio::test]
async fn an_error_of_a_tool_goes_back_to_the_model() {
    let Some(local) = Local::shared() else { return };
    for streamed in [true, false] {
        let count = Arc::default();
        let agent = agent(local, streamed, vec![failing(&count)])
            .tool_choice(ToolChoice::Required)
            .iteration_limit(2);
        let outcome = run(agent, "Print the page.").await;
        assert!(count.load(Ordering::SeqCst) >= 1);
        let told = outcome.new_items().iter().filter_map(|item| match item {
            Item::Result(result) => Some((result.is_error, result.content.clone())),
            _ => None,
        });
        let told: Vec<_> = told.collect();
        assert_eq!(told[0], (true, vec![Content::Text("error: the printer has no paper".to_owned())]));
        assert!(outcome.iterations >= 2, "the model was asked again with it: {outcome:?}");
    }
}

#[tokio::test]
async fn a_call_that_fails_again_and_again_ends_the_turn() {
    let Some(local) = Local::shared() else { return };
    let count = Arc::default();
    let agent = agent(local, true, vec![failing(&count)]).tool_choice_every_round(ToolChoice::Required);
    let outcome = run(agent, "Print the page.").await;
    assert!(matches!(outcome.ending, Ending::RepeatedFailure { times: 5, .. }), "{:?}", outcome.ending);
    assert_eq!(count.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn a_conversation_goes_on_from_what_was_said_and_done() {
    let Some(local) = Local::shared() else { return };
    let log = Log::default();
    let (name, _, schema) = bounded().swap_remove(0);
    let mut items: Vec<Item> = Vec::new();
    for (turn, streamed) in [true, false, true].into_iter().enumerate() {
        items.push(Item::user(format!("Set the volume to {}.", turn + 4)));
        let agent = agent(local, streamed, vec![noting(name, schema.clone(), &log)])
            .tool_choice(ToolChoice::Required)
            .iteration_limit(2)
            .max_output_tokens(40);
        let outcome = run(agent, items).await;
        let kind = outcome.ending.kind();
        assert!(["finished", "cut", "iteration_limit"].contains(&kind), "{:?}", outcome.ending);
        items = outcome.items;
    }
    let calls = items.iter().filter(|item| item.as_call().is_some()).count();
    assert!(calls >= 3, "{items:?}");
}

#[tokio::test]
async fn cancelling_closes_the_connection_and_ends_the_turn() {
    let Some(local) = Local::start() else { return };
    // While text comes.
    let (sender, mut events) = event_channel(10_000);
    let cancel = CancellationToken::new();
    let agent = agent(&local, true, Vec::new()).max_output_tokens(3_000).events(sender);
    let running = agent.run("Count from one to ten thousand, all numbers in words.", &cancel);
    let watching = async {
        while let Some(event) = events.next().await {
            if matches!(event.kind, EventKind::Text(_)) {
                cancel.cancel();
                return;
            }
        }
        panic!("no text came");
    };
    let (outcome, ()) = tokio::join!(running, watching);
    let outcome = outcome.unwrap();
    assert!(matches!(outcome.ending, Ending::Cancelled(_)), "{:?}", outcome.ending);
    assert_well_formed(&outcome.items);
    stopped(&local, 1).await;

    // While a call is written, streamed and not.
    for (streamed, given_up) in [(true, 2), (false, 3)] {
        let log = Log::default();
        let schema = json!({
            "type": "object",
            "properties": { "text": { "type": "string", "minLength": 2000 } },
            "required": ["text"],
        });
        let cancel = CancellationToken::new();
        let agent = agent_of_a_book(&local, streamed, noting("write_book", schema, &log));
        let running = agent.run("Write a book.", &cancel);
        let watching = async {
            until(|| local.engine.counts().is_writing).await;
            cancel.cancel();
        };
        let (outcome, ()) = tokio::join!(running, watching);
        let outcome = outcome.unwrap();
        assert!(matches!(outcome.ending, Ending::Cancelled(_)), "{:?}", outcome.ending);
        assert!(log.lock().unwrap().is_empty() && outcome.results.is_empty());
        stopped(&local, given_up).await;
    }
    assert_eq!(local.engine.counts().answered, 0);
}

fn agent_of_a_book(local: &Local, streamed: bool, tool: WorkerAgentTool) -> Agent {
    agent(local, streamed, vec![tool]).tool_choice(ToolChoice::Required).max_output_tokens(3_000)
}

async fn until(holds: impl Fn() -> bool) {
    while !holds() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// Waits until the model writes for nobody, and so many answers were given up.
async fn stopped(local: &Local, given_up: u64) {
    until(|| local.engine.counts().given_up == given_up && !local.engine.counts().is_writing).await;
}

#[tokio::test]
async fn a_request_that_the_server_refuses_ends_the_turn_with_its_words() {
    let Some(local) = Local::shared() else { return };
    let outcome = run(agent(local, true, Vec::new()), "word ".repeat(5_000)).await;
    let Ending::ModelFailed(error) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert!(error.to_string().contains("context_length_exceeded"), "{error}");
    let schema: Value = json!({
        "type": "object",
        "properties": { "a": { "type": "array", "uniqueItems": true, "items": { "type": "integer" } } },
    });
    let odd =
        ToolSpec::new("odd", "Odd.").schema::<Value>(schema).execute(|_, _| async { Ok::<_, ToolError>("") });
    let outcome = run(agent(local, true, vec![odd]), "Be odd.").await;
    let Ending::ModelFailed(error) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert!(error.to_string().contains("`odd`"), "{error}");
}
