//! The thread that writes answers, one after the other.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use tokio::sync::mpsc;

use crate::Error;
use crate::chat::Prompt;
use crate::constrain::{Constraint, Grammars};
use crate::model::{self, Network, Prompted};
use crate::vocabulary::Vocabulary;

/// How many answers may wait for the model.
const QUEUE: usize = 16;

/// An answer to be written.
pub struct Job {
    /// What the model reads.
    pub prompt: Prompt,
    /// What it may write; any text where this is `None`.
    pub constraint: Option<Constraint>,
    /// How many tokens it may write.
    pub max_tokens: usize,
    /// Where the answer goes. It is given up when nobody is there any more.
    pub pieces: mpsc::UnboundedSender<Piece>,
}

/// A piece of an answer. There are no more of them than tokens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// More of what the model writes.
    Text(String),
    /// It is over.
    End(End),
    /// It failed.
    Failed(String),
}

/// How an answer ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// Why.
    pub reason: Reason,
    /// Tokens that were to be read.
    pub prompt_tokens: usize,
    /// Those of them that were known from an earlier answer.
    pub cached_tokens: usize,
    /// Tokens that were written.
    pub completion_tokens: usize,
}

/// Why an answer is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The model was done.
    Stop,
    /// It may write no more.
    Length,
}

/// The model, ready to write. Clones are the same one.
#[derive(Clone)]
pub struct Engine {
    shared: Arc<Shared>,
    jobs: mpsc::Sender<Job>,
}

struct Shared {
    vocabulary: Vocabulary,
    grammars: Grammars,
    context: usize,
    is_writing: AtomicBool,
    answered: AtomicU64,
    given_up: AtomicU64,
}

/// What the model did so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Whether it writes now.
    pub is_writing: bool,
    /// Answers that were written to their end.
    pub answered: u64,
    /// Answers that nobody waited for any more, and those that failed.
    pub given_up: u64,
}

impl Engine {
    /// Loads a model and starts its thread, which ends with the last clone.
    ///
    /// # Errors
    ///
    /// When the model cannot be used.
    pub fn load(path: &Path) -> Result<Self, Error> {
        let (network, vocabulary) = model::load(path)?;
        let grammars = Grammars::new(&vocabulary)?;
        let (jobs, waiting) = mpsc::channel(QUEUE);
        let shared = Arc::new(Shared {
            vocabulary,
            grammars,
            context: network.context(),
            is_writing: AtomicBool::new(false),
            answered: AtomicU64::new(0),
            given_up: AtomicU64::new(0),
        });
        let of_thread = Arc::clone(&shared);
        std::thread::Builder::new()
            .name("model".to_owned())
            .spawn(move || write_all(network, &of_thread, waiting))?;
        Ok(Self { shared, jobs })
    }

    /// The tokens of the model.
    #[must_use]
    pub fn vocabulary(&self) -> &Vocabulary {
        &self.shared.vocabulary
    }

    /// The grammars over its tokens.
    #[must_use]
    pub fn grammars(&self) -> &Grammars {
        &self.shared.grammars
    }

    /// How many tokens prompt and answer may have together.
    #[must_use]
    pub fn context(&self) -> usize {
        self.shared.context
    }

    /// What it did so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        Counts {
            is_writing: self.shared.is_writing.load(Ordering::SeqCst),
            answered: self.shared.answered.load(Ordering::SeqCst),
            given_up: self.shared.given_up.load(Ordering::SeqCst),
        }
    }

    /// Lets an answer be written; `false` if too many wait already.
    #[must_use]
    pub fn start(&self, job: Job) -> bool {
        self.jobs.try_send(job).is_ok()
    }
}

fn write_all(mut network: Network, shared: &Shared, mut waiting: mpsc::Receiver<Job>) {
    while let Some(job) = waiting.blocking_recv() {
        let pieces = job.pieces.clone();
        shared.is_writing.store(true, Ordering::SeqCst);
        let last = match write(&mut network, &shared.vocabulary, job) {
            Ok(end) => end.map(Piece::End),
            Err(error) => Some(Piece::Failed(error.to_string())),
        };
        shared.is_writing.store(false, Ordering::SeqCst);
        let is_answered = matches!(last, Some(Piece::End(_))) && !pieces.is_closed();
        let count = if is_answered { &shared.answered } else { &shared.given_up };
        // Counted first: who has the last piece finds it counted.
        count.fetch_add(1, Ordering::SeqCst);
        if let Some(last) = last {
            // Nobody is there to be told if it fails.
            let _ = pieces.send(last);
        }
    }
}

/// Writes one answer; `None` if nobody wants it any more.
fn write(network: &mut Network, vocabulary: &Vocabulary, mut job: Job) -> Result<Option<End>, Error> {
    let is_wanted = || !job.pieces.is_closed();
    let Some(prompted) = network.read(&job.prompt.tokens, &job.prompt.marks, is_wanted)? else {
        return Ok(None);
    };
    let Prompted { mut reading, known } = prompted;
    let limit = job.max_tokens.min(network.context() - reading.len());
    let mut characters = Characters::default();
    let mut written = 0;
    let reason = loop {
        if written == limit {
            break Reason::Length;
        }
        if written > 0 && job.pieces.is_closed() {
            return Ok(None);
        }
        let next = match &mut job.constraint {
            Some(constraint) => constraint.next(|may_come| reading.likeliest(may_come))?,
            // An answer says something.
            None => reading
                .likeliest(|token| vocabulary.is_text(token) || (written > 0 && token == vocabulary.end())),
        };
        let Some(token) = next.filter(|token| vocabulary.is_text(*token)) else {
            break Reason::Stop;
        };
        written += 1;
        let text = characters.add(vocabulary.bytes(token));
        if !text.is_empty() && job.pieces.send(Piece::Text(text)).is_err() {
            return Ok(None);
        }
        if job.constraint.as_ref().is_some_and(Constraint::is_over) {
            break Reason::Stop;
        }
        if written < limit {
            reading.add(&[token])?;
        }
    };
    let rest = characters.end();
    if !rest.is_empty() {
        // Whether somebody is there is asked when the end is told.
        let _ = job.pieces.send(Piece::Text(rest));
    }
    Ok(Some(End {
        reason,
        prompt_tokens: job.prompt.tokens.len(),
        cached_tokens: known,
        completion_tokens: written,
    }))
}

/// Bytes as text, a character only when it is whole.
#[derive(Default)]
struct Characters {
    rest: Vec<u8>,
}

impl Characters {
    fn add(&mut self, bytes: &[u8]) -> String {
        self.rest.extend_from_slice(bytes);
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.rest) {
                Ok(whole) => {
                    text.push_str(whole);
                    self.rest.clear();
                    return text;
                }
                Err(error) => {
                    let (whole, rest) = self.rest.split_at(error.valid_up_to());
                    text.push_str(&String::from_utf8_lossy(whole));
                    let Some(broken) = error.error_len() else {
                        self.rest = rest.to_vec();
                        return text;
                    };
                    text.push(char::REPLACEMENT_CHARACTER);
                    self.rest = rest[broken..].to_vec();
                }
            }
        }
    }

    fn end(self) -> String {
        String::from_utf8_lossy(&self.rest).into_owned()
    }
}
