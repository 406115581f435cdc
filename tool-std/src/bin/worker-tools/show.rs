//! `worker-tools show`: all about one tool.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use console::style;
use tool_runtime::{Input, TextFormat, WorkerAgentTool};

use crate::failure::Failure;
use crate::flags::Flags;
use crate::list::cells;
use crate::paper;
use crate::parameters::parameters;
use crate::turn_options::{TurnOptions, named};

/// The columns of a terminal that has room for a column of sentences beside the others.
const WIDE: u16 = 120;

const EXAMPLES: &str = "Examples:
  worker-tools show todo
  worker-tools show reply_attachment --user-files out";

/// Show one tool: its description, parameters and flags
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Show {
    /// The tool, as `worker-tools list` names it
    #[arg(value_name = "NAME")]
    name: String,
}

impl Show {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let set = turn.tools()?;
        show(&mut io::stdout().lock(), named(&set, &self.name)?)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn show(out: &mut impl Write, tool: &WorkerAgentTool) -> io::Result<()> {
    let spec = tool.spec();
    writeln!(out, "{}\n\n{}", style(spec.display_name()).bold(), spec.description)?;
    match &spec.input {
        Input::Text(format) => {
            paper::heading(out, "Input")?;
            writeln!(out, "{}", text_input(format))?;
        }
        _ => {
            paper::heading(out, "Parameters")?;
            let rows = parameters(tool.definition().parameters().as_value());
            if rows.is_empty() {
                writeln!(out, "none")?;
            } else {
                table(out, rows.into_iter().map(cells).collect())?;
            }
        }
    }
    paper::heading(out, "Flags")?;
    paper::table(out, &[], Flags::of(spec).rows().into_iter().map(|(name, value)| vec![name, value]))?;
    if let Some(schema) = &spec.output_schema {
        paper::heading(out, "Structured result")?;
        paper::json(out, schema)?;
    }
    Ok(())
}

/// What the model writes for a free-text tool.
pub(crate) fn text_input(format: &TextFormat) -> String {
    let text = match format {
        TextFormat::Grammar { syntax, definition } => {
            format!(
                "Text that this grammar allows ({}):\n\n```text\n{}\n```\n",
                syntax.as_str(),
                definition.trim_end()
            )
        }
        _ => "Any text.".to_owned(),
    };
    format!("{text}\nProviders without free-text tools get one parameter, `input`, that holds the text.")
}

/// The parameters; on a narrow terminal what they mean stands below.
fn table(out: &mut impl Write, mut rows: Vec<Vec<String>>) -> io::Result<()> {
    let header = ["name", "type", "required", "limits", "default", "meaning"];
    if paper::width().is_none_or(|width| width >= WIDE) {
        return paper::table(out, &header, rows);
    }
    let meanings: Vec<_> = rows
        .iter_mut()
        .filter_map(|cells| Some((cells.pop()?, cells.first()?.clone())))
        .map(|(meaning, name)| vec![name, meaning])
        .collect();
    paper::table(out, header.get(..5).unwrap_or_default(), rows)?;
    writeln!(out)?;
    paper::table(out, &["name", "meaning"], meanings)
}
