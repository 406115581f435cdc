//! What a person sees: text as it is written, a line for each thing that a tool did, and a spinner for what goes on.

use std::io::{IsTerminal, Write, stdout};
use std::time::{Duration, Instant};

use tool_runtime::{ActivityPhase, Ending, Event, EventKind, Outcome};

const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// The terminal, or a file in its place: then nothing turns.
pub(crate) struct Screen {
    is_terminal: bool,
    running: Vec<Row>,
    frame: usize,
    /// Whether the spinner stands on the last line.
    spins: bool,
    /// Whether the last line is one of the model's that is not finished.
    in_text: bool,
}

/// A call that runs.
struct Row {
    call_id: String,
    label: String,
    since: Instant,
}

impl Screen {
    pub(crate) fn new() -> Self {
        let is_terminal = stdout().is_terminal();
        Self { is_terminal, running: Vec::new(), frame: 0, spins: false, in_text: false }
    }

    pub(crate) fn prompt(&mut self) {
        self.write("> ");
    }

    pub(crate) fn line(&mut self, line: &str) {
        self.end_text();
        self.write(&format!("{line}\n"));
    }

    pub(crate) fn event(&mut self, event: &Event) {
        match &event.kind {
            EventKind::Text(text) => {
                self.write(text);
                self.in_text = !text.ends_with('\n');
            }
            EventKind::Activity { call_id, label, phase: ActivityPhase::Running, .. } => {
                let (call_id, label) = (call_id.clone(), label.clone());
                self.running.push(Row { call_id, label, since: Instant::now() });
                self.tick();
            }
            EventKind::Activity { call_id, label, phase, .. } => {
                let sign = if *phase == ActivityPhase::Completed { '✓' } else { '✗' };
                let row = self.running.iter().position(|row| row.call_id == *call_id);
                let took = row.map_or(Duration::ZERO, |row| self.running.remove(row).since.elapsed());
                self.line(&format!("  {sign} {label} ({})", in_words(took)));
            }
            EventKind::Retry { wait, reason, .. } => {
                self.line(&format!("  ! {reason}; asking again in {}", in_words(*wait)));
            }
            _ => {}
        }
    }

    /// Turns the spinner.
    pub(crate) fn tick(&mut self) {
        if !self.is_terminal || self.in_text {
            return;
        }
        self.frame = (self.frame + 1) % FRAMES.len();
        let labels: Vec<&str> = self.running.iter().map(|row| row.label.as_str()).collect();
        let what = if labels.is_empty() { "thinking".to_owned() } else { labels.join(" · ") };
        // Longer than the terminal is wide, it could not be wiped.
        let what: String = what.chars().take(70).collect();
        self.write(&format!("  {} {what}", FRAMES[self.frame]));
        self.spins = true;
    }

    /// Says how a turn ended, where that is no answer.
    pub(crate) fn ending(&mut self, outcome: &Outcome) {
        self.running.clear();
        self.end_text();
        let words = match &outcome.ending {
            Ending::Finished => return self.write(""),
            Ending::Cancelled(calls) if calls.interrupted.is_empty() => "cancelled".to_owned(),
            Ending::Cancelled(calls) => {
                let tools: Vec<&str> = calls.interrupted.iter().map(|call| call.tool.as_str()).collect();
                format!("cancelled; stopped while they ran: {}", tools.join(", "))
            }
            Ending::ModelFailed(error) => format!("the model failed: {error}"),
            other => format!("the turn ended: {}", other.kind()),
        };
        self.line(&format!("  ! {words}"));
    }

    fn end_text(&mut self) {
        if std::mem::take(&mut self.in_text) {
            self.write("\n");
        }
    }

    /// Writes in place of the spinner. A terminal that has gone is nobody's loss.
    fn write(&mut self, text: &str) {
        let wipe = if std::mem::take(&mut self.spins) { "\r\x1b[2K" } else { "" };
        let mut out = stdout().lock();
        let _ = write!(out, "{wipe}{text}").and_then(|()| out.flush());
    }
}

fn in_words(time: Duration) -> String {
    match time.as_millis() {
        0 => "under 1 ms".to_owned(),
        milliseconds @ ..1_000 => format!("{milliseconds} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
