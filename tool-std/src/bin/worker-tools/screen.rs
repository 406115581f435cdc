//! What a person sees of running calls and turns: spinners for what goes on, a line for each thing that is done, and the
//! text of the model. Only that text goes to standard output.

use std::collections::HashMap;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use console::style;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use tool_runtime::{ActivityPhase, ApprovalPhase, Event, EventKind, TurnPhase};

use crate::paper;
use crate::person::is_attended;
use crate::presented;

const TICK: Duration = Duration::from_millis(100);

/// The terminal; where standard error is none, nothing turns and lines are plain.
pub(crate) struct Screen {
    spinners: MultiProgress,
    running: HashMap<String, Row>,
    /// Turns while the model is asked.
    thinking: Option<ProgressBar>,
    /// Whether the last line is one of the model's that is not finished.
    in_text: bool,
    /// Whether the model's text is shown.
    shows_text: bool,
}

/// A call that runs.
struct Row {
    spinner: ProgressBar,
    label: String,
    since: Instant,
}

impl Screen {
    pub(crate) fn new() -> Self {
        Self {
            spinners: MultiProgress::new(),
            running: HashMap::new(),
            thinking: None,
            in_text: false,
            shows_text: true,
        }
    }

    /// Leaves standard output to something else than the model's text.
    pub(crate) fn hide_text(&mut self) {
        self.shows_text = false;
    }

    /// Shows an event.
    ///
    /// # Errors
    ///
    /// When the model's text cannot be written.
    pub(crate) fn event(&mut self, event: &Event) -> io::Result<()> {
        match &event.kind {
            EventKind::Text(text) if self.shows_text => return self.text(text),
            EventKind::Phase(TurnPhase::AskingModel) => self.thinking = Some(self.spinner("thinking")),
            EventKind::Phase(_) => self.stop_thinking(),
            EventKind::Activity { call_id, label, phase: ActivityPhase::Running, .. } => {
                let row = Row { spinner: self.spinner(label), label: label.clone(), since: Instant::now() };
                self.running.insert(call_id.clone(), row);
            }
            EventKind::Activity { call_id, label, failure, .. } => self.done(call_id, label, *failure)?,
            EventKind::Progress { call_id, progress } => {
                if let Some(row) = self.running.get(call_id) {
                    let steps = progress.current.map(|current| match progress.total {
                        Some(total) => format!("{current} of {total}"),
                        None => current.to_string(),
                    });
                    let words = steps.into_iter().chain(progress.message.clone()).collect::<Vec<_>>();
                    row.spinner.set_message(format!("{}: {}", row.label, one_line(&words.join(", "))));
                }
            }
            EventKind::Repaired { repairs, .. } => {
                let names: Vec<String> = repairs
                    .iter()
                    .map(|repair| format!("{} {}", repair.name, repair.path).trim_end().to_owned())
                    .collect();
                self.note(&format!("repaired: {}", names.join(", ")))?;
            }
            EventKind::Retry { wait, reason, .. } => {
                self.warn(&format!("{}; asking again in {}", one_line(reason), in_words(*wait)))?;
            }
            EventKind::StrictDropped { tool, reason } => {
                self.note(&format!("`{tool}` is not enforced: {}", one_line(reason)))?;
            }
            EventKind::Presentation { event, .. } => {
                presented::lines(event).iter().try_for_each(|line| self.note(line))?;
            }
            EventKind::Approval { label, phase: ApprovalPhase::Denied, .. } => {
                let label = label.as_deref().unwrap_or("a call");
                let way_out = if is_attended() { "" } else { "; nobody can be asked, `--yes` allows it" };
                self.warn(&format!("not allowed: {label}{way_out}"))?;
            }
            _ => {}
        }
        Ok(())
    }

    /// A line that says that something went well.
    pub(crate) fn note(&mut self, line: &str) -> io::Result<()> {
        self.line(&format!("  {} {line}", style("·").for_stderr().dim()))
    }

    /// A line that says that something did not.
    pub(crate) fn warn(&mut self, line: &str) -> io::Result<()> {
        self.line(&format!("  {} {line}", style("!").for_stderr().yellow()))
    }

    /// A question or a prompt; what is typed stands behind it.
    pub(crate) fn ask(&mut self, question: &str) -> io::Result<()> {
        self.end_text()?;
        self.stop_thinking();
        self.spinners.suspend(|| {
            eprint!("{question}");
            io::stderr().flush()
        })
    }

    /// Ends what turns, and a line of the model that is not finished.
    pub(crate) fn rest(&mut self) -> io::Result<()> {
        self.stop_thinking();
        self.running.drain().for_each(|(_, row)| row.spinner.finish_and_clear());
        self.end_text()
    }

    fn text(&mut self, text: &str) -> io::Result<()> {
        self.stop_thinking();
        let mut out = io::stdout().lock();
        out.write_all(paper::for_stdout(text).as_bytes())?;
        self.in_text = !text.ends_with('\n');
        out.flush()
    }

    fn done(&mut self, call_id: &str, label: &str, failure: Option<&str>) -> io::Result<()> {
        let took = self.running.remove(call_id).map_or(Duration::ZERO, |row| {
            row.spinner.finish_and_clear();
            row.since.elapsed()
        });
        let time = style(format!("({})", in_words(took))).for_stderr().dim();
        match failure {
            None => self.line(&format!("  {} {label} {time}", style("✓").for_stderr().green())),
            Some(kind) => self.line(&format!("  {} {label}: {kind} {time}", style("✗").for_stderr().red())),
        }
    }

    fn spinner(&self, label: &str) -> ProgressBar {
        // The template is fixed and good, so the other style never shows.
        let look = ProgressStyle::with_template("  {spinner} {wide_msg}")
            .unwrap_or_else(|_| ProgressStyle::default_spinner());
        let spinner =
            self.spinners.add(ProgressBar::new_spinner().with_style(look).with_message(label.to_owned()));
        spinner.enable_steady_tick(TICK);
        spinner
    }

    fn stop_thinking(&mut self) {
        if let Some(spinner) = self.thinking.take() {
            spinner.finish_and_clear();
        }
    }

    fn line(&mut self, line: &str) -> io::Result<()> {
        self.end_text()?;
        // A terminal that has gone is nobody's loss.
        self.spinners.suspend(|| {
            let _ = writeln!(io::stderr().lock(), "{line}");
        });
        Ok(())
    }

    fn end_text(&mut self) -> io::Result<()> {
        if std::mem::take(&mut self.in_text) {
            writeln!(io::stdout().lock())?;
        }
        Ok(())
    }
}

/// A text from elsewhere, so that it cannot break the screen.
pub(crate) fn one_line(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

fn in_words(time: Duration) -> String {
    match time.as_millis() {
        0 => "under 1 ms".to_owned(),
        milliseconds @ ..1_000 => format!("{milliseconds} ms"),
        _ => format!("{:.1} s", time.as_secs_f64()),
    }
}
