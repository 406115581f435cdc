//! The turns of a conversation: what `run` does once and `chat` does again and again.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use tool_runtime::{
    Agent, ApprovalRequest, CallError, CancellationToken, Decision, Ending, FileJournal, Item, Outcome,
    Recovered, Steering, WorkerAgentTool, ask_person, event_channel,
};
use tool_std::turn::{TurnContext, main_turn_tools};

use crate::attend::attend;
use crate::failure::Failure;
use crate::model_options::{AnyModel, ModelOptions};
use crate::person::{Lines, Person, is_attended};
use crate::screen::{Screen, one_line};
use crate::turn_options::TurnOptions;

/// What holds for every turn of a conversation.
#[derive(Args)]
pub(crate) struct ConversationOptions {
    #[command(flatten)]
    pub(crate) model: ModelOptions,

    /// Keep the conversation in FILE, and go on with what stands in it
    #[arg(long, value_name = "FILE", help_heading = "The conversation")]
    journal: Option<PathBuf>,

    /// What the model is told before the conversation
    #[arg(
        long,
        value_name = "TEXT",
        help_heading = "The conversation",
        default_value = "Work with the tools; be short."
    )]
    instructions: String,

    /// Do not ask before a tool that may destroy something
    #[arg(long, short, help_heading = "The conversation")]
    yes: bool,
}

/// A conversation, and all that its turns need.
pub(crate) struct Conversation {
    model: AnyModel,
    turn: TurnContext,
    instructions: String,
    journal: Option<FileJournal>,
    allows_all: bool,
    /// What was said so far.
    pub(crate) items: Vec<Item>,
    pub(crate) screen: Screen,
    /// What is typed; only if there is a person.
    pub(crate) lines: Option<Lines>,
    steering: Steering,
}

impl ConversationOptions {
    /// Opens everything; gives what an earlier program left too.
    ///
    /// # Errors
    ///
    /// When the model, a folder or the journal cannot be used.
    pub(crate) fn open(&self, turn: &TurnOptions) -> Result<(Conversation, Recovered), Failure> {
        let opened =
            self.journal.as_ref().map(FileJournal::open).transpose().map_err(|error| error.to_string())?;
        let (journal, recovered) = match opened {
            Some((journal, recovered)) => (Some(journal), recovered),
            None => (None, Recovered::default()),
        };
        let steering = Steering::new();
        let turn = turn.steered(&steering)?;
        let conversation = Conversation {
            model: self.model.model()?,
            instructions: format!("{}\n\n{}", self.instructions, turn.instructions()).trim_end().to_owned(),
            turn,
            journal,
            allows_all: self.yes,
            items: recovered.items.clone(),
            screen: Screen::new(),
            lines: None,
            steering,
        };
        Ok((conversation, recovered))
    }
}

impl Conversation {
    /// Runs one turn on all that was said, and shows it while it runs.
    ///
    /// # Errors
    ///
    /// When the tools cannot stand in one turn, the journal cannot be written, or nothing can be shown.
    pub(crate) async fn turn(&mut self) -> Result<Outcome, Failure> {
        let (sender, events) = event_channel(10_000);
        let mut agent = Agent::new(Arc::clone(&self.model), self.tools())
            .map_err(|error| error.to_string())?
            .instructions(&self.instructions)
            .steering(self.steering.clone())
            .events(sender);
        if let Some(journal) = &self.journal {
            agent = agent.journal(journal.clone());
        }
        let (ask, requests) = ask_person();
        let mut person = None;
        if is_attended() {
            let lines = self.lines.get_or_insert_with(Lines::read);
            person = Some(Person::new(requests, lines, self.steering.clone()));
        }
        if !self.allows_all {
            agent = if person.is_some() { agent.approval(ask) } else { agent.approval(deny) };
        }
        let cancel = CancellationToken::new();
        let running = agent.run(std::mem::take(&mut self.items), &cancel);
        let mut outcome = attend(running, events, person, &mut self.screen, &cancel)
            .await?
            .map_err(|error| error.to_string())?;
        self.items = std::mem::take(&mut outcome.items);
        self.report(&outcome)?;
        Ok(outcome)
    }

    /// Says what no event has told: which calls were refused before they started, and how the turn ended if that is no
    /// answer.
    fn report(&mut self, outcome: &Outcome) -> io::Result<()> {
        for result in &outcome.results {
            if let Err(error) = &result.outcome
                && !had_a_row(error)
            {
                let name = result.call.display_name();
                self.screen.warn(&one_line(&format!("`{name}` did not run: {error}")))?;
            }
        }
        match ending(&outcome.ending) {
            Some(ending) => self.screen.warn(&ending),
            None => Ok(()),
        }
    }

    /// What was typed too late for the turn before.
    pub(crate) fn left_over(&mut self) -> Vec<Item> {
        self.steering.take()
    }

    fn tools(&self) -> Vec<WorkerAgentTool> {
        main_turn_tools(&self.turn)
    }
}

/// Nobody can be asked, so nothing is destroyed.
fn deny(_: &ApprovalRequest) -> Decision {
    Decision::Deny("it may destroy something, and nobody is there to allow it; do without it".to_owned())
}

/// Whether the events of the call told of it.
fn had_a_row(error: &CallError) -> bool {
    matches!(
        error,
        CallError::Tool(_)
            | CallError::Panicked(_)
            | CallError::TimedOut { .. }
            | CallError::Denied { .. }
            | CallError::Cancelled(_)
            | CallError::BrokenOff(_)
    )
}

/// How a turn ended, where that is no answer.
fn ending(ending: &Ending) -> Option<String> {
    Some(match ending {
        Ending::Finished => return None,
        Ending::EndedByTool(call) => format!("`{}` ended the turn", call.tool),
        Ending::IterationLimit { limit } => format!("the model was not done after {limit} rounds"),
        Ending::Cut(reason) => format!("the answer was cut off ({reason:?})"),
        Ending::NotAccepted { reason } => format!("the answer was not accepted: {reason}"),
        Ending::RepeatedFailure { call, times } => {
            format!("`{}` failed {times} times in the same way", call.tool)
        }
        Ending::Cancelled(calls) if calls.interrupted.is_empty() && calls.still_running.is_empty() => {
            "cancelled".to_owned()
        }
        Ending::Cancelled(calls) => {
            let stopped = calls.interrupted.iter().map(|call| format!("`{}` was stopped", call.tool));
            let running = calls.still_running.iter().map(|call| format!("`{}` still runs", call.tool));
            format!("cancelled; {}", stopped.chain(running).collect::<Vec<_>>().join(", "))
        }
        Ending::ModelFailed(error) => format!("the model failed: {error}"),
        other => format!("the turn ended: {}", other.kind()),
    })
}
