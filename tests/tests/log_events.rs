//! Log events tell what ran and how it ended, and no values.
//!
//! Alone in its program: whether anybody listens to an event is remembered for a whole process, so turns of other tests
//! that nobody listens to would make it miss some.
#![cfg(feature = "tracing")]

use std::fmt::{Debug, Write};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tests::script::{ScriptedModel, Step, calls, says};
use tool_runtime::{Agent, CancellationToken, ExecutionMode, ModelError, ToolError, ToolSpec};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

/// Keeps each event as a line of its fields.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<String>>>);

struct Line(String);

impl Visit for Line {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        if field.name() == "message" {
            self.0.insert_str(0, &format!("{value:?}:"));
        } else if field.name() != "ms" {
            write!(self.0, " {field}={value:?}").unwrap();
        }
    }
}

impl Subscriber for Lines {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("tool_runtime")
    }
    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, _: &Record<'_>) {}
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        let mut line = Line(String::new());
        event.record(&mut line);
        self.0.lock().unwrap().push(line.0);
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test(start_paused = true)]
async fn log_events_tell_what_ran_and_no_values() {
    let lines = Lines::default();
    let _guard = tracing::subscriber::set_default(lines.clone());
    let model = ScriptedModel::new([
        Step::from(ModelError::provider("secret prompt refused", true).with_code("overloaded_error")),
        Step::from(calls(&[
            ("c1", "look", r#"{"path":"secret"}"#),
            ("c2", "write", r#"{"path":"secret"}"#),
            ("c3", "secret_tool", "{}"),
            ("c4", "look", "secret"),
        ])),
        Step::from(says("secret")),
    ]);
    let any = || json!({"type": "object", "properties": {}, "additionalProperties": true});
    let look =
        ToolSpec::new("look", "Reads something.").execution_mode(ExecutionMode::Parallel).read_only(true);
    let write = ToolSpec::new("write", "Changes something.");
    let tools = vec![
        look.schema::<Value>(any()).execute(|_, _| async { "secret" }),
        write
            .schema::<Value>(any())
            .execute(|_, _| async { Err::<String, _>(ToolError::new("secret failure")) }),
    ];
    Agent::new(model, tools).unwrap().run("go", &CancellationToken::new()).await.unwrap();
    assert_eq!(
        *lines.0.lock().unwrap(),
        [
            r#"model call retried: attempt=2 kind=Provider code="overloaded_error""#,
            r#"tool call started: call_id="c1" tool=look mode=Parallel read_only=true destructive=false"#,
            r#"tool call completed: call_id="c1" bytes=6 repairs=0 ends_turn=false"#,
            r#"tool call started: call_id="c2" tool=write mode=Sequential read_only=false destructive=true"#,
            r#"tool call failed: call_id="c2" bytes=21 repairs=0 error="failed""#,
            r#"tool call rejected: call_id="c3" class="unknown_tool""#,
            r#"tool call rejected: call_id="c4" class="malformed""#,
            r#"turn ended: ending="finished" iterations=2"#,
        ]
    );
}
