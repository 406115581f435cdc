//! `worker-tools`: the command line for people who write tools and debug models.

mod arguments;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// Look at tools and at what models make of them.
#[derive(Parser)]
#[command(version, arg_required_else_help = true)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Arguments(arguments::Arguments),
}

fn main() -> ExitCode {
    let outcome = match CommandLine::parse().command {
        Command::Arguments(arguments) => arguments.run(),
    };
    outcome.unwrap_or_else(|error| {
        eprintln!("worker-tools: {error}");
        ExitCode::from(2)
    })
}
