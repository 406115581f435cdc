//! What parent and child write to each other: a line of JSON each.

use std::borrow::Cow;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use crate::workflow::limits::WorkflowLimits;
use crate::workflow::program::{KnownCall, Program, Replay};

/// What is to be replayed.
#[derive(Serialize, Deserialize)]
pub(super) struct Asked<'a> {
    source: Cow<'a, str>,
    args: Cow<'a, str>,
    seed: u32,
    began: i64,
    known: Cow<'a, [KnownCall]>,
    limits: Cow<'a, WorkflowLimits>,
}

impl Asked<'_> {
    /// Replays it on this thread.
    pub(super) fn replay(self, tell: &Rc<dyn Fn(Replay)>) {
        let Self { source, args, seed, began, known, limits } = self;
        let program = Program { source: source.into_owned(), args: args.into_owned(), seed, began };
        program.replay_and_tell(&known, &limits, tell);
    }
}

pub(super) fn ask(
    program: &Program,
    known: &[KnownCall],
    limits: &WorkflowLimits,
) -> Result<Vec<u8>, String> {
    let asked = Asked {
        source: Cow::Borrowed(&program.source),
        args: Cow::Borrowed(&program.args),
        seed: program.seed,
        began: program.began,
        known: Cow::Borrowed(known),
        limits: Cow::Borrowed(limits),
    };
    let mut line =
        serde_json::to_vec(&asked).map_err(|error| format!("a program cannot be sent: {error}"))?;
    line.push(b'\n');
    Ok(line)
}

pub(super) fn asked(line: &[u8]) -> Option<Asked<'static>> {
    serde_json::from_slice(line).ok()
}

pub(super) fn answer(replay: &Replay) -> Vec<u8> {
    serde_json::to_vec(replay).unwrap_or_default()
}

/// Nothing if it is not whole.
pub(super) fn read(answer: &[u8]) -> Option<Replay> {
    serde_json::from_slice(answer).ok()
}
