//! Why arguments are refused, in sentences that a model can act on.

mod problem;
mod typed;

use std::error::Error;
use std::fmt;

pub use self::problem::Problem;
pub(crate) use self::problem::{SHOWN, quoted};

/// The most characters of one message. A caller may put a few more around it, such as the name of the tool.
const MESSAGE_LIMIT: usize = 1_900;

/// The three ways in which arguments are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum ArgumentClass {
    /// The text ends before the object does.
    Truncated,
    /// No object can be read from it, or more than one.
    Malformed,
    /// An object was read and does not fit the parameters.
    Invalid,
}

impl ArgumentClass {
    /// The class as one word.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Truncated => "truncated",
            Self::Malformed => "malformed",
            Self::Invalid => "invalid",
        }
    }
}

/// Why a call's arguments are refused. The tool was not run.
///
/// Displayed, it is the message for the model: at most 2,000 characters, the same words for the same mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ArgumentError {
    /// The text ends before the object does.
    #[non_exhaustive]
    Truncated {
        /// The keys whose values arrived whole.
        complete: Vec<String>,
        /// What was cut, if that can be told.
        cut: Option<String>,
    },
    /// No object can be read from the text, or more than one.
    #[non_exhaustive]
    Malformed {
        /// Why, as a clause.
        reason: String,
    },
    /// An object was read and does not fit the schema.
    #[non_exhaustive]
    Invalid {
        /// Everything that is wrong, in the order of the schema's checks; at most 100.
        problems: Vec<Problem>,
    },
}

impl ArgumentError {
    /// Which of the three ways it is.
    #[must_use]
    pub fn class(&self) -> ArgumentClass {
        match self {
            Self::Truncated { .. } => ArgumentClass::Truncated,
            Self::Malformed { .. } => ArgumentClass::Malformed,
            Self::Invalid { .. } => ArgumentClass::Invalid,
        }
    }

    /// An error that serde gave when it read `text`, clean arguments that fit their schema, into a Rust type.
    ///
    /// The path is that of the value at which serde stopped; for a type that reads its fields by way of a buffer
    /// (`flatten`, `untagged`) that may be the object around it.
    #[must_use]
    pub fn from_serde(error: &serde_json::Error, text: &str) -> Self {
        Self::Invalid { problems: vec![typed::problem(error, text)] }
    }

    pub(crate) fn malformed(reason: String) -> Self {
        Self::Malformed { reason }
    }

    pub(crate) fn truncated(complete: Vec<String>, cut: Option<String>) -> Self {
        Self::Truncated { complete, cut }
    }

    pub(crate) fn invalid(problems: Vec<Problem>) -> Self {
        Self::Invalid { problems }
    }

    /// What is said of the arguments: the message without its first two words.
    pub(crate) fn predicate(&self) -> String {
        let message = match self {
            Self::Truncated { complete, cut } => truncated(complete, cut.as_deref()),
            Self::Malformed { reason } => format!(
                "cannot be read, so the tool was not run: {reason}; send one JSON object and nothing else"
            ),
            Self::Invalid { problems } => invalid(problems),
        };
        match message.char_indices().nth(MESSAGE_LIMIT - 1) {
            Some((end, _)) if message.chars().nth(MESSAGE_LIMIT).is_some() => {
                format!("{}…", message.get(..end).unwrap_or_default())
            }
            _ => message,
        }
    }
}

impl fmt::Display for ArgumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the arguments {}", self.predicate())
    }
}

impl Error for ArgumentError {}

fn truncated(complete: &[String], cut: Option<&str>) -> String {
    let arrived = match complete {
        [] => "no value arrived whole".to_owned(),
        keys => {
            let names: Vec<String> = keys.iter().take(20).map(|key| format!("`{key}`")).collect();
            let more = keys.len().saturating_sub(20);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            format!("{}{more} arrived whole", names.join(", "))
        }
    };
    let cut = cut.map_or_else(String::new, |cut| format!(", {cut} did not"));
    format!(
        "end before their object does, so the tool was not run: {arrived}{cut}; send the whole call again, in smaller pieces if it was cut for its length"
    )
}

fn invalid(problems: &[Problem]) -> String {
    let intro = "do not fit, so the tool was not run";
    if let [only] = problems {
        return format!("{intro}: {only}");
    }
    let mut message = format!("{intro}:");
    let mut length = message.chars().count();
    for (index, problem) in problems.iter().enumerate() {
        let line = format!("\n- {problem}");
        let more = format!("\n- and {} more", problems.len() - index);
        length += line.chars().count();
        let is_last = index + 1 == problems.len();
        let reserve = if is_last { 0 } else { more.chars().count() };
        if index > 0 && length + reserve > MESSAGE_LIMIT {
            message.push_str(&more);
            break;
        }
        message.push_str(&line);
    }
    message
}
