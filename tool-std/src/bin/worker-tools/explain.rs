//! `worker-tools explain`: what each provider is told of a tool.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Args, ValueEnum};
use tool_runtime::{Input, SchemaProblem, TextFormat, WorkerAgentTool};

use crate::changes::changes;
use crate::failure::Failure;
use crate::formats::{Entry, Format, enforced};
use crate::paper;
use crate::turn_options::{TurnOptions, named};

const EXAMPLES: &str = "Examples:
  worker-tools explain todo
  worker-tools explain todo --strict";

/// Explain what each provider is told of a tool
///
/// For each provider: the name on the wire, the size, whether the provider is asked to enforce the parameters and why, and
/// what its form of the parameters says otherwise than the author's own.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Explain {
    /// The tool, as `worker-tools list` names it
    #[arg(value_name = "NAME")]
    name: String,

    /// As if the tool asked the provider to enforce its parameters
    #[arg(long)]
    strict: bool,
}

impl Explain {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let set = turn.tools()?;
        let mut tool = named(&set, &self.name)?.clone();
        if self.strict {
            // One that cannot be enforced is explained as it is; the reason is a part of that.
            tool = enforced(&tool).unwrap_or(tool);
        }
        let formats = Format::value_variants();
        let entries = formats
            .iter()
            .map(|format| Ok((*format, format.entry(&tool)?)))
            .collect::<Result<Vec<_>, Failure>>()?;
        explain(&mut io::stdout().lock(), &tool, &entries)?;
        Ok(ExitCode::SUCCESS)
    }
}

fn explain(out: &mut impl Write, tool: &WorkerAgentTool, entries: &[(Format, Entry)]) -> io::Result<()> {
    let row = |(format, entry): &(Format, Entry)| {
        let strict = if entry.is_strict() { "yes" } else { "no" };
        let bytes = entry.value.to_string().len();
        [format.title(), entry.name(), entry.kind(), strict, &bytes.to_string()].map(str::to_owned).to_vec()
    };
    paper::table(out, &["provider", "name", "as", "strict", "bytes"], entries.iter().map(row))?;
    // Providers that are told the same stand together.
    let mut sections: Vec<(String, Vec<String>)> = Vec::new();
    for (format, entry) in entries {
        let mut lines = vec![format!("strict: {}", strictness(*format, entry, tool))];
        lines.extend(projection(entry, tool));
        match sections.last_mut() {
            Some((titles, known)) if *known == lines => *titles = format!("{titles}, {}", format.title()),
            _ => sections.push((format.title().to_owned(), lines)),
        }
    }
    for (titles, lines) in sections {
        paper::heading(out, &titles)?;
        for line in lines {
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}

/// Whether the provider is asked to enforce the parameters, and why.
fn strictness(format: Format, entry: &Entry, tool: &WorkerAgentTool) -> String {
    let (spec, parameters) = (tool.spec(), tool.definition().parameters());
    if let Input::Text(text) = &spec.input {
        let is_enforced = entry.kind() == "custom" && *text != TextFormat::Any;
        return if is_enforced { "yes, by the grammar" } else { "no, it is free text" }.to_owned();
    }
    let possible = match format {
        Format::Responses | Format::Chat => parameters.to_strict(),
        Format::Anthropic => parameters.to_anthropic_strict(),
        Format::Gemini if spec.strict => {
            return "by the mode VALIDATED of the whole request, since Gemini has it for no single tool"
                .to_owned();
        }
        Format::Gemini | Format::Mcp => return "no, it has no strict tools".to_owned(),
    };
    match (spec.strict, possible) {
        (true, Ok(_)) => "yes, the tool asks for it".to_owned(),
        (true, Err(problems)) => format!("no, although the tool asks for it: {}", listed(&problems)),
        (false, Ok(_)) => "no, the tool does not ask for it; it could, see `--strict`".to_owned(),
        (false, Err(problems)) => {
            format!("no, the tool does not ask for it, and it could not: {}", listed(&problems))
        }
    }
}

fn listed(problems: &[SchemaProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

/// How description and parameters differ from what the author wrote.
fn projection(entry: &Entry, tool: &WorkerAgentTool) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(added) = entry.description().strip_prefix(&*tool.spec().description).map(str::trim)
        && !added.is_empty()
    {
        lines.push("description: as it is written, then".to_owned());
        lines.extend(added.lines().map(|line| format!("    {line}")));
    }
    let written = tool.definition().parameters().as_value();
    match entry.parameters() {
        None if tool.spec().input == Input::Json => lines.push("parameters: none are named".to_owned()),
        None => lines.push("parameters: none, the model writes the text itself".to_owned()),
        Some(sent) => match changes(written, sent) {
            changes if changes.is_empty() => lines.push("parameters: as they are written".to_owned()),
            changes => {
                lines.push("parameters: as they are written, but".to_owned());
                lines.extend(changes.into_iter().map(|change| format!("  - {change}")));
            }
        },
    }
    lines
}
