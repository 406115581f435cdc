//! What is found for real questions over real pages: those of this repository.

use std::fs;
use std::path::Path;

use tool_std::memory::NewPage;

use crate::questions::{Question, ask};
use crate::world::worlds;

/// Written as a person asks, before anything was asked.
const QUESTIONS: &[Question] = &[
    ("my worker process got killed, is the work it was doing lost?", "jobs"),
    ("can a background task ask the person who started it something and wait?", "jobs"),
    ("do several servers need a shared folder for job files?", "jobs"),
    ("how do I get a shell started by the model not to reach the internet", "commands"),
    ("are processes left running after a command timed out?", "commands"),
    ("can the model change PATH or HOME for a command", "commands"),
    ("where is the complete output when it was too long to show", "commands"),
    ("what happens at 2:30 am when daylight saving time begins", "schedules"),
    ("the machine was off during several ticks, how many times does the rule run afterwards?", "schedules"),
    ("is a reminder made twice if the turn is repeated", "schedules"),
    ("the model sent JSON with a trailing comma", "arguments"),
    ("what if the arguments stop in the middle because the token limit was reached", "arguments"),
    ("which malformed inputs are rejected instead of guessed", "arguments"),
    ("are calls executed simultaneously or one by one", "dispatch"),
    ("a tool panicked, what does the model see?", "dispatch"),
    ("how long does a running tool have to finish when the user aborts", "dispatch"),
    ("model called functions.read although no such namespace exists", "dispatch"),
    ("two calls came with an identical call id", "dispatch"),
    ("which tool finishes the conversation and what becomes of other calls in flight", "dispatch"),
    ("does it retry when the provider answers 429 too many requests", "models"),
    ("talk to a local llama.cpp or ollama server", "models"),
    ("answer was blocked by the content filter", "models"),
    ("how do I offer my tools to an MCP client over HTTP", "mcp"),
    ("use the tools of an external MCP server in my agent", "mcp"),
    ("which yaml fields does a skill description file have", "skills"),
    ("bearer token for a server that a skill declares", "skills"),
    ("can web_fetch open pages on localhost or the intranet", "web"),
    ("plug in another web search engine", "web"),
    ("is robots.txt respected", "web"),
    ("largest web page that is downloaded", "web"),
    ("thousands of tools do not fit in the prompt", "tool-search"),
    ("how do I bless the snapshot files after changing a compile error", "contributing"),
    ("compare with rmcp", "readme"),
    ("which file do I touch to support one more wire format", "architecture"),
    ("rules about which module may import which", "architecture"),
    ("how many matching lines does one text search show at most", "tools"),
];

/// The pages of the repository, as an import of them makes pages.
fn pages() -> Vec<NewPage> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut pages = Vec::new();
    for folder in ["", "docs"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            // That of the changes names everything, in passing.
            if path.extension().is_some_and(|ending| ending == "md") && !path.ends_with("CHANGELOG.md") {
                let name = path.file_stem().unwrap().to_str().unwrap();
                pages.push(NewPage::from_text(name, fs::read_to_string(&path).unwrap()));
            }
        }
    }
    pages
}

/// How many answers may come later than third. The pages change with every change of the repository, so there is some room;
/// a lexical search misses what a question says in other words than its page.
const LATER: usize = 5;

#[tokio::test]
async fn the_page_that_answers_is_among_the_first_three() {
    let pages = pages();
    for world in worlds().await {
        let missed = ask(world.name, &world.memory, &pages, QUESTIONS).await;
        assert!(missed.len() <= LATER, "{}", missed.join("\n"));
    }
}
