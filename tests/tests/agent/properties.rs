//! Random scripts of a model, with everything that goes wrong in them: whatever happens, the conversation is one that the
//! provider takes, each call has one result, the journal agrees, and nothing runs on.
//!
//! `AGENT_SCRIPTS=10000 cargo test -p tests --test agent properties` tries more of them.

use std::future::pending;
use std::time::Duration;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::test_runner::Config;
use serde_json::{Value, json};
use tests::script::{ScriptedModel, Step};
use tests::{anthropic_rules, chat_rules, gemini_rules, responses_rules};
use tokio::runtime::{Builder, Handle};
use tool_runtime::provider::responses::encode_input;
use tool_runtime::provider::{anthropic, chat, gemini, responses};
use tool_runtime::{
    Agent, ApprovalRequest, CallInput, CallItem, CancellationToken, Correction, Decision, FinalAnswer, Item,
    MemoryJournal, ModelError, ModelResponse, Native, Outcome, Steering, StopReason, ToolCall, ToolChoice,
    ToolName, ToolSet, WorkerAgentTool,
};

use super::{echo, fails, finish, reads, writes};

/// One answer of a model.
#[derive(Clone, Debug)]
enum Answer {
    Respond {
        thoughts: Thoughts,
        text: &'static str,
        calls: Vec<(&'static str, &'static str, &'static str)>,
        stop: StopReason,
    },
    Fail {
        retryable: bool,
    },
    CancelAndRespond,
    Hang,
}

/// Whose model thinks before it says something, if it does.
#[derive(Clone, Copy, Debug)]
enum Thoughts {
    None,
    Responses,
    Anthropic,
    Gemini,
}

/// What a turn is like around the model.
#[derive(Clone, Debug)]
struct Setting {
    answers: Vec<Answer>,
    limit: u32,
    forced: bool,
    checked: bool,
    denied: bool,
    /// How many times the turn may be polled in vain before its future is dropped.
    patience: Option<u32>,
}

const NAMES: [&str; 13] = [
    "echo",
    "echo",
    "fails",
    "slow",
    "panics",
    "write",
    "write",
    "finish",
    "cancels",
    "unknown",
    "parallel",
    "bad name!",
    "1st",
];
const ARGUMENTS: [&str; 9] = [
    "{}",
    r#"{"text":"a"}"#,
    r#"{"text":"#,
    "```json\n{\"text\":\"b\"}\n```",
    "",
    "[1]",
    "no json at all",
    r#"{"tool_uses":[{"recipient_name":"functions.echo","parameters":{}},{"recipient_name":"functions.write","parameters":{}}]}"#,
    "{\"text\":\"\u{0}\"}",
];
const IDS: [&str; 5] =
    ["", "c1", "c1", "c2", "an id that is far too long for a provider that takes sixty-four characters"];

fn answers() -> impl Strategy<Value = Answer> {
    let call = (
        prop::sample::select(&IDS[..]),
        prop::sample::select(&NAMES[..]),
        prop::sample::select(&ARGUMENTS[..]),
    );
    let stop = prop_oneof![
        8 => Just(StopReason::Finished),
        1 => Just(StopReason::OutputLimit),
        1 => Just(StopReason::Filtered),
        1 => Just(StopReason::Other("stalled".to_owned())),
    ];
    let text = prop::sample::select(&["", " \n", "hello"][..]);
    let thoughts = [Thoughts::None, Thoughts::Responses, Thoughts::Anthropic, Thoughts::Gemini];
    let thoughts = prop::sample::select(thoughts.to_vec());
    let respond = (thoughts, text, prop_oneof![1 => Just(Vec::new()), 3 => vec(call, 0..6)], stop);
    let respond =
        respond.prop_map(|(thoughts, text, calls, stop)| Answer::Respond { thoughts, text, calls, stop });
    prop_oneof![
        16 => respond,
        1 => any::<bool>().prop_map(|retryable| Answer::Fail { retryable }),
        1 => Just(Answer::CancelAndRespond),
        1 => Just(Answer::Hang),
    ]
}

fn settings() -> impl Strategy<Value = Setting> {
    let patience = prop_oneof![2 => Just(None), 1 => (0_u32..40).prop_map(Some)];
    (vec(answers(), 1..8), 1_u32..6, any::<bool>(), any::<bool>(), any::<bool>(), patience).prop_map(
        |(answers, limit, forced, checked, denied, patience)| Setting {
            answers,
            limit,
            forced,
            checked,
            denied,
            patience,
        },
    )
}

/// What a model thought in the round with this number, and what it wants back with its first call.
fn thoughts(whose: Thoughts, number: usize) -> (Option<Native>, Option<Native>) {
    let signature = format!("signature_{number}");
    match whose {
        Thoughts::None => (None, None),
        Thoughts::Responses => {
            let value = json!({"type": "reasoning", "id": format!("rs_{number}"), "summary": []});
            (Some(Native::new(responses::FORMAT, value)), None)
        }
        Thoughts::Anthropic => {
            let value = json!({"type": "thinking", "thinking": "hm", "signature": signature});
            (Some(Native::new(anthropic::FORMAT, value)), None)
        }
        Thoughts::Gemini => {
            let value = json!({"text": format!("hm {number}"), "thought": true});
            let signed = json!({"thoughtSignature": signature});
            (Some(Native::new(gemini::FORMAT, value)), Some(Native::new(gemini::FORMAT, signed)))
        }
    }
}

fn response(
    (thought, mut signature): (Option<Native>, Option<Native>),
    text: &str,
    calls: &[(&str, &str, &str)],
    stop: StopReason,
) -> ModelResponse {
    let mut items: Vec<Item> = thought.map(Item::Opaque).into_iter().collect();
    if !text.is_empty() {
        items.push(Item::assistant(text));
    }
    items.extend(calls.iter().map(|&(id, name, arguments)| {
        Item::Call(CallItem::new(ToolCall::new(id, name, arguments), signature.take()))
    }));
    let mut response = ModelResponse::new(items);
    response.stop = stop;
    response
}

fn script(answers: &[Answer], cancel: &CancellationToken) -> ScriptedModel {
    let step = |(number, answer): (usize, &Answer)| match answer.clone() {
        Answer::Respond { thoughts: whose, text, calls, stop } => {
            Step::Answer(response(thoughts(whose, number), text, &calls, stop))
        }
        Answer::Fail { retryable } => Step::Fail(ModelError::provider("failed", retryable)),
        Answer::CancelAndRespond => {
            let cancel = cancel.clone();
            Step::Do(Box::new(move |_| {
                cancel.cancel();
                Ok(response(
                    (None, None),
                    "",
                    &[("c1", "write", "{}"), ("c1", "echo", "{}")],
                    StopReason::Finished,
                ))
            }))
        }
        Answer::Hang => Step::Hang,
    };
    ScriptedModel::new(answers.iter().enumerate().map(step))
}

fn tools(cancel: &CancellationToken, steering: &Steering) -> Vec<WorkerAgentTool> {
    let (stop, user) = (cancel.clone(), steering.clone());
    vec![
        echo("echo"),
        fails("fails"),
        reads("slow", |_, _| async {
            tokio::time::sleep(Duration::from_secs(3)).await;
            "slow"
        }),
        reads("panics", |_, _| async { panic!("a fault of the tool") as String }),
        writes("write", move |_, _| {
            user.send("go on");
            async { "written" }
        }),
        finish(),
        reads("cancels", move |_, _| {
            stop.cancel();
            pending::<String>()
        }),
    ]
}

fn demand(answer: &FinalAnswer<'_>) -> Option<Correction> {
    let correction = Correction::new("Call `finish`.").offer([ToolName::bare("finish")]);
    answer.results.is_empty().then(|| correction.tool_choice(ToolChoice::Required))
}

/// Providers take the conversation.
fn check_for_provider(items: &[Item]) -> Result<(), TestCaseError> {
    let set = ToolSet::new(vec![echo("echo")]).unwrap();
    for settings in [chat::Settings::new("scripted"), chat::Settings::compatible("scripted")] {
        let messages = chat::encode_messages(&settings, &set, Some("Be brief."), items);
        prop_assert_eq!(chat_rules::complaints(&messages), Vec::<String>::new());
    }
    prop_assert_eq!(responses_rules::complaints(&encode_input(items)), Vec::<String>::new());

    let messages = list(&anthropic::encode_messages(&set, items));
    prop_assert_eq!(anthropic_rules::complaints(&messages), Vec::<String>::new());
    let is_thinking = |block: &&Value| block["type"] == "thinking";
    let blocks = messages.iter().filter_map(|message| message["content"].as_array()).flatten();
    let sent: Vec<&Value> = blocks.filter(is_thinking).collect();
    prop_assert_eq!(sent, natives(items, anthropic::FORMAT).filter(is_thinking).collect::<Vec<_>>());

    let contents = list(&gemini::encode_contents(&gemini::Settings::new("scripted"), &set, items));
    prop_assert_eq!(gemini_rules::complaints(&contents), Vec::<String>::new());
    let parts = || contents.iter().filter_map(|content| content["parts"].as_array()).flatten();
    let signed: Vec<_> = parts().filter(|part| part.get("functionCall").is_some()).collect();
    let calls = items.iter().filter_map(|item| match item {
        Item::Call(item) => Some(item),
        _ => None,
    });
    for (call, part) in calls.zip(signed) {
        let signature = call.native.as_ref().and_then(|native| native.of_format(gemini::FORMAT));
        let signature = signature.and_then(|native| native.get("thoughtSignature"));
        prop_assert_eq!(
            part.get("thoughtSignature"),
            signature,
            "each signature on the part that it came with"
        );
    }
    let thoughts: Vec<&Value> = parts().filter(|part| part["thought"] == true).collect();
    prop_assert_eq!(thoughts, natives(items, gemini::FORMAT).collect::<Vec<_>>());
    Ok(())
}

fn list(json: &str) -> Vec<Value> {
    serde_json::from_str(json).unwrap()
}

/// What only one format understands, in order.
fn natives<'a>(items: &'a [Item], format: &'static str) -> impl Iterator<Item = &'a Value> {
    items.iter().filter_map(move |item| match item {
        Item::Opaque(native) => native.of_format(format),
        _ => None,
    })
}

/// The provider takes the conversation, and the results stand behind the calls of their response in the calls' order.
fn check_conversation(items: &[Item]) -> Result<(), TestCaseError> {
    check_for_provider(items)?;
    let mut open: Vec<&str> = Vec::new();
    for item in items {
        match item {
            Item::Call(item) => open.push(&item.call.id),
            Item::Result(result) => {
                prop_assert_eq!(open.first(), Some(&result.call_id.as_str()));
                open.remove(0);
            }
            Item::User(_) => prop_assert!(open.is_empty()),
            _ => {}
        }
    }
    prop_assert!(open.is_empty());
    Ok(())
}

/// Calls in the conversation that the turn added.
fn asked_for(outcome: &Outcome) -> usize {
    outcome.new_items().iter().filter(|item| item.as_call().is_some()).count()
}

async fn nothing_runs() -> bool {
    for _ in 0..1_000 {
        if Handle::current().metrics().num_alive_tasks() == 0 {
            return true;
        }
        tokio::task::yield_now().await;
    }
    false
}

async fn try_out(setting: Setting) -> Result<(), TestCaseError> {
    let (cancel, steering, journal) = (CancellationToken::new(), Steering::new(), MemoryJournal::new());
    let model = script(&setting.answers, &cancel);
    let mut agent = Agent::new(model.clone(), tools(&cancel, &steering)).unwrap();
    agent = agent.iteration_limit(setting.limit).journal(journal.clone()).steering(steering);
    if setting.forced {
        agent = agent.tool_choice(ToolChoice::Required);
    }
    if setting.checked {
        agent = agent.check_answer(demand);
    }
    if setting.denied {
        agent = agent.approval(|_: &ApprovalRequest| Decision::Deny("not now".to_owned()));
    }
    let hangs = setting.answers.iter().any(|answer| matches!(answer, Answer::Hang));
    let patience = setting.patience.or(hangs.then_some(400));
    let lost_patience = async {
        let Some(patience) = patience else { return pending().await };
        for _ in 0..patience {
            tokio::task::yield_now().await;
        }
    };
    let outcome = tokio::select! {
        biased;
        outcome = agent.run("go", &cancel) => Some(outcome.unwrap()),
        () = lost_patience => None,
    };
    prop_assert!(nothing_runs().await, "a task is alive");
    for asked in model.asked() {
        check_conversation(&asked.items)?;
    }
    let recovered = journal.recover();
    check_conversation(&recovered.items)?;
    let Some(outcome) = outcome else { return Ok(()) };
    check_conversation(&outcome.items)?;
    prop_assert_eq!(outcome.results.len(), asked_for(&outcome));
    prop_assert_eq!(recovered.ended.as_deref(), Some(outcome.ending.kind()));
    prop_assert_eq!(&recovered.items, &outcome.items);
    // At most the rounds with tools, a nudge and a correction, and the summary.
    prop_assert!(outcome.iterations <= 2 * setting.limit + 2, "{} rounds", outcome.iterations);

    // And it can go on.
    let mut items = outcome.items;
    items.push(Item::user("more"));
    let model = script(
        &[Answer::Respond {
            thoughts: Thoughts::None,
            text: "hello",
            calls: Vec::new(),
            stop: StopReason::Finished,
        }],
        &cancel,
    );
    let agent = Agent::new(model.clone(), Vec::new()).unwrap();
    agent.run(items.clone(), &CancellationToken::new()).await.unwrap();
    prop_assert_eq!(&model.asked()[0].items, &items);
    Ok(())
}

fn scripts() -> u32 {
    std::env::var("AGENT_SCRIPTS").ok().and_then(|count| count.parse().ok()).unwrap_or(400)
}

proptest! {
    #![proptest_config(Config { cases: scripts(), failure_persistence: None, ..Config::default() })]

    #[test]
    fn whatever_a_model_does_the_conversation_stays_good_and_nothing_runs_on(setting in settings()) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(try_out(setting))?;
    }

    #[test]
    fn any_conversation_is_mended(items in vec(any_item(), 0..12)) {
        let runtime = Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let model = ScriptedModel::new([response((None, None), "hello", &[], StopReason::Finished)]);
            let agent = Agent::new(model.clone(), Vec::new()).unwrap();
            agent.run(items, &CancellationToken::new()).await.unwrap();
            check_for_provider(&model.asked()[0].items)
        })?;
    }
}

fn any_item() -> impl Strategy<Value = Item> {
    let id = || prop::sample::select(&["", "a", "a", "b", "c"][..]);
    let call = |id: &str, text: bool| {
        let mut call = ToolCall::new(id, "echo", "{}");
        if text {
            call.input = CallInput::Text("x".to_owned());
        }
        call
    };
    prop_oneof![
        Just(Item::user("u")),
        Just(Item::assistant("m")),
        (id(), any::<bool>()).prop_map(move |(id, text)| Item::call(call(id, text))),
        (id(), any::<bool>()).prop_map(move |(id, text)| {
            let content = vec![tool_runtime::Content::Text("r".to_owned())];
            Item::Result(tool_runtime::ResultItem::new(&call(id, text), content, false))
        }),
    ]
}
