//! The row of activity that a person sees for a running call.

use crate::call::CallError;
use crate::event::{ActivityPhase, EventKind, Events};
use crate::output::CallOutput;
use crate::spec::ToolSpec;
use crate::tool::{Activity, bound_label};

/// An open row; without a label there is none.
pub(super) struct Row {
    label: Option<String>,
    consequential: bool,
}

impl Row {
    /// Opens the row of a call that starts now.
    pub(super) fn open(events: &Events, call_id: &str, spec: &ToolSpec, activity: &Activity) -> Self {
        let label = if events.wanted() { label(spec, activity) } else { None };
        let row = Self { label, consequential: spec.is_destructive() };
        row.emit(events, call_id, ActivityPhase::Running, None, None);
        row
    }

    /// Shows what the tool wants shown, then closes the row.
    pub(super) fn close(self, events: &Events, call_id: &str, outcome: &Result<CallOutput, CallError>) {
        if !events.wanted() {
            return;
        }
        let output = match outcome {
            Ok(output) => output,
            Err(error) => return self.emit(events, call_id, ActivityPhase::Failed, None, Some(error.kind())),
        };
        for event in &output.presentation {
            let call_id = call_id.to_owned();
            events.emit(EventKind::Presentation { call_id, event: event.clone() });
        }
        let completed = output.completed_activity.as_deref().and_then(bound_label);
        self.emit(events, call_id, ActivityPhase::Completed, completed, None);
    }

    fn emit(
        &self,
        events: &Events,
        call_id: &str,
        phase: ActivityPhase,
        completed: Option<String>,
        failure: Option<&'static str>,
    ) {
        if let Some(label) = &self.label {
            events.emit(EventKind::Activity {
                call_id: call_id.to_owned(),
                label: completed.unwrap_or_else(|| label.clone()),
                phase,
                consequential: self.consequential,
                failure,
            });
        }
    }
}

/// The label of a call; `None` if it shall have no row.
pub(super) fn label(spec: &ToolSpec, activity: &Activity) -> Option<String> {
    match activity {
        Activity::Hidden => None,
        Activity::Generic => bound_label(&generic_label(spec)),
        Activity::Label(label) => bound_label(label).or_else(|| bound_label(&generic_label(spec))),
    }
}

/// The title, or the name in words: `read_file` as "Read file".
fn generic_label(spec: &ToolSpec) -> String {
    if let Some(title) = &spec.title {
        return title.to_string();
    }
    let words = spec.name.replace(['_', '-'], " ");
    let mut characters = words.chars();
    characters.next().map(|first| first.to_uppercase().chain(characters).collect()).unwrap_or_default()
}
