//! From the entries of a journal to a conversation that can go on.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use crate::agent::outcome::CallSummary;
use crate::call::{CallError, Interrupted, ToolResult};
use crate::model::{Item, ResultItem};

use super::JournalEntry;

/// What a journal holds of its last turn.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Recovered {
    /// The conversation, ready to be sent: every call has one result. It is the input of the turn that goes on; where it ends
    /// with a message of the model, the turn was as good as over, and the next needs something new to say.
    pub items: Vec<Item>,
    /// Calls that had started and were not answered. They may have had effects; their results say so to the model.
    pub may_have_run: Vec<CallSummary>,
    /// Calls that had not started when the turn was broken off; their results say so too.
    pub not_started: Vec<CallSummary>,
    /// Ids of host events that the recorded results of the turn complete, each once.
    pub completes: Vec<String>,
    /// [`Ending::kind`](crate::Ending::kind) of the turn; `None` if it was broken off.
    pub ended: Option<String>,
}

/// Reads the last turn out of the entries of a journal. Nothing is run.
#[must_use]
pub fn recover<'a>(entries: impl IntoIterator<Item = JournalEntry<'a>>) -> Recovered {
    let mut reading = Reading::default();
    for entry in entries {
        match entry {
            JournalEntry::Began { items } => {
                reading = Reading::default();
                reading.recovered.items = items.into_owned();
                reading.open = reading.recovered.items.len();
            }
            JournalEntry::Responded { items } => {
                reading.close();
                reading.open = reading.recovered.items.len();
                reading.recovered.items.extend(items.into_owned());
            }
            JournalEntry::Started { call_id, .. } => drop(reading.started.insert(call_id.into_owned())),
            JournalEntry::Answered { result, arguments, completes } => {
                let completes = completes.into_owned();
                let new = completes.into_iter().filter(|id| reading.completed.insert(id.clone()));
                reading.recovered.completes.extend(new);
                let answer = (result.into_owned(), arguments.map(|text| text.into_owned()));
                reading.answers.insert(answer.0.call_id.clone(), answer);
            }
            JournalEntry::Said { items } => {
                reading.close();
                reading.recovered.items.extend(items.into_owned());
                reading.open = reading.recovered.items.len();
            }
            JournalEntry::Ended { ending } => reading.recovered.ended = Some(ending.into_owned()),
        }
    }
    reading.close();
    reading.recovered
}

#[derive(Default)]
struct Reading {
    recovered: Recovered,
    /// Where the last response begins in the items.
    open: usize,
    started: HashSet<String>,
    answers: HashMap<String, (ResultItem, Option<String>)>,
    completed: HashSet<String>,
}

impl Reading {
    /// Puts one result behind the last response for each of its calls.
    fn close(&mut self) {
        let started = std::mem::take(&mut self.started);
        let mut answers = std::mem::take(&mut self.answers);
        let Recovered { items, may_have_run, not_started, .. } = &mut self.recovered;
        let calls = || items.iter().skip(self.open).filter_map(Item::as_call);
        // A call inside another (the `parallel` wrapper) starts under an id that the conversation does not have.
        let own: HashSet<&str> = calls().map(|call| call.id.as_str()).collect();
        let inner_started = started.iter().any(|id| !own.contains(id.as_str()));
        let mut results = Vec::new();
        for item in items.iter_mut().skip(self.open) {
            let Item::Call(item) = item else { continue };
            if let Some((result, arguments)) = answers.remove(&item.call.id) {
                if let Some(arguments) = arguments {
                    item.mend(&arguments);
                }
                results.push(Item::Result(result));
                continue;
            }
            let call = &item.call;
            let summary = CallSummary { call_id: call.id.clone(), tool: call.display_name() };
            let interrupted = if started.contains(&call.id) || inner_started {
                may_have_run.push(summary);
                Interrupted::WhileRunning
            } else {
                not_started.push(summary);
                Interrupted::BeforeStart
            };
            let error = CallError::BrokenOff(interrupted);
            results.push(Item::result(&ToolResult::refused(Arc::clone(call), error)));
        }
        items.extend(results);
        self.open = items.len();
    }
}
