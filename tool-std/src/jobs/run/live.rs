//! A turn while it runs: its journal on the disk, and what of it is still to be written into the database.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::Value;
use tool_runtime::{
    BoxFuture, Content, FileJournal, Item, Journal, JournalEntry, JournalError, Steering, ToolCall,
};

use crate::jobs::job::JobUsage;
use crate::jobs::progress::Progress;
use crate::jobs::steps::{Recorded, Step, called, said};
use crate::jobs::store::Message;

/// A turn that runs.
pub(super) struct Live {
    turn: i64,
    /// Steps up to this number belong to earlier turns.
    before_turn: i64,
    /// Steps up to this number belong to earlier jobs.
    before_job: i64,
    pub(super) steering: Steering,
    usage: Arc<Mutex<JobUsage>>,
    notes: Mutex<Notes>,
}

struct Notes {
    /// How many items the conversation has.
    len: usize,
    calls: HashMap<String, (usize, Arc<ToolCall>)>,
    active: Vec<(String, String)>,
    changed: BTreeMap<i64, Value>,
    progress: Progress,
    /// Messages that were given to the turn, by what the model reads.
    offered: HashMap<String, i64>,
    offered_ids: HashSet<i64>,
    read: Vec<i64>,
    has_begun: bool,
    last: Instant,
}

impl Live {
    pub(super) fn new(turn: i64, before_turn: i64, before_job: i64, usage: Arc<Mutex<JobUsage>>) -> Self {
        let notes = Notes {
            len: 0,
            calls: HashMap::new(),
            active: Vec::new(),
            changed: BTreeMap::new(),
            progress: Progress::default(),
            offered: HashMap::new(),
            offered_ids: HashSet::new(),
            read: Vec::new(),
            has_begun: false,
            last: Instant::now(),
        };
        Self { turn, before_turn, before_job, steering: Steering::new(), usage, notes: Mutex::new(notes) }
    }

    fn notes(&self) -> MutexGuard<'_, Notes> {
        self.notes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Messages that stand in the input of the turn, or may: those that its conversation holds are read.
    pub(super) fn offer(&self, messages: &[Message]) {
        let mut notes = self.notes();
        for message in messages {
            notes.offered.insert(message.as_said(), message.id);
            notes.offered_ids.insert(message.id);
        }
    }

    /// Says new messages to the turn.
    pub(super) fn bring(&self, messages: Vec<Message>) {
        for message in messages {
            if self.notes().offered_ids.insert(message.id) {
                self.notes().offered.insert(message.as_said(), message.id);
                self.steering.send(message.as_said());
            }
        }
    }

    /// What is still to be written down.
    pub(super) fn recorded(&self) -> Recorded {
        let notes = self.notes();
        let mut progress = notes.progress.clone();
        progress.active = notes.active.iter().map(|(_, tool)| tool.clone()).collect();
        Recorded {
            turn: self.turn,
            steps: notes.changed.iter().map(|(seq, body)| Step { seq: *seq, body: body.clone() }).collect(),
            progress,
            usage: *self.usage.lock().unwrap_or_else(PoisonError::into_inner),
            read: notes.read.clone(),
        }
    }

    /// It was written down.
    pub(super) fn stored(&self, recorded: &Recorded) {
        let mut notes = self.notes();
        for step in &recorded.steps {
            if notes.changed.get(&step.seq) == Some(&step.body) {
                notes.changed.remove(&step.seq);
            }
        }
        notes.read.retain(|id| !recorded.read.contains(id));
    }

    /// How long nothing was recorded, and whether anything was.
    pub(super) fn idle(&self) -> (Duration, bool) {
        let notes = self.notes();
        (notes.last.elapsed(), notes.has_begun)
    }

    fn note(&self, entry: &JournalEntry<'_>) {
        let mut notes = self.notes();
        notes.has_begun = true;
        notes.last = Instant::now();
        match entry {
            JournalEntry::Began { items, .. } => {
                notes.len = 0;
                items.iter().for_each(|item| self.item(&mut notes, item));
            }
            JournalEntry::Responded { items, .. } | JournalEntry::Said { items, .. } => {
                items.iter().for_each(|item| self.item(&mut notes, item));
            }
            JournalEntry::Started { call_id, tool, .. } => {
                notes.active.push((call_id.clone().into_owned(), tool.clone().into_owned()));
            }
            JournalEntry::Answered { result, .. } => {
                notes.active.retain(|(id, _)| *id != result.call_id);
                self.item(&mut notes, &Item::Result(result.clone().into_owned()));
            }
            _ => {}
        }
    }

    fn item(&self, notes: &mut Notes, item: &Item) {
        let at = notes.len;
        notes.len += 1;
        let seq = i64::try_from(at).unwrap_or(i64::MAX);
        let is_of_job = seq > self.before_job;
        let step = match item {
            Item::User(content) => {
                let text: String = content.iter().filter_map(Content::as_text).collect();
                let message = notes.offered.get(&text).copied();
                if let Some(message) = message
                    && !notes.read.contains(&message)
                {
                    notes.read.push(message);
                }
                let kind = match message {
                    Some(_) => "message",
                    None if seq == self.before_job + 1 => "task",
                    None => "note",
                };
                Some((seq, said(kind, message, &text)))
            }
            Item::Assistant(item) if !item.text.is_empty() => {
                if is_of_job {
                    notes.progress.said();
                }
                Some((seq, said("text", None, &item.text)))
            }
            Item::Call(item) => {
                notes.calls.insert(item.call.id.clone(), (at, Arc::clone(&item.call)));
                Some((seq, called(&item.call, None)))
            }
            Item::Result(result) => notes.calls.remove(&result.call_id).map(|(at, call)| {
                if is_of_job {
                    notes.progress.answered(&call, result);
                }
                (i64::try_from(at).unwrap_or(i64::MAX), called(&call, Some(result)))
            }),
            _ => None,
        };
        if let Some((seq, body)) = step.filter(|(seq, _)| *seq > self.before_turn) {
            notes.changed.insert(seq, body);
        }
    }
}

/// The journal of a turn: on the disk first, then noted.
pub(super) struct Recorder {
    pub(super) file: FileJournal,
    pub(super) live: Arc<Live>,
}

impl Journal for Recorder {
    fn record<'a>(&'a self, entry: JournalEntry<'a>) -> BoxFuture<'a, Result<(), JournalError>> {
        Box::pin(async move {
            self.file.record(entry.clone()).await?;
            self.live.note(&entry);
            Ok(())
        })
    }
}
