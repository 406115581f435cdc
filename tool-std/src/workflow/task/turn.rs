//! One attempt of a task: from its prompt, or from its last sleep, to a result, a sleep or a failure.

use std::sync::Arc;

use tool_runtime::{Agent, CancellationToken, Correction, Ending as TurnEnding, Item, Outcome, ToolName};

use crate::state::TurnFiles;
use crate::workflow::kit::{MakeKit, TaskBrief, TaskKit};
use crate::workflow::program::AgentCall;
use crate::workflow::row::{Failure, Task};
use crate::workflow::schema::ResultSchema;
use crate::workflow::space::WorkflowSpace;
use crate::workflow::store::Message;

use super::{Ending, SLEEP, SUBMIT, workflow_task_tools};

/// What is said to a model that answers in prose.
const REPAIR: &str = "This task ends only with a call of `submit_result` (or `sleep`). What you have written is not read by anyone. \
Call `submit_result` now, with the result in the form of its parameters.";
/// What is said to a task that goes on after a sleep.
const WOKEN: &str = "The sleep is over. Go on with the task.";
/// What is said to a model whose turn was broken off behind its last words.
const GO_ON: &str = "Go on with the task and end it with `submit_result`.";

/// A claimed task.
pub(crate) struct Attempt<'a> {
    pub(crate) space: &'a WorkflowSpace,
    pub(crate) make_kit: &'a MakeKit,
    pub(crate) task: &'a Task,
    /// The model profile of the run.
    pub(crate) profile: Option<String>,
    /// What was said to the task.
    pub(crate) messages: &'a [Message],
    pub(crate) cancel: &'a CancellationToken,
}

/// How it came out.
#[derive(Debug)]
pub(crate) enum Turned {
    /// One of the ending tools has ended the claim.
    Ended,
    /// The turn was cancelled.
    Cancelled,
    /// The attempt has failed.
    Failed(Failure),
    /// Another process has the files: one that was held to be dead, and is about to see it.
    FilesHeld,
}

impl Attempt<'_> {
    pub(crate) async fn run(&self) -> Turned {
        match self.turn().await {
            Ok(turned) => turned,
            Err(words) => Turned::Failed(Failure::new("setup_failed", &words)),
        }
    }

    async fn turn(&self) -> Result<Turned, String> {
        let task = self.task;
        let call = AgentCall::from_text(&task.call)
            .map_err(|error| format!("the call of the task cannot be read: {error}"))?;
        let schema = ResultSchema::of(call.schema.as_ref()).map_err(|faults| faults.join("; "))?;
        let folder = self.space.task_folder(task.run, task.seq);
        let said: Vec<Item> = self.messages.iter().map(|message| Item::user(message.as_said())).collect();
        let prompt = call.prompt.clone();
        let opened = blocking(move || {
            let Some(files) = TurnFiles::open(&folder)? else { return Ok(None) };
            let (turn, items) = next(&files, &prompt, said)?;
            let (journal, _) = files.turn(turn)?;
            Ok(Some((files, journal, items)))
        })
        .await?;
        // The files are held until the turn is over.
        let Some((_files, journal, items)) = opened else { return Ok(Turned::FilesHeld) };
        let kit = (self.make_kit)(self.brief(&call)).await?;
        let ending = Ending { space: self.space.clone(), task: task.clone(), schema: Arc::new(schema) };
        let tools = workflow_task_tools(&kit, &ending)?;
        let agent = Agent::new(Arc::clone(&kit.model), tools).map_err(|error| error.to_string())?;
        let agent = agent
            .instructions(instructions(&kit, task, &call, &ending.schema))
            .iteration_limit(kit.iteration_limit)
            .nudge(false)
            .journal(journal)
            .check_answer(|_| {
                let offered = [ToolName::bare(SUBMIT), ToolName::bare(SLEEP)];
                Some(Correction::new(REPAIR).offer(offered))
            });
        let outcome = agent.run(items, self.cancel).await.map_err(|error| error.to_string())?;
        Ok(turned(&outcome))
    }

    fn brief(&self, call: &AgentCall) -> TaskBrief {
        let task = self.task;
        TaskBrief {
            run: task.run,
            call_seq: task.seq,
            call_id: task.id,
            agent: task.agent.clone(),
            prompt: call.prompt.clone(),
            label: call.label.clone(),
            model_profile: call.model_profile.clone().or_else(|| self.profile.clone()),
            claim: task.claims,
        }
    }
}

