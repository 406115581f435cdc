//! `worker-tools completions`: scripts for shells.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, CommandFactory};
use clap_complete::{Shell, generate};

use crate::CommandLine;
use crate::failure::Failure;

const EXAMPLES: &str = "Examples:
  worker-tools completions bash > ~/.local/share/bash-completion/completions/worker-tools
  worker-tools completions fish > ~/.config/fish/completions/worker-tools.fish";

/// Print the completions for a shell
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Completions {
    /// The shell
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        // `generate` panics if it cannot write, so it writes to memory.
        let mut script = Vec::new();
        generate(self.shell, &mut CommandLine::command(), "worker-tools", &mut script);
        io::stdout().lock().write_all(&script)?;
        Ok(ExitCode::SUCCESS)
    }
}
