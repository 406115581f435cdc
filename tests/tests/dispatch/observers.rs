//! What observers see of calls.

use serde_json::{Value, json};
use tool_runtime::{
    ActivityPhase, CancellationToken, DispatchOptions, Event, EventKind, Events, Progress, ToolCall,
    ToolContext, ToolError, ToolOutput, ToolSpec, dispatch,
};

use crate::world::{any_object, calls, echo, recorder, rows, sequential, set};

#[tokio::test]
async fn activity_rows_open_and_close_with_the_authors_labels() {
    let arguments = |text: &str| json!({"text": text}).to_string();
    let labelled = ToolSpec::new("labelled", "Says something.")
        .schema::<Value>(any_object())
        .completed_activity(|arguments: &Value, said: &Value| {
            format!("Said {} to {}", said["words"], arguments["text"])
        })
        .activity(|arguments: &Value| format!("Talking to {}", arguments["text"].as_str().unwrap()))
        .execute(|_, _| async { ToolOutput::text("hi").with_details(json!({"words": 1})) });
    let fails = ToolSpec::new("fails", "Fails.")
        .title("Failing on purpose")
        .no_parameters()
        .execute(|_, _| async { Err::<(), _>(ToolError::new("no")) });
    let hidden =
        ToolSpec::new("hidden", "Works unseen.").no_parameters().activity(|_| None).execute(|_, _| async {});
    let panics = ToolSpec::new("bad_label", "Has a label that panics.")
        .no_parameters()
        .activity(|_| -> Option<String> { panic!("label") })
        .execute(|_, _| async {});
    let (events, seen) = recorder();
    let set = set(vec![labelled, fails, hidden, panics]);
    let mut asked =
        calls(&[("2", "fails", "{}"), ("3", "hidden", "{}"), ("4", "bad_label", "{}"), ("5", "none", "{}")]);
    asked.insert(0, ToolCall::new("1", "labelled", arguments("Ada\nL.")));
    let results = dispatch(&set, asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    assert_eq!(
        rows(&seen),
        [
            "1: Talking to Ada L., running",
            "1: Said 1 to \"Ada\\nL.\", completed",
            "2: Failing on purpose, running",
            "2: Failing on purpose, failed (failed)",
            "4: Bad label, running",
            "4: Bad label, completed",
        ]
    );
    assert!(!results[3].is_error());
}

#[tokio::test]
async fn presentation_and_progress_reach_the_observer_and_never_the_model() {
    let plan = tool_runtime::PresentationEvent::new("plan.snapshot", json!({"items": []}));
    let shown = plan.clone();
    let todo = sequential("todo", move |_, context: ToolContext| {
        let plan = plan.clone();
        async move {
            context.progress(Progress::steps(1.0, 2.0));
            ToolOutput::text("done").present(plan).completes("event-7")
        }
    });
    let (events, seen) = recorder();
    let set = set(vec![todo]);
    let asked = calls(&[("c", "todo", "{}")]);
    let results = dispatch(&set, asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    let kinds: Vec<EventKind> = seen.lock().unwrap().iter().map(|event| event.kind.clone()).collect();
    assert_eq!(kinds[1], EventKind::Progress { call_id: "c".into(), progress: Progress::steps(1.0, 2.0) });
    assert_eq!(kinds[2], EventKind::Presentation { call_id: "c".into(), event: shown });
    assert!(matches!(&kinds[3], EventKind::Activity { phase: ActivityPhase::Completed, .. }));
    assert_eq!(results[0].model_text(), "done");
    assert_eq!(results[0].outcome.as_ref().unwrap().completes, ["event-7"]);
}

#[tokio::test]
async fn an_observer_that_panics_does_not_fail_the_call() {
    let events = Events::to(|_: &Event| panic!("observer"));
    let set = set(vec![echo("read")]);
    let asked = calls(&[("c", "read", "")]);
    let results = dispatch(&set, asked, &DispatchOptions::new(), &events, &CancellationToken::new()).await;
    assert!(!results[0].is_error());
}
