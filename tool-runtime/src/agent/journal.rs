//! The record of a turn while it runs, so that nothing that was done is lost or done twice.

mod file;
mod memory;
mod recover;

pub use file::{FileJournal, JournalSync};
pub use memory::MemoryJournal;
pub use recover::{Recovered, recover};

use std::borrow::Cow;
use std::error::Error;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::model::{Item, ResultItem};
use crate::tool::BoxFuture;

/// Keeps what happens in a turn, as it happens.
///
/// A call is recorded before it starts and its result as soon as it is done, both before anything else is decided. Calls
/// stand in the order of the response; results of calls that run side by side come in the order in which they finish, so
/// that none of them waits for another to be safe. [`recover`] puts them into the order of the calls.
pub trait Journal: Send + Sync {
    /// Takes an entry. When it returns, the entry is as safe as this journal can make it.
    ///
    /// # Errors
    ///
    /// When the entry could not be kept. The turn then starts no further call and ends with a
    /// [`TurnError`](crate::TurnError).
    ///
    /// # Cancel safety
    ///
    /// When the future is dropped, the entry is kept whole or not at all.
    fn record<'a>(&'a self, entry: JournalEntry<'a>) -> BoxFuture<'a, Result<(), JournalError>>;
}

impl<J: Journal + ?Sized> Journal for Arc<J> {
    fn record<'a>(&'a self, entry: JournalEntry<'a>) -> BoxFuture<'a, Result<(), JournalError>> {
        (**self).record(entry)
    }
}

/// One thing that happened in a turn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum JournalEntry<'a> {
    /// A turn begins with this conversation. What stood before belongs to an earlier turn.
    #[non_exhaustive]
    Began {
        /// The conversation.
        items: Cow<'a, [Item]>,
    },
    /// The model answered. None of its calls has started.
    #[non_exhaustive]
    Responded {
        /// What it wrote, with the ids that its calls have in the conversation.
        items: Cow<'a, [Item]>,
    },
    /// A call starts now. Without an answer behind it, it may have had effects.
    #[non_exhaustive]
    Started {
        /// The call.
        call_id: Cow<'a, str>,
        /// The tool, as `namespace.name` or its bare name.
        tool: Cow<'a, str>,
    },
    /// A call has its result, whether it ran or not.
    #[non_exhaustive]
    Answered {
        /// The result, as the model will read it.
        result: Cow<'a, ResultItem>,
        /// The arguments that the tool got, where they differ from what the model wrote.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arguments: Option<Cow<'a, str>>,
        /// Ids of host events that the result completes.
        #[serde(default, skip_serializing_if = "<[String]>::is_empty")]
        completes: Cow<'a, [String]>,
    },
    /// Something was said in the place of the user: steering, or an instruction of the loop.
    #[non_exhaustive]
    Said {
        /// What was said.
        items: Cow<'a, [Item]>,
    },
    /// The turn is over.
    #[non_exhaustive]
    Ended {
        /// [`Ending::kind`](crate::Ending::kind).
        ending: Cow<'a, str>,
    },
}

impl JournalEntry<'_> {
    /// The same entry, borrowing nothing.
    #[must_use]
    pub fn into_owned(self) -> JournalEntry<'static> {
        fn list<T: Clone>(list: Cow<'_, [T]>) -> Cow<'static, [T]> {
            Cow::Owned(list.into_owned())
        }
        fn text(text: Cow<'_, str>) -> Cow<'static, str> {
            Cow::Owned(text.into_owned())
        }
        match self {
            Self::Began { items } => JournalEntry::Began { items: list(items) },
            Self::Responded { items } => JournalEntry::Responded { items: list(items) },
            Self::Started { call_id, tool } => {
                JournalEntry::Started { call_id: text(call_id), tool: text(tool) }
            }
            Self::Answered { result, arguments, completes } => JournalEntry::Answered {
                result: Cow::Owned(result.into_owned()),
                arguments: arguments.map(text),
                completes: list(completes),
            },
            Self::Said { items } => JournalEntry::Said { items: list(items) },
            Self::Ended { ending } => JournalEntry::Ended { ending: text(ending) },
        }
    }
}

/// Why a journal could not be written or read.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct JournalError {
    /// What went wrong, and where.
    pub message: String,
}

impl JournalError {
    /// An error with these words.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl Error for JournalError {}
