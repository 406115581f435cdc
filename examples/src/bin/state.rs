//! State: what a tool keeps between calls, such as a store or a client, is an argument marked `#[state]`.
//!
//! `cargo run -p examples --bin state`

use std::error::Error;
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::json;
use tool_runtime::{ToolSet, WorkerAgentTool, testing, tools, worker_tool};

/// The notes of one person. It is cloned for each call, so a clone shares the list instead of copying it.
#[derive(Clone, Default)]
struct Notebook {
    notes: Arc<Mutex<Vec<String>>>,
}

impl Notebook {
    fn with<T>(&self, work: impl FnOnce(&mut Vec<String>) -> T) -> T {
        work(&mut self.notes.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Writes down a note, and gives its number.
#[worker_tool(destructive = false, activity = "Noting", completed_activity = "Noted {text}", function = add)]
async fn add_note(
    #[state] notebook: Notebook,
    /// What to write down.
    #[param]
    #[schemars(length(min = 1))]
    text: String,
) -> usize {
    notebook.with(|notes| {
        notes.push(text);
        notes.len()
    })
}

/// Reads all notes.
#[worker_tool(read_only, parallel)]
async fn read_notes(#[state] notebook: Notebook) -> String {
    notebook.with(|notes| if notes.is_empty() { "there are no notes".to_owned() } else { notes.join("\n") })
}

/// The tools over one notebook. The state goes in here, and the model never hears of it.
fn note_tools(notebook: &Notebook) -> Vec<WorkerAgentTool> {
    tools![add_note(notebook.clone()), read_notes(notebook.clone())]
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let (ada, bob) = (Notebook::default(), Notebook::default());

    println!("Two turns, each with a notebook of its own");
    let ada_set = ToolSet::new(note_tools(&ada))?;
    for text in ["water the plants", "call Bob"] {
        let output = ada_set.call("add_note", &json!({ "text": text }).to_string()).await?;
        println!("  ada, add_note({text:?}) -> {}", output.model_text());
    }
    let bob_set = ToolSet::new(note_tools(&bob))?;
    println!("  ada, read_notes() -> {:?}", ada_set.call("read_notes", "{}").await?.model_text());
    println!("  bob, read_notes() -> {:?}", bob_set.call("read_notes", "{}").await?.model_text());

    println!("\nThe state outlives a turn, since the program owns it");
    let next_turn = ToolSet::new(note_tools(&ada))?;
    println!("  ada, read_notes() -> {:?}", next_turn.call("read_notes", "{}").await?.model_text());

    println!("\nIn a test, a tool is called in one line, and its labels can be seen");
    let call = testing::call(&add_note(bob.clone()), json!({"text": "buy bread"})).await;
    println!("  result {:?}, label {:?}, then {:?}", call.text(), call.activity, call.completed_activity);

    println!("\n`function = add` keeps the plain function too");
    println!("  add(bob, \"buy milk\") -> {}", add(bob, "buy milk".to_owned()).await);
    Ok(())
}
