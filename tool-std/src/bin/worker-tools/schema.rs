//! `worker-tools schema`: the tools as a provider gets them.

use std::io;
use std::process::ExitCode;

use clap::Args;
use tool_runtime::ToolSet;

use crate::failure::Failure;
use crate::formats::{Format, enforced};
use crate::paper;
use crate::turn_options::{TurnOptions, named};

const EXAMPLES: &str = "Examples:
  worker-tools schema
  worker-tools schema todo --format anthropic
  worker-tools schema --format responses --strict | jq '.[].name'";

/// Print the definitions of tools as a provider gets them
///
/// One JSON array, in the order of the turn: what stands under `tools` in a request.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Schema {
    /// Only these tools
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    /// Whose form
    #[arg(long, value_enum, default_value = "responses")]
    format: Format,

    /// As if every tool that can asked the provider to enforce its parameters
    #[arg(long)]
    strict: bool,
}

impl Schema {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        if self.strict && matches!(self.format, Format::Mcp | Format::Gemini) {
            let title = self.format.title();
            return Err(format!(
                "{title} has no strict tools; leave `--strict` away, or choose another `--format`"
            )
            .into());
        }
        let set = turn.tools()?;
        let mut tools = if self.names.is_empty() {
            set.tools().to_vec()
        } else {
            let of_name = |name: &String| named(&set, name).cloned();
            self.names.iter().map(of_name).collect::<Result<_, _>>()?
        };
        if self.strict {
            for tool in &mut tools {
                match enforced(tool) {
                    Ok(strict) => *tool = strict,
                    Err(reason) => {
                        say!("worker-tools: `{}` stays as it is: {reason}", tool.spec().display_name())
                    }
                }
            }
        }
        let set = ToolSet::new(tools).map_err(|error| error.to_string())?;
        paper::json(&mut io::stdout().lock(), &self.format.tools(&set))?;
        Ok(ExitCode::SUCCESS)
    }
}
