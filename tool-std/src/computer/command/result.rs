//! What the model reads of a command, and the details for the host.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::Serialize;

use super::super::sandbox::SandboxReport;
use super::capture::Output;
use super::limit::ProcessLimit;
use super::log::LogState;
use super::notes;
use super::process::Ended;

/// How a command ended.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CommandDetails {
    /// From its start to the end of its shell, in milliseconds.
    pub duration_ms: u64,
    /// Its exit code, as shells say it: 128 and the signal's number, where one ended it. 124 when its time was up and it
    /// ended when asked to, 137 when it had to be killed.
    pub exit_code: i32,
    /// The signal for which the exit code stands, for example `KILL`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub signal: Option<&'static str>,
    /// Whether its time was up.
    pub timed_out: bool,
    /// The file that has all of its output, or the first 128 MiB of it, where the result has not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub full_output_path: Option<PathBuf>,
    /// What enclosed it.
    pub sandbox: CommandSandbox,
}

/// What enclosed a command.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
#[non_exhaustive]
pub struct CommandSandbox {
    /// The sandbox.
    #[serde(flatten)]
    pub report: SandboxReport,
    /// How its processes were bounded.
    pub process_limit: ProcessLimit,
}

/// The text for the model, and the details.
pub(super) fn render(command: &str, timeout: Duration, ended: Ended) -> (String, CommandDetails) {
    let mut text = format!("exit_code={}\nduration={}\n", ended.code, shown(ended.duration));
    for note in notes_of(command, timeout, &ended) {
        // Writing to a text cannot fail.
        let _ = writeln!(text, "{note}");
    }
    let Output { text: output, total, is_cut, log } = ended.output;
    text.push('\n');
    text.push_str(if output.is_empty() { "(no output)" } else { &output });
    let full_output_path = if is_cut { saved(&log, total, &mut text) } else { None };
    let details = CommandDetails {
        duration_ms: u64::try_from(ended.duration.as_millis()).unwrap_or(u64::MAX),
        exit_code: ended.code,
        signal: if ended.timed_out { None } else { notes::signal(ended.code) },
        timed_out: ended.timed_out,
        full_output_path,
        sandbox: CommandSandbox { report: ended.sandbox, process_limit: ended.limit },
    };
    (text, details)
}

fn notes_of(command: &str, timeout: Duration, ended: &Ended) -> Vec<String> {
    let mut lines = Vec::new();
    if !ended.timed_out
        && let Some(note) = notes::note(command, ended.code)
    {
        lines.push(format!("note: {note}"));
    }
    if ended.left_running > 0 {
        let (what, were) = if ended.left_running == 1 { ("program", "was") } else { ("programs", "were") };
        lines.push(format!(
            "note: {} {what} still running when the shell ended {were} stopped; nothing runs on after a call",
            ended.left_running
        ));
    }
    if ended.survivors > 0 {
        lines.push(format!("note: {} programs could not be stopped", ended.survivors));
    }
    if ended.timed_out {
        let seconds = timeout.as_secs();
        lines.push(format!(
            "timeout: stopped after {seconds} s; do less in one call, or give a larger `timeout` if it needs the time"
        ));
    }
    lines
}

/// Says where all of the output is.
fn saved(log: &LogState, total: u64, text: &mut String) -> Option<PathBuf> {
    match log {
        LogState::None => None,
        LogState::Saved { path, is_whole } => {
            let what = if *is_whole {
                format!("all {total} characters of the output are")
            } else {
                "the beginning of the output (128 MiB) is".to_owned()
            };
            let shown = path.display();
            let _ = write!(
                text,
                "\n\n[{what} in `{shown}`: read parts of it with read_file, or search it with grep]"
            );
            Some(path.clone())
        }
        LogState::Failed(fault) => {
            let _ = write!(text, "\n\n[the whole output could not be saved: {fault}]");
            None
        }
    }
}

/// Milliseconds below a second, else seconds with one decimal.
fn shown(duration: Duration) -> String {
    match duration.as_millis() {
        millis @ 0..1_000 => format!("{millis}ms"),
        _ => format!("{:.1}s", duration.as_secs_f64()),
    }
}
