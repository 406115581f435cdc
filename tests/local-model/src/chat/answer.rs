//! What the model wrote, as the format has it: whole or in pieces.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};

use crate::constrain::Callable;
use crate::generate::{End, Reason};

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Said {
    /// More of the text.
    Text(String),
    /// A call begins.
    Call {
        /// The tool.
        name: String,
    },
    /// More of the arguments of the call.
    Arguments(String),
}

/// Tells calls from text while both come in pieces.
#[derive(Debug)]
pub struct Splitter {
    heads: Vec<(String, String)>,
    state: State,
}

#[derive(Debug)]
enum State {
    /// What came so far may be the head of a call.
    Start(String),
    Text,
    /// Whether a brace was held back: the last one ends the call and is no argument.
    Arguments {
        held: bool,
    },
}

impl Splitter {
    /// For a response that may call these tools.
    #[must_use]
    pub fn new<'a>(tools: impl IntoIterator<Item = &'a Callable>) -> Self {
        let heads = tools.into_iter().map(|tool| (tool.name.clone(), tool.head()));
        Self { heads: heads.collect(), state: State::Start(String::new()) }
    }

    /// Takes more of what the model wrote.
    pub fn add(&mut self, piece: &str) -> Vec<Said> {
        match &mut self.state {
            State::Text => vec![Said::Text(piece.to_owned())],
            State::Arguments { held } => arguments(held, piece),
            State::Start(start) => {
                start.push_str(piece);
                if start.is_empty() {
                    return Vec::new();
                }
                if self.heads.is_empty() || !start.starts_with('{') {
                    let text = std::mem::take(start);
                    self.state = State::Text;
                    return vec![Said::Text(text)];
                }
                let Some((name, head)) = self.heads.iter().find(|(_, head)| start.starts_with(head.as_str()))
                else {
                    return Vec::new();
                };
                let mut held = false;
                let mut said = vec![Said::Call { name: name.clone() }];
                said.extend(arguments(&mut held, &start[head.len()..]));
                self.state = State::Arguments { held };
                said
            }
        }
    }

    /// What is left when the response ends: nothing, unless it was cut behind a brace that is an argument's.
    pub fn end(&mut self, reason: Reason) -> Option<Said> {
        let is_left = reason == Reason::Length && matches!(self.state, State::Arguments { held: true });
        is_left.then(|| Said::Arguments("}".to_owned()))
    }

    /// Whether a call has begun.
    #[must_use]
    pub fn is_call(&self) -> bool {
        matches!(self.state, State::Arguments { .. })
    }
}

fn arguments(held: &mut bool, piece: &str) -> Vec<Said> {
    if piece.is_empty() {
        return Vec::new();
    }
    let mut text = if *held { format!("}}{piece}") } else { piece.to_owned() };
    *held = text.ends_with('}');
    if *held {
        text.pop();
    }
    if text.is_empty() { Vec::new() } else { vec![Said::Arguments(text)] }
}

/// What all pieces of an answer have in common.
#[derive(Debug)]
pub struct Answer {
    id: String,
    created: u64,
    model: String,
}

impl Answer {
    /// An answer of the model of this name.
    #[must_use]
    pub fn new(model: &str) -> Self {
        Self {
            id: format!("chatcmpl-{}", unique()),
            created: since_epoch().as_secs(),
            model: model.to_owned(),
        }
    }

    /// The whole answer.
    #[must_use]
    pub fn whole(&self, said: &[Said], end: &End) -> Value {
        let (mut text, mut calls) = (String::new(), Vec::<(String, String)>::new());
        for piece in said {
            match (piece, calls.last_mut()) {
                (Said::Text(more), _) => text.push_str(more),
                (Said::Call { name }, _) => calls.push((name.clone(), String::new())),
                (Said::Arguments(more), Some((_, arguments))) => arguments.push_str(more),
                (Said::Arguments(_), None) => {}
            }
        }
        let mut message = json!({ "role": "assistant", "content": if text.is_empty() { Value::Null } else { text.into() } });
        let finish_reason = finish_reason(end.reason, !calls.is_empty());
        if !calls.is_empty() {
            let calls = calls.into_iter().map(|(name, arguments)| {
                json!({ "id": call_id(), "type": "function", "function": { "name": name, "arguments": arguments } })
            });
            message["tool_calls"] = calls.collect();
        }
        let choice = json!({ "index": 0, "message": message, "finish_reason": finish_reason });
        let mut answer = self.object("chat.completion", json!([choice]));
        answer["usage"] = usage(end);
        answer
    }

    /// The first piece, which says who speaks.
    #[must_use]
    pub fn first(&self) -> Value {
        self.piece(json!({ "role": "assistant", "content": "" }), Value::Null)
    }

    /// A piece.
    #[must_use]
    pub fn more(&self, said: &Said) -> Value {
        let call = |fields: Value| json!({ "tool_calls": [fields] });
        let delta = match said {
            Said::Text(text) => json!({ "content": text }),
            Said::Call { name } => call(json!({
                "index": 0,
                "id": call_id(),
                "type": "function",
                "function": { "name": name, "arguments": "" },
            })),
            Said::Arguments(text) => call(json!({ "index": 0, "function": { "arguments": text } })),
        };
        self.piece(delta, Value::Null)
    }

    /// The last piece, which says why it is over.
    #[must_use]
    pub fn last(&self, end: &End, is_call: bool) -> Value {
        self.piece(json!({}), finish_reason(end.reason, is_call).into())
    }

    /// What comes behind it where it was asked for.
    #[must_use]
    pub fn usage(&self, end: &End) -> Value {
        let mut piece = self.object("chat.completion.chunk", json!([]));
        piece["usage"] = usage(end);
        piece
    }

    fn piece(&self, delta: Value, finish_reason: Value) -> Value {
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": finish_reason });
        self.object("chat.completion.chunk", json!([choice]))
    }

    fn object(&self, kind: &str, choices: Value) -> Value {
        json!({ "id": self.id, "object": kind, "created": self.created, "model": self.model, "choices": choices })
    }
}

fn finish_reason(reason: Reason, is_call: bool) -> &'static str {
    match reason {
        Reason::Length => "length",
        Reason::Stop if is_call => "tool_calls",
        Reason::Stop => "stop",
    }
}

fn usage(end: &End) -> Value {
    json!({
        "prompt_tokens": end.prompt_tokens,
        "completion_tokens": end.completion_tokens,
        "total_tokens": end.prompt_tokens + end.completion_tokens,
        "prompt_tokens_details": { "cached_tokens": end.cached_tokens },
    })
}

fn call_id() -> String {
    format!("call_{}", unique())
}

/// A text that no other has, also not one of an earlier server: a conversation outlives it.
fn unique() -> String {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    format!("{:x}_{}", since_epoch().as_micros(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn since_epoch() -> std::time::Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
