//! Why a call gave no output.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use crate::error::{ArgumentError, ToolError, quoted};
use crate::output::cut;

/// How far a call had come when it was interrupted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Interrupted {
    /// It never started.
    BeforeStart,
    /// It was stopped while it ran, so it may have had effects.
    WhileRunning,
    /// It could not be stopped and still runs.
    StillRunning,
}

impl Interrupted {
    fn as_sentence(self) -> &'static str {
        match self {
            Self::BeforeStart => "it was not started",
            Self::WhileRunning => "it was stopped while it ran and may have had effects",
            Self::StillRunning => "it could not be stopped and still runs",
        }
    }
}

/// Why a call gave no output. The sentence is written for the model.
#[derive(Debug)]
#[non_exhaustive]
pub enum CallError {
    /// The model asked for a tool that is not in the set.
    UnknownTool {
        /// The name as the model wrote it.
        name: String,
        /// The nearest names of the set.
        nearest: Vec<String>,
        /// Names of the set, as many as are worth listing.
        known: Vec<String>,
        /// How many more there are.
        more: usize,
    },
    /// The tool is deferred and the model has not loaded it.
    NotLoaded {
        /// The tool.
        name: String,
        /// The tool of the set that loads it; `None` where the provider searches.
        search: Option<String>,
    },
    /// The tool may not be called by a program, or only by one.
    CallerNotAllowed {
        /// The tool.
        name: String,
        /// Who may call it, in words.
        allowed: &'static str,
    },
    /// The arguments do not fit, also after repair.
    Arguments {
        /// The tool.
        name: String,
        /// What is wrong with them.
        error: ArgumentError,
    },
    /// The tool itself failed.
    Tool(ToolError),
    /// The tool panicked; the text is the panic's message.
    Panicked(String),
    /// The tool's time was up.
    TimedOut {
        /// The time it had.
        after: Duration,
        /// How far it had come.
        interrupted: Interrupted,
    },
    /// The turn was cancelled.
    Cancelled(Interrupted),
    /// An earlier call of the same response ended the turn.
    TurnEnded {
        /// The tool that ended it.
        by: String,
    },
    /// The response that asked for it was cut off, so its arguments may lack something.
    ResponseCut {
        /// How much of the arguments arrived, in bytes.
        arrived: usize,
    },
    /// The turn has no rounds with tools left.
    LimitReached,
    /// The tool is in the set, but the model is not offered it in this round.
    NotOffered {
        /// The tool.
        name: String,
    },
    /// The host did not allow it.
    Denied {
        /// The tool.
        name: String,
        /// Why, for the model.
        reason: String,
    },
    /// The journal could not take the start of the call, so it did not start.
    NotRecorded,
    /// The turn was broken off (the program was stopped, for example) before the call was answered.
    BrokenOff(Interrupted),
}

impl CallError {
    /// The case as one word, for logs, traces and guards.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Self::UnknownTool { .. } => "unknown_tool",
            Self::NotLoaded { .. } => "not_loaded",
            Self::CallerNotAllowed { .. } => "caller_not_allowed",
            Self::Arguments { error, .. } => error.class().as_str(),
            Self::Tool(error) => error.kind().as_str(),
            Self::Panicked(_) => "panicked",
            Self::TimedOut { .. } => "timed_out",
            Self::Cancelled(_) => "cancelled",
            Self::TurnEnded { .. } => "turn_ended",
            Self::ResponseCut { .. } => "response_cut",
            Self::LimitReached => "limit_reached",
            Self::NotOffered { .. } => "not_offered",
            Self::Denied { .. } => "denied",
            Self::NotRecorded => "not_recorded",
            Self::BrokenOff(_) => "broken_off",
        }
    }
}

impl CallError {
    /// Cuts what the tool itself said to `max` bytes, as its output would be.
    pub(crate) fn bound(&mut self, max: usize) {
        match self {
            Self::Tool(error) => cut(error.message_mut(), max),
            Self::Panicked(message) => cut(message, max),
            _ => return,
        };
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownTool { name, nearest, known, more } => write_unknown(f, name, nearest, known, *more),
            Self::NotLoaded { name, search } => {
                write!(f, "the tool `{name}` is deferred and was not run: load it ")?;
                match search {
                    Some(search) => write!(f, "with `{search}` (`{{\"names\": [\"{name}\"]}}`)")?,
                    None => f.write_str("with tool search")?,
                }
                f.write_str(" first, read its parameters, then call it again")
            }
            Self::CallerNotAllowed { name, allowed } => {
                write!(f, "the tool `{name}` can only be called {allowed}")
            }
            Self::Arguments { name, error } => write!(f, "the arguments of `{name}` {}", error.predicate()),
            Self::Tool(error) => write!(f, "{error}"),
            Self::Panicked(message) => write!(f, "the tool failed by a fault of its own (panic): {message}"),
            Self::TimedOut { after, interrupted } => {
                write!(f, "the tool ran out of its time of {after:?}; {}", interrupted.as_sentence())
            }
            Self::Cancelled(interrupted) => write!(f, "the call was aborted; {}", interrupted.as_sentence()),
            Self::TurnEnded { by } => {
                write!(f, "the turn has ended with the call of `{by}`, so this call was not started")
            }
            Self::ResponseCut { arrived } => write!(
                f,
                "the call was not run: the response was cut off, and its arguments may be incomplete ({arrived} bytes \
                 of them arrived); ask for it again, with shorter arguments or with fewer calls at once"
            ),
            Self::LimitReached => f.write_str(
                "the call was not run: the turn has no rounds with tools left; answer without tools",
            ),
            Self::NotOffered { name } => {
                write!(f, "the call was not run: the tool `{name}` cannot be called in this part of the turn")
            }
            Self::Denied { name, reason } => {
                write!(f, "the call of `{name}` was not allowed and was not run: {reason}")
            }
            Self::NotRecorded => f.write_str("the call was not run: its start could not be recorded"),
            Self::BrokenOff(interrupted) => write!(
                f,
                "the turn was broken off before the call was answered; {}",
                match interrupted {
                    Interrupted::BeforeStart => "it was not started",
                    Interrupted::WhileRunning | Interrupted::StillRunning => {
                        "it may have run and had effects: find out before calling it again"
                    }
                }
            ),
        }
    }
}

fn write_unknown(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    nearest: &[String],
    known: &[String],
    more: usize,
) -> fmt::Result {
    write!(f, "no tool is named {}", quoted(name))?;
    if !nearest.is_empty() {
        write!(f, " (did you mean {})", list(nearest, " or "))?;
    }
    match (known.is_empty(), more) {
        (true, _) => f.write_str("; there are no tools in this turn"),
        (false, 0) => write!(f, "; the tools are {}", list(known, ", ")),
        (false, more) => write!(f, "; the tools are {} and {more} more", list(known, ", ")),
    }
}

fn list(names: &[String], between: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(between)
}

impl Error for CallError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Arguments { error, .. } => Some(error),
            _ => None,
        }
    }
}
