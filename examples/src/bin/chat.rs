//! A conversation on a terminal, with tools that read files: what the model writes, what its tools do and how long they take.
//! Ctrl-C cancels the turn and not the program; Ctrl-D, or Ctrl-C between turns, leaves it.
//!
//! `cargo run -p examples --bin chat` plays a recording. For a real model, see `docs/models.md`:
//! `cargo run -p examples --features http --bin chat -- --format chat --base-url http://localhost:8080/v1 --model NAME`.

#[path = "chat/files.rs"]
mod files;
#[path = "chat/options.rs"]
mod options;
#[path = "chat/screen.rs"]
mod screen;

use std::error::Error;
use std::io::BufRead;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;
use tokio::time::{MissedTickBehavior, interval};
use tool_runtime::{Agent, CancellationToken, Item, Model, Outcome, event_channel};

use options::Options;
use screen::Screen;

/// A model, whichever it is.
type AnyModel = Arc<dyn Model>;

/// How often the spinner turns.
const TICK: Duration = Duration::from_millis(100);

#[tokio::main]
async fn main() -> ExitCode {
    match chat().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

async fn chat() -> Result<(), Box<dyn Error>> {
    let options = Options::read(std::env::args().skip(1))?;
    let model = options.model()?;
    let root = files::Root::new(&options.root)?;
    let mut screen = Screen::new();
    let mut lines = lines();
    let mut conversation = Vec::new();
    let mut first = options.first_question();
    loop {
        screen.prompt();
        let question = match first.take() {
            Some(question) => {
                screen.line(question);
                question.to_owned()
            }
            None => tokio::select! {
                line = lines.recv() => match line {
                    Some(line) => line,
                    None => break,
                },
                pressed = tokio::signal::ctrl_c() => { pressed?; break }
            },
        };
        if question.trim().is_empty() {
            continue;
        }
        conversation.push(Item::user(question));
        let agent = Agent::new(Arc::clone(&model), files::tools(&root))?.instructions(
            "You answer questions about the files of a workspace. Look things up with the tools; be short.",
        );
        let outcome = turn(agent, conversation, &mut screen).await?;
        screen.ending(&outcome);
        conversation = outcome.items;
    }
    screen.line("");
    Ok(())
}

/// Runs a turn and shows it while it runs.
async fn turn(agent: Agent, items: Vec<Item>, screen: &mut Screen) -> Result<Outcome, Box<dyn Error>> {
    let (sender, mut events) = event_channel(10_000);
    let cancel = CancellationToken::new();
    let running = agent.events(sender).run(items, &cancel);
    tokio::pin!(running);
    let pressed = tokio::signal::ctrl_c();
    tokio::pin!(pressed);
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let outcome = loop {
        tokio::select! {
            biased;
            Some(event) = events.next() => screen.event(&event),
            pressed = &mut pressed, if !cancel.is_cancelled() => { pressed?; cancel.cancel() }
            outcome = &mut running => break outcome?,
            _ = ticks.tick() => screen.tick(),
        }
    };
    while let Some(event) = events.try_next() {
        screen.event(&event);
    }
    Ok(outcome)
}

/// What is typed, line by line. A thread of its own reads it, so that a turn can be cancelled meanwhile.
fn lines() -> mpsc::Receiver<String> {
    let (sender, receiver) = mpsc::channel(1);
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines().map_while(Result::ok) {
            if sender.blocking_send(line).is_err() {
                break;
            }
        }
    });
    receiver
}
