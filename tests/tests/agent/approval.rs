//! Who is asked before something may be destroyed, and turns that change nothing.

use std::future::pending;
use std::sync::{Arc, Mutex};

use tests::script::{ScriptedModel, calls, says};
use tool_runtime::{
    Agent, Approval, ApprovalPhase, ApprovalRequest, BoxFuture, CancellationToken, Decision, Ending,
    EventKind, ask_person, event_channel,
};

use super::{agent, echo, finish, run, writes};

fn write(done: &Arc<Mutex<Vec<String>>>) -> tool_runtime::WorkerAgentTool {
    let done = Arc::clone(done);
    writes("write", move |arguments, _| {
        done.lock().unwrap().push(arguments["path"].as_str().unwrap().to_owned());
        async { "written" }
    })
}

fn two_writes() -> ScriptedModel {
    let asked =
        [("c1", "write", r#"{"path":"a"}"#), ("c2", "write", r#"{"path":"b"}"#), ("c3", "echo", "{}")];
    ScriptedModel::new([calls(&asked), says("done")])
}

#[tokio::test]
async fn a_denied_call_does_not_run_and_the_model_reads_why() {
    let done = Arc::default();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let approval = move |request: &ApprovalRequest| {
        seen.lock().unwrap().push((
            request.call.id.clone(),
            request.arguments.clone(),
            request.label.clone(),
        ));
        if request.arguments.contains('b') {
            Decision::Deny("`b` is precious".to_owned())
        } else {
            Decision::Allow
        }
    };
    let (sender, mut events) = event_channel(100);
    let agent = agent(&two_writes(), vec![write(&done), echo("echo")]).approval(approval).events(sender);
    let outcome = run(agent).await;
    assert_eq!(*done.lock().unwrap(), ["a"]);
    let told: Vec<String> = outcome.results.iter().map(tool_runtime::ToolResult::model_text).collect();
    assert_eq!(
        told,
        ["written", "error: the call of `write` was not allowed and was not run: `b` is precious", "ok"]
    );
    // Asked for the destructive ones only, with what the tool would get.
    let asked = asked.lock().unwrap().clone();
    let label = Some("Write".to_owned());
    assert_eq!(
        asked,
        [
            ("c1".to_owned(), r#"{"path":"a"}"#.to_owned(), label.clone()),
            ("c2".to_owned(), r#"{"path":"b"}"#.to_owned(), label)
        ]
    );
    let mut phases = Vec::new();
    let mut rows = Vec::new();
    while let Some(event) = events.next().await {
        match event.kind {
            EventKind::Approval { phase, .. } => phases.push(phase),
            EventKind::Activity { call_id, .. } => rows.push(call_id),
            _ => {}
        }
    }
    use ApprovalPhase::{Allowed, Asked, Denied};
    assert_eq!(phases, [Asked, Allowed, Asked, Denied]);
    assert!(!rows.contains(&"c2".to_owned()), "a call that never started has no row");
}

#[tokio::test]
async fn by_default_everything_is_allowed() {
    let done = Arc::default();
    run(agent(&two_writes(), vec![write(&done), echo("echo")])).await;
    assert_eq!(*done.lock().unwrap(), ["a", "b"]);
}

#[tokio::test]
async fn a_person_is_asked_and_the_call_waits() {
    let done = Arc::default();
    let (approval, mut requests) = ask_person();
    let agent = agent(&two_writes(), vec![write(&done), echo("echo")]).approval(approval);
    let person = async {
        let pending = requests.next().await.unwrap();
        assert!(done.lock().unwrap().is_empty());
        pending.allow();
        requests.next().await.unwrap().deny("no");
        assert!(requests.next().await.is_none());
    };
    let (outcome, ()) = tokio::join!(run(agent), person);
    assert!(matches!(outcome.ending, Ending::Finished));
    assert_eq!(*done.lock().unwrap(), ["a"]);
}

#[tokio::test]
async fn a_question_that_nobody_answers_is_a_no() {
    let done = Arc::default();
    let (approval, mut requests) = ask_person();
    let agent = agent(&two_writes(), vec![write(&done), echo("echo")]).approval(approval);
    let person = async {
        drop(requests.next().await);
        drop(requests);
    };
    let (outcome, ()) = tokio::join!(run(agent), person);
    assert!(outcome.results[0].is_error() && outcome.results[1].is_error());
    assert!(done.lock().unwrap().is_empty());
}

struct Never;

impl Approval for Never {
    fn decide<'a>(&'a self, _: &'a ApprovalRequest) -> BoxFuture<'a, Decision> {
        Box::pin(pending())
    }
}

#[tokio::test]
async fn cancelling_ends_the_wait_for_an_answer_and_nothing_starts() {
    let done = Arc::default();
    let cancel = CancellationToken::new();
    let (sender, mut events) = event_channel(100);
    let agent = agent(&two_writes(), vec![write(&done), echo("echo")]).approval(Never).events(sender);
    let host = async {
        while let Some(event) = events.next().await {
            if matches!(event.kind, EventKind::Approval { .. }) {
                cancel.cancel();
            }
        }
    };
    let (outcome, ()) = tokio::join!(agent.run("go", &cancel), host);
    let outcome = outcome.unwrap();
    let Ending::Cancelled(cancelled) = &outcome.ending else { panic!("{:?}", outcome.ending) };
    assert_eq!(cancelled.not_started.len(), 3);
    assert!(done.lock().unwrap().is_empty());
}

#[tokio::test]
async fn an_approval_that_fails_is_a_no() {
    let done = Arc::default();
    let approval = |_: &ApprovalRequest| -> Decision { panic!("out of order") };
    let outcome = run(agent(&two_writes(), vec![write(&done), echo("echo")]).approval(approval)).await;
    assert!(outcome.results[0].model_text().contains("the host failed to decide (panic): out of order"));
    assert!(done.lock().unwrap().is_empty());
}

#[tokio::test]
async fn a_read_only_turn_has_no_tool_that_writes() {
    let done = Arc::default();
    let model = two_writes();
    let agent = Agent::read_only(model.clone(), vec![write(&done), echo("echo"), finish()]).unwrap();
    assert_eq!(agent.tools().len(), 1);
    let outcome = run(agent).await;
    assert_eq!(model.asked()[0].offered, ["echo"]);
    assert!(outcome.results[0].model_text().contains("no tool is named `write`"));
    assert!(done.lock().unwrap().is_empty());
}