/// The turn to run and what it begins with: one that was broken off goes on; else a new one begins at the last sleep, or with
/// the prompt. An attempt that failed leaves nothing to the next. Blocks.
fn next(files: &TurnFiles, prompt: &str, said: Vec<Item>) -> Result<(i64, Vec<Item>), String> {
    let last = files.last()?;
    if last > 0 {
        let (_, recovered) = files.turn(last)?;
        // A worker that shuts down cancels its turns.
        let is_broken_off = matches!(recovered.ended.as_deref(), None | Some("cancelled"));
        if is_broken_off && !recovered.items.is_empty() {
            let mut items = recovered.items;
            let new = said.into_iter().filter(|item| !items.contains(item)).collect::<Vec<_>>();
            items.extend(new);
            if matches!(items.last(), Some(Item::Assistant(_))) {
                items.push(Item::user(GO_ON));
            }
            return Ok((last, items));
        }
    }
    let mut items = vec![Item::user(prompt)];
    for turn in (1..=last).rev() {
        let (_, recovered) = files.turn(turn)?;
        if recovered.ended.as_deref() == Some("ended_by_tool") {
            items = recovered.items;
            items.push(Item::user(WOKEN));
            break;
        }
    }
    let new = said.into_iter().filter(|item| !items.contains(item)).collect::<Vec<_>>();
    items.extend(new);
    Ok((last + 1, items))
}

/// What the model is told before the prompt.
fn instructions(kit: &TaskKit, task: &Task, call: &AgentCall, schema: &ResultSchema) -> String {
    let label = call.label.as_deref().map_or_else(String::new, |label| format!(", `{label}`"));
    let identity = if kit.identity.is_empty() { String::new() } else { format!("{}\n\n", kit.identity) };
    format!(
        "{identity}You work on one task of a workflow: the call {} (task {}{label}) of the workflow {}. You see nothing of the other \
         tasks and nobody reads what you write. The task ends only with a call of `submit_result`: call it once, with the \
         whole result, as soon as it is there. If you have to wait for minutes or longer, call `sleep`. The parameters of \
         `submit_result` are:\n\n{}",
        task.seq,
        task.id,
        task.run,
        schema.wrapped()
    )
}

fn turned(outcome: &Outcome) -> Turned {
    let (kind, failed) = match &outcome.ending {
        TurnEnding::EndedByTool(_) => return Turned::Ended,
        TurnEnding::Cancelled(_) => return Turned::Cancelled,
        TurnEnding::Finished | TurnEnding::NotAccepted { .. } => {
            let has_said = outcome.new_items().iter().any(|item| match item {
                Item::Assistant(said) => !said.text.trim().is_empty(),
                _ => false,
            });
            if has_said {
                ("schema_noncompliance", "it answered in prose and did not submit a result".to_owned())
            } else {
                ("empty_output", "its model said nothing and did not submit a result".to_owned())
            }
        }
        TurnEnding::ModelFailed(error) => ("model_failed", error.to_string()),
        TurnEnding::IterationLimit { limit } => {
            ("iteration_limit", format!("it did not submit a result in {limit} rounds"))
        }
        TurnEnding::RepeatedFailure { call, times } => {
            ("repeated_failure", format!("its call of `{}` failed {times} times in the same way", call.tool))
        }
        ending => (ending.kind(), "the response of its model was cut off or could not be read".to_owned()),
    };
    Turned::Failed(Failure::new(kind, &failed))
}

/// Runs what blocks beside the other tasks.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err("the worker shuts down".to_owned()))
}
