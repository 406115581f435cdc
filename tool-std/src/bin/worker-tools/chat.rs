//! `worker-tools chat`: a conversation on a terminal.

use std::process::ExitCode;

use clap::Args;
use tool_runtime::Item;

use crate::attend::{Stop, block_on};
use crate::conversation::{Conversation, ConversationOptions};
use crate::failure::Failure;
use crate::person::Lines;
use crate::turn_options::TurnOptions;

const EXAMPLES: &str = "Examples:
  worker-tools chat --model gpt-5.4
  worker-tools chat --api anthropic --model claude-sonnet-4-5 --workspace ~/project
  worker-tools chat --api chat --base-url http://localhost:8080/v1 --model qwen3
  worker-tools chat --recording answers.jsonl

Ctrl-C cancels the turn and not the program. Ctrl-D, or Ctrl-C between turns, leaves. What is typed while a turn runs is
said to the model between two of its rounds.";

/// Talk to a model that has the tools of the turn
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Chat {
    #[command(flatten)]
    conversation: ConversationOptions,
}

impl Chat {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let (mut conversation, recovered) = self.conversation.open(turn)?;
        if !recovered.items.is_empty() {
            conversation
                .screen
                .note(&format!("goes on after {} entries of the journal", recovered.items.len()))?;
        }
        block_on(talk(&mut conversation))??;
        Ok(ExitCode::SUCCESS)
    }
}

async fn talk(conversation: &mut Conversation) -> Result<(), Failure> {
    while let Some(said) = said(conversation).await? {
        conversation.items.extend(said);
        conversation.turn().await?;
    }
    conversation.screen.ask("\n")?;
    Ok(())
}

/// What is said next; `None` when the person leaves.
async fn said(conversation: &mut Conversation) -> Result<Option<Vec<Item>>, Failure> {
    let left_over = conversation.left_over();
    if !left_over.is_empty() {
        return Ok(Some(left_over));
    }
    loop {
        let mut stop = Stop::listen()?;
        conversation.screen.ask("> ")?;
        let lines = conversation.lines.get_or_insert_with(Lines::read);
        let line = tokio::select! {
            line = lines.next() => line,
            () = stop.asked() => None,
        };
        match line {
            None => return Ok(None),
            Some(line) if line.trim().is_empty() => {}
            Some(line) => return Ok(Some(vec![Item::user(line)])),
        }
    }
}
