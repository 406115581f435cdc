//! A conversation: each turn begins with all that was said before, has its own list of tools, and is cancelled by Ctrl-C
//! without losing what it did.
//!
//! `cargo run -p examples --bin chat` plays a recording. A real model is asked what you type, one line a question:
//!
//! ```sh
//! cargo run -p examples --features http --bin chat -- --base-url http://localhost:8080/v1 --model NAME
//! ```
//!
//! Without `--base-url` it is OpenAI, with the key in `OPENAI_API_KEY`. Another address gets a key only if
//! `--key-variable NAME` says in which variable it stands. With a spinner, steering and every other API it is
//! `worker-tools chat`.

use std::error::Error;
use std::io::{self, BufRead};
use std::path::Path;
use std::sync::Arc;

use examples::print_event;
use tool_runtime::provider::RecordedModel;
use tool_runtime::{Agent, CancellationToken, Ending, Item, Model, Outcome, event_channel};
use tool_std::computer::Computer;
use tool_std::todo::TodoStore;
use tool_std::turn::{TurnContext, main_turn_tools};

const INSTRUCTIONS: &str =
    "You answer questions about the files of a workspace. Look things up with the tools; be short.";

/// What the recording was asked.
const QUESTIONS: &str = "What does this workspace build, and with which edition?\nAnd under which licence?\n";

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let own_folder = Path::new(env!("CARGO_MANIFEST_DIR"));
    let (model, questions): (Arc<dyn Model>, Box<dyn BufRead>) = match real_model()? {
        Some(model) => (model, Box::new(io::stdin().lock())),
        None => {
            let recording = RecordedModel::from_file(own_folder.join("recordings").join("chat.jsonl"))?;
            (Arc::new(recording), Box::new(QUESTIONS.as_bytes()))
        }
    };
    // What lives longer than a turn: the plan, and the folder that may be read.
    let turn = TurnContext::new(TodoStore::new()).computer(Computer::new(own_folder.join(".."))?);

    let mut conversation = Vec::new();
    for question in questions.lines() {
        let question = question?;
        println!("> {question}");
        conversation.push(Item::user(question));
        let tools = main_turn_tools(&turn).into_iter().filter(|tool| tool.spec().read_only).collect();
        let agent = Agent::new(Arc::clone(&model), tools)?.instructions(INSTRUCTIONS);
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

/// The model that the command line names, if any.
#[cfg(feature = "http")]
fn real_model() -> Result<Option<Arc<dyn Model>>, Box<dyn Error>> {
    use tool_runtime::http::{ApiKey, HttpModel};
    use tool_runtime::provider::chat;

    let value_of = |option: &str| std::env::args().skip_while(|argument| argument != option).nth(1);
    let Some(name) = value_of("--model") else { return Ok(None) };
    let mut client = HttpModel::chat(chat::Settings::compatible(name).streamed());
    let mut key_variable = value_of("--key-variable");
    match value_of("--base-url") {
        Some(base_url) => client = client.base_url(base_url),
        None => key_variable = key_variable.or(Some("OPENAI_API_KEY".to_owned())),
    }
    if let Some(variable) = key_variable {
        client = client.key(ApiKey::from_env(&variable)?);
    }
    Ok(Some(Arc::new(client.build()?)))
}

/// Without the feature `http` there is only the recording.
#[cfg(not(feature = "http"))]
fn real_model() -> Result<Option<Arc<dyn Model>>, Box<dyn Error>> {
    if std::env::args().len() > 1 {
        return Err("a real model needs `--features http`".into());
    }
    Ok(None)
}

/// Runs a turn and shows what happens. Ctrl-C cancels it: calls that run are stopped, and the outcome says which.
async fn until_ctrl_c(agent: Agent, conversation: Vec<Item>) -> Result<Outcome, Box<dyn Error>> {
    let (sender, mut events) = event_channel(1_000);
    let (agent, cancel) = (agent.observer(sender), CancellationToken::new());
    let outcome = {
        let running = agent.run(conversation, &cancel);
        tokio::pin!(running);
        loop {
            tokio::select! {
                Some(event) = events.next() => print_event(&event),
                outcome = &mut running => break outcome?,
                pressed = tokio::signal::ctrl_c(), if !cancel.is_cancelled() => {
                    pressed?;
                    cancel.cancel();
                }
            }
        }
    };
    // What is still on its way is shown before the answer; the stream has ended with the turn.
    while let Some(event) = events.next().await {
        print_event(&event);
    }
    Ok(outcome)
}
