//! A program, and one replay of it: from what is known of its calls to what it does next.
//!
//! A replay runs the program from its beginning in a fresh context. Calls of `agent` that are known are answered from what is
//! known, so the program comes to where it was and goes on from there. Nothing else comes into it: no file, no network, no
//! clock and no chance that is not the same in each replay. So a replay is a function of the program and what is known.
//!
//! Calls are answered by stages. A stage is all calls that the program makes until it only waits; it is answered as a whole,
//! in the order of the calls, once each of its calls is over. Thus the order in which calls are made does not depend on which
//! of them is over first.

mod call;
mod engine;
mod host;
mod meter;

pub use call::AgentCall;

use std::cell::RefCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::limits::WorkflowLimits;

/// A program with its arguments. It never changes.
///
/// ```
/// use tool_std::workflow::{CallOutcome, KnownCall, Program, Replay, WorkflowLimits};
///
/// let source = "const found = await agent(`Review ${args.file}`);\nreturn `${args.file}: ${found}`;";
/// let program = Program::new(source, Some(serde_json::json!({ "file": "a.rs" })), 7, 0)?;
/// let limits = WorkflowLimits::new();
///
/// let Replay::Pending { first: 0, calls } = program.replay(&[], &limits) else { panic!("it asks an agent first") };
/// assert_eq!(calls[0].prompt, "Review a.rs");
///
/// let known = [KnownCall { call: calls[0].to_text(), outcome: Some(CallOutcome::Value("\"no faults\"".to_owned())) }];
/// assert_eq!(program.replay(&known, &limits), Replay::Completed("a.rs: no faults".to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Program {
    pub(super) source: String,
    pub(super) args: String,
    pub(super) seed: u32,
    pub(super) began: i64,
}

/// A call of a run, and how it ended if it has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KnownCall {
    /// Its arguments, as [`AgentCall::to_text`] gives them.
    pub call: String,
    /// How it ended.
    pub outcome: Option<CallOutcome>,
}

/// How a call ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum CallOutcome {
    /// With this value, as JSON.
    Value(String),
    /// Without one: the program is given null.
    Failed,
}

/// What a program does next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Replay {
    /// It is done, with this result.
    Completed(String),
    /// It waits for these calls.
    Pending {
        /// The place of the first of them in the order of all calls.
        first: usize,
        /// The calls, in their order. The first ones may be known.
        calls: Vec<AgentCall>,
    },
    /// It failed.
    Failed(ProgramFailure),
    /// It does not do what it did before.
    Diverged {
        /// The place of the call, counted from 0.
        call: usize,
        /// What differed.
        difference: String,
    },
}

/// Why a program failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ProgramFailure {
    /// One word: `syntax`, `threw`, `bad_result`, `never_ends`, `too_much_work`, `too_long`, `too_much_memory`,
    /// `too_many_calls`, `too_large`, `engine_failed`.
    pub code: String,
    /// What was wrong, where, and what to do.
    pub sentence: String,
}

impl ProgramFailure {
    pub(crate) fn new(code: &str, sentence: impl Into<String>) -> Self {
        /// The longest sentence, in bytes.
        const MAX: usize = 2_000;
        let mut sentence = sentence.into();
        sentence.truncate(sentence.floor_char_boundary(MAX));
        Self { code: code.to_owned(), sentence }
    }
}

impl Program {
    /// A program. `seed` is what its `Math.random` begins with, `began` what its `Date.now` gives (milliseconds since 1970).
    ///
    /// # Errors
    ///
    /// When the source is blank, or the source or the arguments are longer than a program may have; and when the arguments are
    /// no object. The sentence says which.
    pub fn new(source: &str, args: Option<Value>, seed: u32, began: i64) -> Result<Self, String> {
        let limits = WorkflowLimits::default();
        if source.trim().is_empty() {
            return Err(
                "the script is blank; write a program that calls `agent` and returns a result".to_owned()
            );
        }
        if source.contains('\0') {
            return Err("the script has a NUL character; leave it out".to_owned());
        }
        fits("the script", source.len(), limits.source_bytes)?;
        let args = match args {
            None => "{}".to_owned(),
            Some(args @ Value::Object(_)) => args.to_string(),
            Some(_) => return Err("`args` must be an object".to_owned()),
        };
        fits("`args`", args.len(), limits.args_bytes)?;
        Ok(Self { source: source.to_owned(), args, seed, began })
    }

    /// Replays it with what is known, on the thread of the caller, which it blocks.
    ///
    /// This is for programs of the host itself, and for trying them out. A program that fills its memory on purpose can bring
    /// the engine to where it never comes back, or crashes the process: replay those of a model by a
    /// [`Replayer`](super::Replayer), as workers do.
    ///
    /// The stack of the thread must have room for [`WorkflowLimits::stack_bytes`] and 256 KiB more.
    #[must_use]
    pub fn replay(&self, known: &[KnownCall], limits: &WorkflowLimits) -> Replay {
        let told = Rc::new(RefCell::new(None));
        let first = Rc::clone(&told);
        let tell: Rc<dyn Fn(Replay)> = Rc::new(move |replay| {
            first.borrow_mut().get_or_insert(replay);
        });
        self.replay_and_tell(known, limits, &tell);
        told.take().unwrap_or_else(|| {
            Replay::Failed(ProgramFailure::new("engine_failed", "the engine of programs said nothing"))
        })
    }

    /// Replays it, and tells what came of it, before the engine is taken down. Where the engine cannot be interrupted any more
    /// it is told too, perhaps again and again, and this does not return.
    pub(super) fn replay_and_tell(
        &self,
        known: &[KnownCall],
        limits: &WorkflowLimits,
        tell: &Rc<dyn Fn(Replay)>,
    ) {
        engine::replay(self, known, limits, tell);
    }
}

pub(crate) fn fits(what: &str, bytes: usize, most: usize) -> Result<(), String> {
    if bytes > most {
        return Err(format!("{what} has {bytes} bytes and may have {most}"));
    }
    Ok(())
}
