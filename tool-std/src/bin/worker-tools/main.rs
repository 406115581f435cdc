//! `worker-tools`: the command line for people who write tools and debug models.

/// Says a line on standard error. That nobody reads it any more is no reason to break off what runs.
macro_rules! say {
    ($($words:tt)*) => {{
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), $($words)*);
    }};
}

mod arguments;
mod attend;
mod call;
mod changes;
mod chat;
mod completions;
mod conversation;
mod explain;
mod failure;
mod flags;
mod formats;
mod jobs;
mod list;
mod mcp;
mod memory;
mod memory_files;
mod model_options;
mod paper;
mod parameters;
mod person;
mod presented;
mod progress;
mod recorded_jobs;
mod run;
mod scheduled_jobs;
mod schedules;
mod schema;
mod screen;
mod serve;
mod show;
mod state;
mod token;
mod turn_options;
mod web_options;
mod worker;
mod workflow;

use std::process::ExitCode;

use clap::{Parser, Subcommand};
use tool_std::workflow::Replayer;

use failure::Failure;
use turn_options::TurnOptions;

/// Look at tools, call them, and see what models make of them.
#[derive(Parser)]
#[command(name = "worker-tools", version, arg_required_else_help = true, max_term_width = 100)]
struct CommandLine {
    #[command(flatten)]
    turn: TurnOptions,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::List),
    Show(show::Show),
    Schema(schema::Schema),
    Explain(explain::Explain),
    Call(call::Call),
    Run(run::Run),
    Chat(chat::Chat),
    Worker(worker::Worker),
    Jobs(jobs::JobsCommand),
    Schedules(schedules::SchedulesCommand),
    Workflow(workflow::WorkflowCommand),
    Memory(memory::MemoryCommand),
    Serve(serve::Serve),
    Mcp(mcp::Mcp),
    Arguments(arguments::Arguments),
    Completions(completions::Completions),
}

fn main() -> ExitCode {
    // In a process that replays a program of a workflow nothing else is done.
    let _ = Replayer::of_this_program();
    let CommandLine { turn, command } = CommandLine::parse();
    let outcome = match command {
        Command::List(list) => list.run(&turn),
        Command::Show(show) => show.run(&turn),
        Command::Schema(schema) => schema.run(&turn),
        Command::Explain(explain) => explain.run(&turn),
        Command::Call(call) => call.run(&turn),
        Command::Run(run) => run.run(&turn),
        Command::Chat(chat) => chat.run(&turn),
        Command::Worker(worker) => worker.run(&turn),
        Command::Jobs(jobs) => jobs.run(&turn),
        Command::Schedules(schedules) => schedules.run(&turn),
        Command::Workflow(workflow) => workflow.run(&turn),
        Command::Memory(memory) => memory.run(&turn),
        Command::Serve(serve) => serve.run(&turn),
        Command::Mcp(mcp) => mcp.run(),
        Command::Arguments(arguments) => arguments.run(),
        Command::Completions(completions) => completions.run(),
    };
    outcome.unwrap_or_else(Failure::report)
}
