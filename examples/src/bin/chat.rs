//! A conversation: each turn begins with all that was said before, has its own list of tools, and is cancelled by Ctrl-C
//! without losing what it did.
//!
//! `cargo run -p examples --bin chat` plays a recording. With a real model, and on a terminal of your own, it is
//! `worker-tools chat`: see `docs/models.md`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use examples::print_event;
use tool_runtime::provider::RecordedModel;
use tool_runtime::{Agent, CancellationToken, Ending, Item, Outcome};
use tool_std::computer::Computer;
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};

const INSTRUCTIONS: &str =
    "You answer questions about the files of a workspace. Look things up with the tools; be short.";

const QUESTIONS: [&str; 2] =
    ["What does this workspace build, and with which edition?", "And under which licence?"];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let own_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let model = Arc::new(RecordedModel::from_file(own_folder.join("recordings").join("chat.jsonl"))?);
    // What lives longer than a turn: the plan, and the folder that may be read.
    let turn = TurnContext::new(TodoStore::new()).computer(Computer::new(own_folder.join(".."))?);

    let mut conversation = Vec::new();
    for question in QUESTIONS {
        println!("> {question}");
        conversation.push(Item::user(question));
        let tools = main_turn_tools(&turn).into_iter().filter(|tool| tool.spec().read_only).collect();
        let agent = Agent::new(Arc::clone(&model), tools)?.instructions(INSTRUCTIONS).observer(print_event);
        let outcome = until_ctrl_c(agent, conversation).await?;
        match &outcome.ending {
            Ending::Finished => println!("{}\n", outcome.text),
            ending => println!("the turn ended: {}\n", ending.kind()),
        }
        // What was said and done, also by a turn that was cancelled; the next one goes on from here.
        conversation = outcome.items;
    }
    Ok(())
}

/// Runs a turn. Ctrl-C cancels it: calls that run are stopped, and the outcome says which.
async fn until_ctrl_c(agent: Agent, conversation: Vec<Item>) -> Result<Outcome, Box<dyn Error>> {
    let cancel = CancellationToken::new();
    let running = agent.run(conversation, &cancel);
    tokio::pin!(running);
    tokio::select! {
        outcome = &mut running => Ok(outcome?),
        pressed = tokio::signal::ctrl_c() => {
            pressed?;
            cancel.cancel();
            Ok(running.await?)
        }
    }
}
