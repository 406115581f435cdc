//! What a program tells the host: its calls and its end, each held against what is known and what is allowed.

use crate::workflow::limits::WorkflowLimits;

use super::call::AgentCall;
use super::engine::FILE;
use super::meter::{Meter, Stop};
use super::{CallOutcome, KnownCall, ProgramFailure, Replay, fits};

/// What a program told the host.
pub(super) struct Host {
    known: Vec<KnownCall>,
    pub(super) limits: WorkflowLimits,
    pub(super) calls: Vec<AgentCall>,
    /// How many of the calls are answered.
    pub(super) answered: usize,
    /// Bytes of the arguments of those that are not.
    waiting_bytes: usize,
    pub(super) end: Option<Replay>,
}

impl Host {
    pub(super) fn new(known: &[KnownCall], limits: &WorkflowLimits) -> Self {
        Self {
            known: known.to_vec(),
            limits: limits.clone(),
            calls: Vec::new(),
            answered: 0,
            waiting_bytes: 0,
            end: None,
        }
    }

    /// A call of `agent`. A sentence is an error of the program; an end is one of the run, and the program goes no further.
    pub(super) fn call(&mut self, prompt: String, options: &str, meter: &Meter) -> Option<String> {
        let call = match AgentCall::read(prompt, options) {
            Ok(call) => call,
            Err(sentence) => return Some(sentence),
        };
        let text = call.to_text();
        let limits = &self.limits;
        if let Err(sentence) = fits("a call of `agent`", text.len(), limits.call_bytes) {
            return Some(format!("{sentence}; give it less, or split it into several calls"));
        }
        let (at, waiting) = (self.calls.len(), self.calls.len() - self.answered);
        self.waiting_bytes += text.len();
        let end = if let Some(known) = self.known.get(at).filter(|known| known.call != text) {
            let difference = format!("it was `{}` and is `{}`", beginning(&known.call), beginning(&text));
            Some(Replay::Diverged { call: at, difference })
        } else if at >= limits.agent_calls {
            let most = limits.agent_calls;
            Some(failed("too_many_calls", format!("the program calls `agent` more than {most} times")))
        } else if waiting >= limits.pending_calls {
            let most = limits.pending_calls;
            Some(failed(
                "too_many_calls",
                format!(
                    "the program waits for more than {most} calls at a time; await some before the next ones"
                ),
            ))
        } else if self.waiting_bytes > limits.pending_bytes {
            let most = limits.pending_bytes;
            Some(failed(
                "too_large",
                format!(
                    "the calls that the program waits for have more than {most} bytes; await some before the next ones"
                ),
            ))
        } else {
            None
        };
        if end.is_some() {
            return Some(self.end_with(end, meter));
        }
        self.calls.push(call);
        None
    }

    /// The program is over.
    pub(super) fn done(&mut self, kind: &str, text: String, stack: &str, meter: &Meter) {
        let end = match kind {
            "completed" if text.contains('\0') => {
                failed("bad_result", "the result of the program cannot be used: it holds a NUL character")
            }
            "completed" => match fits("the result", text.len(), self.limits.result_bytes) {
                Ok(()) => Replay::Completed(text),
                Err(sentence) => failed("too_large", sentence),
            },
            "result" => failed("bad_result", format!("the result of the program cannot be used: {text}")),
            _ => failed("threw", format!("the program failed{}: {text}", place(stack))),
        };
        let is_too_large = matches!(&end, Replay::Failed(failure) if failure.code == "too_large");
        let end = match self.missing() {
            Some(missing) if !is_too_large => missing,
            _ => end,
        };
        self.end_with(Some(end), meter);
    }

    fn end_with(&mut self, end: Option<Replay>, meter: &Meter) -> String {
        if self.end.is_none() {
            self.end = end;
        }
        meter.stop(Stop::Refused);
        "the run is over".to_owned()
    }

    /// A call that was made before and is not made now.
    pub(super) fn missing(&self) -> Option<Replay> {
        let missing = self.known.get(self.calls.len())?;
        let difference = format!("it was `{}` and is not made", beginning(&missing.call));
        Some(Replay::Diverged { call: self.calls.len(), difference })
    }

    /// The answers of the stage that waits; `None` if one of its calls is not over.
    pub(super) fn answers(&mut self) -> Option<Vec<(usize, Option<String>)>> {
        let stage = self.answered..self.calls.len();
        let answers = stage.map(|at| {
            let outcome = self.known.get_mut(at)?.outcome.take()?;
            Some((at, outcome.into_value()))
        });
        let answers = answers.collect::<Option<Vec<_>>>();
        if answers.is_some() {
            self.answered = self.calls.len();
            self.waiting_bytes = 0;
        }
        answers
    }
}

impl CallOutcome {
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Value(value) => value.len(),
            Self::Failed => 0,
        }
    }

    fn into_value(self) -> Option<String> {
        match self {
            Self::Value(value) => Some(value),
            Self::Failed => None,
        }
    }
}

pub(super) fn failed(code: &str, sentence: impl Into<String>) -> Replay {
    Replay::Failed(ProgramFailure::new(code, sentence))
}

/// The line of the program that a stack names first, for a sentence.
pub(super) fn place(stack: &str) -> String {
    let named = stack.split_once(FILE).and_then(|(_, rest)| rest.strip_prefix(':'));
    let line = named.map(|rest| rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default());
    line.filter(|line| !line.is_empty() && line.len() < 10)
        .map_or_else(String::new, |line| format!(" at line {line}"))
}

/// What is shown of a long text.
fn beginning(text: &str) -> &str {
    text.get(..text.floor_char_boundary(200)).unwrap_or_default()
}
