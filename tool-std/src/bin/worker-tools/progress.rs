//! What a person sees of a workflow that runs: a bar, and its live tasks with how long they take. Where standard error is no
//! terminal, a line each time that tasks have ended.

use std::collections::HashMap;
use std::io::IsTerminal as _;
use std::time::Duration;

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use serde_json::Value;

use crate::screen::one_line;

const TICK: Duration = Duration::from_millis(100);
/// How many live tasks are shown.
const SHOWN: usize = 12;

pub(crate) struct Progress {
    id: i64,
    is_terminal: bool,
    bars: MultiProgress,
    run: ProgressBar,
    tasks: HashMap<i64, ProgressBar>,
    said: String,
}

impl Progress {
    pub(crate) fn new(id: i64) -> Self {
        let bars = MultiProgress::new();
        let run = bars.add(ProgressBar::new(1).with_style(look("  {bar:24} {wide_msg}")));
        Self {
            id,
            is_terminal: std::io::stderr().is_terminal(),
            bars,
            run,
            tasks: HashMap::new(),
            said: String::new(),
        }
    }

    /// Shows how far the run is.
    pub(crate) fn show(&mut self, shown: &Value) {
        let count = |name: &str| shown["counts"][name].as_u64().unwrap_or_default();
        let over = count("succeeded") + count("failed") + count("cancelled");
        let done = over - count("cancelled");
        let mut words = vec![format!("{done} of {} tasks done", count("total"))];
        for name in ["running", "queued", "sleeping", "failed", "cancelled"] {
            if count(name) > 0 {
                words.push(format!("{} {name}", count(name)));
            }
        }
        if !self.is_terminal {
            let line = format!("workflow {}: {}", self.id, words.join(", "));
            if line != self.said && count("total") > 0 {
                say!("{line}");
                self.said = line;
            }
            return;
        }
        self.run.set_message(words.join(", "));
        self.run.set_length(count("total").max(1));
        self.run.set_position(over);
        let mut live = HashMap::new();
        let tasks = shown["live_tasks"].as_array().map(Vec::as_slice).unwrap_or_default();
        for task in tasks.iter().filter(|task| task["status"] != "queued").take(SHOWN) {
            let seq = task["call_seq"].as_i64().unwrap_or_default();
            let bar = self.tasks.remove(&seq).unwrap_or_else(|| {
                let bar = ProgressBar::new_spinner().with_style(look("  {spinner} {elapsed:>4} {wide_msg}"));
                let bar = self.bars.add(bar);
                bar.enable_steady_tick(TICK);
                bar
            });
            let label = one_line(task["label"].as_str().unwrap_or_default());
            bar.set_message(match (task["status"].as_str(), task["note"].as_str()) {
                (Some("sleeping"), Some(note)) => format!("{label} sleeps: {}", one_line(note)),
                (Some("sleeping"), None) => format!("{label} sleeps"),
                _ => label,
            });
            live.insert(seq, bar);
        }
        self.tasks.drain().for_each(|(_, bar)| bar.finish_and_clear());
        self.tasks = live;
    }

    /// Takes it off the screen.
    pub(crate) fn end(&mut self) {
        self.tasks.drain().for_each(|(_, bar)| bar.finish_and_clear());
        self.run.finish_and_clear();
    }
}

fn look(template: &str) -> ProgressStyle {
    // The templates are fixed and good, so the other style never shows.
    ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_spinner())
}
