//! What the runtime makes of an arguments text.

use std::fmt::Display;
use std::fs;
use std::io::{self, BufRead, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tool_runtime::{ArgumentDecoder, ArgumentError, Decoded, Effect, SchemaProblem};

use crate::failure::Failure;

const EXAMPLES: &str = r#"Examples:
  echo '{"depth":"3",}' | worker-tools arguments --schema depth.json
  worker-tools arguments --jsonl < rows.jsonl

Exit codes: 0 the arguments can be used, 1 they are refused, 2 the command itself could not run.
With --jsonl: 0 every line was answered, 2 a line was no request."#;

/// Read arguments as a tool would get them: repaired, coerced and checked by a schema.
///
/// Reads a text from standard input and prints the object that the tool gets, or the class of the refusal and the message
/// that the model reads. What was repaired is told on standard error.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// File with the JSON Schema of the parameters
    #[arg(long, value_name = "FILE", required_unless_present = "jsonl", conflicts_with = "jsonl")]
    schema: Option<PathBuf>,

    /// The tool changes nothing, so a text that was cut off may be completed
    #[arg(long, conflicts_with = "jsonl")]
    read_only: bool,

    /// Read lines `{"id", "schema", "raw", "read_only"?}`, print lines `{"id", "ok", "repairs"}` or
    /// `{"id", "err", "message"}`
    #[arg(long)]
    jsonl: bool,
}

impl Arguments {
    pub(crate) fn run(self) -> Result<ExitCode, Failure> {
        match self.schema {
            Some(file) => one(&file, effect(self.read_only)),
            None => lines(io::stdin().lock(), io::stdout().lock()),
        }
    }
}

fn effect(read_only: bool) -> Effect {
    if read_only { Effect::ReadOnly } else { Effect::Writes }
}

fn one(file: &Path, effect: Effect) -> Result<ExitCode, Failure> {
    let named =
        |problem: &dyn Display| Failure::about(format_args!("the schema `{}`", file.display()), problem);
    let text = fs::read_to_string(file).map_err(|error| named(&error))?;
    let schema: Value = serde_json::from_str(&text).map_err(|error| named(&error))?;
    let decoder = ArgumentDecoder::new(&schema).map_err(|problems| named(&listed(&problems)))?;
    let mut raw = String::new();
    io::stdin().read_to_string(&mut raw)?;
    match decoder.decode(&raw, effect) {
        Ok(decoded) => {
            for repair in &decoded.repairs {
                say!("repaired: {} {}", repair.name, repair.path);
            }
            writeln!(io::stdout().lock(), "{}", decoded.text)?;
            Ok(ExitCode::SUCCESS)
        }
        Err(error) => {
            writeln!(io::stdout().lock(), "{}: {error}", error.class().as_str())?;
            Ok(ExitCode::from(1))
        }
    }
}

/// One request of `--jsonl`.
#[derive(Deserialize)]
struct Request {
    id: Box<RawValue>,
    schema: Value,
    raw: String,
    #[serde(default)]
    read_only: bool,
}

/// Its answer.
#[derive(Serialize)]
struct Answer<'a> {
    id: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    err: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    message: Option<String>,
    repairs: Vec<Repair>,
}

#[derive(Serialize)]
struct Repair {
    name: &'static str,
    path: String,
}

fn lines(requests: impl BufRead, mut answers: impl Write) -> Result<ExitCode, Failure> {
    let mut all_read = true;
    for (number, line) in (1..).zip(requests.lines()) {
        let line = line.map_err(|error| Failure::about(format_args!("line {number}"), error))?;
        if line.trim().is_empty() {
            continue;
        }
        match answer(&line) {
            Ok(answer) => writeln!(answers, "{answer}")?,
            Err(error) => {
                all_read = false;
                say!("worker-tools: line {number}: {error}");
            }
        }
    }
    Ok(ExitCode::from(if all_read { 0 } else { 2 }))
}

fn answer(line: &str) -> Result<String, String> {
    let request: Request = serde_json::from_str(line).map_err(|error| format!("no request: {error}"))?;
    let decoder = ArgumentDecoder::new(&request.schema)
        .map_err(|problems| format!("the schema: {}", listed(&problems)))?;
    let decoded = decoder.decode(&request.raw, effect(request.read_only));
    answer_of(&request.id, decoded).map_err(|error| error.to_string())
}

fn answer_of(
    id: &RawValue,
    decoded: Result<Decoded<'_>, ArgumentError>,
) -> Result<String, serde_json::Error> {
    match decoded {
        Ok(decoded) => {
            // The text itself, so that every digit is kept, on one line. No line breaks stand in the texts of JSON.
            let line = decoded.text.replace(['\n', '\r'], " ");
            let ok: &RawValue = serde_json::from_str(line.trim())?;
            let repairs =
                decoded.repairs.into_iter().map(|repair| Repair { name: repair.name, path: repair.path });
            serde_json::to_string(&Answer {
                id,
                ok: Some(ok),
                err: None,
                message: None,
                repairs: repairs.collect(),
            })
        }
        Err(error) => {
            let (err, message) = (Some(error.class().as_str()), Some(error.to_string()));
            serde_json::to_string(&Answer { id, ok: None, err, message, repairs: Vec::new() })
        }
    }
}

fn listed(problems: &[SchemaProblem]) -> String {
    problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
