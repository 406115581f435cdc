//! `worker-tools run`: one turn.

use std::io::{self, Read};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tool_runtime::{Ending, Item, Outcome, ToolResult};

use crate::attend::block_on;
use crate::call::{CANCELLED, FAILED};
use crate::conversation::ConversationOptions;
use crate::failure::Failure;
use crate::paper;
use crate::turn_options::TurnOptions;

const EXAMPLES: &str = "Examples:
  worker-tools run --recording answers.jsonl
  worker-tools run --recording answers.jsonl --json | jq '.results[] | select(.is_error)'
  worker-tools run --model gpt-5.4 --journal turn.jsonl 'What does this project build?'

Exit codes:
  0    the model was done, or a tool ended the turn
  2    the command itself could not run, because a file cannot be read for example
  3    the turn ended otherwise: the model failed, or its rounds were used up
  130  the turn was cancelled by Ctrl-C";

/// Run one turn with the tools and print the model's answer
///
/// What the tools do is shown on standard error while the turn runs; the model's text goes to standard output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Run {
    /// What the user says; `-` reads it from standard input. A recording needs none, and a turn that the journal holds
    /// unfinished takes none
    #[arg(value_name = "MESSAGE")]
    message: Option<String>,

    #[command(flatten)]
    conversation: ConversationOptions,

    /// Print the whole outcome as JSON after the turn: ending, text, calls and their results
    #[arg(long)]
    json: bool,
}

impl Run {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let (mut conversation, recovered) = self.conversation.open(turn)?;
        if self.json {
            conversation.screen.hide_text();
        }
        let is_unfinished = !recovered.items.is_empty() && recovered.ended.is_none();
        match (self.message()?, is_unfinished) {
            (Some(_), true) => {
                return Err("the journal holds a turn that is not finished; run it to its end without a message first".to_owned().into());
            }
            (None, true) => {
                let doubtful =
                    recovered.may_have_run.iter().map(|call| format!("`{}`", call.tool)).collect::<Vec<_>>();
                if !doubtful.is_empty() {
                    conversation
                        .screen
                        .warn(&format!("may have run before the turn broke off: {}", doubtful.join(", ")))?;
                }
            }
            (Some(message), false) => conversation.items.push(Item::user(message)),
            (None, false) if self.conversation.model.is_recorded() => {
                conversation.items.push(Item::user("(recorded)"))
            }
            (None, false) => {
                return Err("a message is missing: what the user says to the model".to_owned().into());
            }
        }
        let outcome = block_on(conversation.turn())??;
        if !conversation.left_over().is_empty() {
            let told = "what was typed last came too late: the turn had ended before the model was told";
            conversation.screen.warn(told)?;
        }
        if self.json {
            paper::json(&mut io::stdout().lock(), &in_json(&outcome))?;
        }
        Ok(ExitCode::from(match outcome.ending {
            Ending::Finished | Ending::EndedByTool(_) => 0,
            Ending::Cancelled(_) => CANCELLED,
            _ => FAILED,
        }))
    }

    fn message(&self) -> Result<Option<String>, Failure> {
        let mut text = String::new();
        Ok(match self.message.as_deref() {
            Some("-") => {
                io::stdin().read_to_string(&mut text)?;
                Some(text)
            }
            other => other.map(str::to_owned),
        })
    }
}

fn in_json(outcome: &Outcome) -> Value {
    let usage = &outcome.usage;
    json!({
        "ending": outcome.ending.kind(),
        "text": outcome.text,
        "responses": outcome.iterations,
        "usage": { "input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens },
        "results": outcome.results.iter().map(result).collect::<Value>(),
    })
}

fn result(result: &ToolResult) -> Value {
    let repairs = result.repairs.iter().map(|repair| json!({ "name": repair.name, "path": repair.path }));
    json!({
        "call_id": result.call.id,
        "tool": result.call.display_name(),
        "asked": result.call.input.as_str(),
        "repaired": result.arguments,
        "repairs": repairs.collect::<Value>(),
        "is_error": result.is_error(),
        "failure": result.outcome.as_ref().err().map(|error| error.kind()),
        "text": result.model_text(),
        "milliseconds": result.elapsed.as_millis(),
    })
}
