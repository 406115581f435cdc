//! Random answers of a model, of every kind.

use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use tests::script::{Asked, ScriptedModel, Step};
use tool_runtime::provider::{anthropic, gemini, responses};
use tool_runtime::{
    CallItem, CancellationToken, Item, ModelError, ModelResponse, Native, StopReason, ToolCall,
};

/// One answer of a model.
#[derive(Clone, Debug)]
pub(super) enum Answer {
    Respond {
        thoughts: Thoughts,
        text: &'static str,
        calls: Vec<(&'static str, &'static str, &'static str)>,
        stop: StopReason,
    },
    Fail {
        retryable: bool,
    },
    /// The provider pauses in the middle of a tool of its own, and goes on if it is asked to.
    Pause,
    CancelAndRespond,
    Hang,
}

/// Whose model thinks before it says something, if it does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Thoughts {
    None,
    Responses,
    Anthropic,
    Gemini,
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

pub(super) fn answers() -> impl Strategy<Value = Answer> {
    let call = (
        prop::sample::select(&IDS[..]),
        prop::sample::select(&NAMES[..]),
        prop::sample::select(&ARGUMENTS[..]),
    );
    let stop = prop_oneof![
        8 => Just(StopReason::Finished),
        1 => Just(StopReason::OutputLimit),
        1 => Just(StopReason::Filtered),
        1 => Just(StopReason::MalformedCall("print(echo())".to_owned())),
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
        2 => Just(Answer::Pause),
        1 => Just(Answer::CancelAndRespond),
        1 => Just(Answer::Hang),
    ]
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

pub(super) fn response(
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

fn native(value: Value) -> Item {
    Item::Opaque(Native::new(anthropic::FORMAT, value))
}

fn paused(number: usize) -> ModelResponse {
    let (id, signature) = (format!("srvtoolu_{number}"), format!("signature_{number}"));
    let thought = json!({"type": "thinking", "thinking": "hm", "signature": signature});
    let call = json!({"type": "server_tool_use", "id": id, "name": "web_search", "input": {"query": "x"}});
    let mut response =
        ModelResponse::new(vec![Item::assistant("I look it up. "), native(thought), native(call)]);
    response.stop = StopReason::Paused;
    response
}

/// The rest, if the last item of the conversation is still the call.
fn resumed(number: usize, asked: &Asked) -> ModelResponse {
    let id = format!("srvtoolu_{number}");
    let waits = matches!(asked.items.last(), Some(Item::Opaque(last)) if last.value["id"] == *id);
    let result = json!({"type": "web_search_tool_result", "tool_use_id": id, "content": []});
    let result = waits.then(|| native(result));
    ModelResponse::new(result.into_iter().chain([Item::assistant("There it is.")]).collect())
}

pub(super) fn script(answers: &[Answer], cancel: &CancellationToken) -> ScriptedModel {
    let steps = |(number, answer): (usize, &Answer)| match answer.clone() {
        Answer::Respond { thoughts: whose, text, calls, stop } => {
            vec![Step::Answer(response(thoughts(whose, number), text, &calls, stop))]
        }
        Answer::Fail { retryable } => vec![Step::Fail(ModelError::provider("failed", retryable))],
        Answer::Pause => {
            vec![Step::Answer(paused(number)), Step::Do(Box::new(move |asked| Ok(resumed(number, asked))))]
        }
        Answer::CancelAndRespond => {
            let cancel = cancel.clone();
            vec![Step::Do(Box::new(move |_| {
                cancel.cancel();
                Ok(response(
                    (None, None),
                    "",
                    &[("c1", "write", "{}"), ("c1", "echo", "{}")],
                    StopReason::Finished,
                ))
            }))]
        }
        Answer::Hang => vec![Step::Hang],
    };
    ScriptedModel::new(answers.iter().enumerate().flat_map(steps))
}
