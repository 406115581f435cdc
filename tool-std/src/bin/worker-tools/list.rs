//! `worker-tools list`: the tools of a turn.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::Args;
use serde_json::{Value, json};
use tool_runtime::{Input, ToolSet, WorkerAgentTool};

use crate::failure::Failure;
use crate::flags::Flags;
use crate::paper::{self, first_sentence};
use crate::parameters::{Parameter, parameters};
use crate::show::text_input;
use crate::turn_options::{TurnOptions, missing};

const EXAMPLES: &str = "Examples:
  worker-tools list
  worker-tools list --workspace ~/project --user-files ~/project/out
  worker-tools list --json | jq '.[] | select(.flags.read_only) | .name'";

/// List the tools of a turn with their flags
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct List {
    /// Every flag of every tool, as JSON
    #[arg(long)]
    json: bool,

    /// The contract of every tool as a page in Markdown: flags, parameters and their limits
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
}

impl List {
    pub(crate) fn run(self, turn: &TurnOptions) -> Result<ExitCode, Failure> {
        let set = turn.tools()?;
        self.print(&set)?;
        if !self.json && !self.markdown {
            let mut out = io::stdout().lock();
            let missing = missing(&set);
            for (number, group) in missing.chunk_by(|one, next| one.1 == next.1).enumerate() {
                let before = if number == 0 { "\n" } else { "" };
                let tools: Vec<_> = group.iter().map(|(tool, _)| *tool).collect();
                let (tools, verb) = (tools.join(", "), if group.len() == 1 { "needs" } else { "need" });
                let option = group.first().map_or("", |(_, option)| option);
                writeln!(out, "{before}not in this turn: {tools}, which {verb} {option}")?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Prints the tools of a set.
    pub(crate) fn print(&self, set: &ToolSet) -> Result<ExitCode, Failure> {
        let mut out = io::stdout().lock();
        if self.json {
            paper::json(&mut out, &set.tools().iter().map(entry).collect())?;
        } else if self.markdown {
            page(&mut out, set)?;
        } else {
            table(&mut out, set)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn table(out: &mut impl Write, set: &ToolSet) -> io::Result<()> {
    let row = |tool: &WorkerAgentTool| {
        let (spec, flags) = (tool.spec(), Flags::of(tool.spec()));
        vec![
            spec.display_name().into_owned(),
            flags.effect().to_owned(),
            flags.mode().to_owned(),
            flags.special(),
            first_sentence(&spec.description),
        ]
    };
    paper::table(out, &["tool", "effect", "runs", "and", "what it does"], set.tools().iter().map(row))
}

fn entry(tool: &WorkerAgentTool) -> Value {
    let spec = tool.spec();
    json!({
        "name": spec.name,
        "namespace": spec.namespace.as_ref().map(|namespace| &namespace.name),
        "title": spec.title,
        "description": spec.description,
        "flags": Flags::of(spec),
    })
}

fn page(out: &mut impl Write, set: &ToolSet) -> io::Result<()> {
    let all: Vec<_> =
        set.tools().iter().map(|tool| (tool.spec().display_name(), Flags::of(tool.spec()).rows())).collect();
    let names =
        all.first().into_iter().flat_map(|(_, rows)| rows.iter().map(|(name, _)| format!("`{name}`")));
    line(out, ["tool".to_owned()].into_iter().chain(names.clone()))?;
    line(out, names.map(|_| "---".to_owned()).chain(["---".to_owned()]))?;
    for (name, rows) in &all {
        line(
            out,
            [format!("[`{name}`](#{name})")].into_iter().chain(rows.iter().map(|(_, value)| value.clone())),
        )?;
    }
    for tool in set.tools() {
        let spec = tool.spec();
        writeln!(out, "\n## {}\n\n{}\n", spec.display_name(), spec.description)?;
        if let Input::Text(format) = &spec.input {
            writeln!(out, "{}", text_input(format))?;
            continue;
        }
        let rows = parameters(tool.definition().parameters().as_value());
        if rows.is_empty() {
            writeln!(out, "No parameters.")?;
            continue;
        }
        let header = ["parameter", "type", "required", "limits", "default", "meaning"].map(str::to_owned);
        line(out, header.iter().cloned())?;
        line(out, header.iter().map(|_| "---".to_owned()))?;
        for row in rows {
            let name = format!("`{}`", row.name);
            line(out, [name].into_iter().chain(cells(row).into_iter().skip(1)))?;
        }
    }
    Ok(())
}

fn line(out: &mut impl Write, cells: impl IntoIterator<Item = String>) -> io::Result<()> {
    let cells = cells.into_iter().map(|cell| cell.replace('|', "\\|").replace('\n', "<br>"));
    writeln!(out, "| {} |", cells.collect::<Vec<_>>().join(" | "))
}

/// A parameter as the cells of a table.
pub(crate) fn cells(row: Parameter) -> Vec<String> {
    let default = row.default.map(|default| default.to_string()).unwrap_or_default();
    let required = if row.required { "yes" } else { "no" };
    vec![row.name, row.kind, required.to_owned(), row.limits, default, row.description]
}
