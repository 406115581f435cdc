//! Why a command stopped before its end.

use std::fmt::Display;
use std::io;
use std::process::ExitCode;

/// What no command could do: exit code 2.
pub(crate) const CANNOT_RUN: u8 = 2;

/// Why a command stopped before its end.
pub(crate) enum Failure {
    /// It could not be run as it was asked; the sentence says why and what to do.
    Said(String),
    /// Whoever read the output has gone, so there is nothing left to do.
    OutputClosed,
}

impl Failure {
    /// A failure about `subject`, a file for example.
    pub(crate) fn about(subject: impl Display, problem: impl Display) -> Self {
        Self::Said(format!("{subject}: {problem}"))
    }

    /// The sentence, for somebody else to tell.
    pub(crate) fn into_words(self) -> String {
        match self {
            Self::OutputClosed => "the output was closed".to_owned(),
            Self::Said(sentence) => sentence,
        }
    }

    /// Tells the person, if there is anything to tell.
    pub(crate) fn report(self) -> ExitCode {
        match self {
            Self::OutputClosed => ExitCode::SUCCESS,
            Self::Said(sentence) => {
                say!("worker-tools: {sentence}");
                ExitCode::from(CANNOT_RUN)
            }
        }
    }
}

impl From<String> for Failure {
    fn from(sentence: String) -> Self {
        Self::Said(sentence)
    }
}

/// Of reading and writing the standard streams; a file is named with [`Failure::about`].
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Self::OutputClosed,
            _ => Self::about("input or output", error),
        }
    }
}
