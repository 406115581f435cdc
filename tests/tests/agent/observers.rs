//! Events leave a turn in order, and nobody who reads them can hold it.

use std::sync::mpsc::channel;
use std::sync::{Arc, Mutex};

use tests::script::{ScriptedModel, Step, calls, says};
use tool_runtime::provider::RecordedModel;
use tool_runtime::{CancellationToken, Ending, Event, EventKind, TurnPhase, event_channel};

use super::{agent, echo, run};

fn two_rounds() -> ScriptedModel {
    ScriptedModel::new([calls(&[("c1", "echo", "{}"), ("c2", "echo", "{}")]), says("done")])
}

#[tokio::test]
async fn events_come_in_order_and_the_phases_tell_what_the_turn_does() {
    let (sender, mut events) = event_channel(100);
    run(agent(&two_rounds(), vec![echo("echo")]).events(sender)).await;
    let (mut revisions, mut phases) = (Vec::new(), Vec::new());
    while let Some(event) = events.next().await {
        revisions.push(event.revision);
        if let EventKind::Phase(phase) = event.kind {
            phases.push(phase);
        }
    }
    use TurnPhase::{AskingModel, Ended, RunningTools};
    assert_eq!(phases, [AskingModel, RunningTools, AskingModel, Ended]);
    assert_eq!(revisions, (1..=u64::try_from(revisions.len()).unwrap()).collect::<Vec<_>>());
    assert_eq!(events.lost(), 0);
}

#[tokio::test]
async fn text_is_told_as_it_comes() {
    let model = RecordedModel::from_text(r#"{"output":[{"type":"message","content":"hello"}]}"#).unwrap();
    let (sender, mut events) = event_channel(100);
    let agent = tool_runtime::Agent::new(model, Vec::new()).unwrap().events(sender);
    agent.run("go", &CancellationToken::new()).await.unwrap();
    let mut text = String::new();
    while let Some(event) = events.try_next() {
        if let EventKind::Text(piece) = event.kind {
            text.push_str(&piece);
        }
    }
    assert_eq!(text, "hello");
}

#[tokio::test]
async fn a_channel_that_nobody_reads_fills_up_and_counts_what_is_lost() {
    let (sender, mut events) = event_channel(2);
    let outcome = run(agent(&two_rounds(), vec![echo("echo")]).events(sender)).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    let kept: Vec<u64> = std::iter::from_fn(|| events.try_next()).map(|event| event.revision).collect();
    assert_eq!(kept, [1, 2]);
    assert!(events.lost() > 0);
    assert!(events.next().await.is_none());
}

#[tokio::test]
async fn a_channel_whose_reader_is_gone_is_no_trouble() {
    let (sender, events) = event_channel(2);
    drop(events);
    let outcome = run(agent(&two_rounds(), vec![echo("echo")]).events(sender)).await;
    assert!(matches!(outcome.ending, Ending::Finished));
}

#[tokio::test]
async fn an_observer_that_never_returns_does_not_hold_the_turn() {
    let (release, wait) = channel::<()>();
    let wait = Mutex::new(wait);
    let stuck = move |_: &Event| {
        let _ = wait.lock().unwrap().recv();
    };
    let outcome = run(agent(&two_rounds(), vec![echo("echo")]).observer(stuck)).await;
    assert!(matches!(outcome.ending, Ending::Finished));
    drop(release);
}

#[tokio::test]
async fn an_observer_that_fails_gets_the_next_event_all_the_same() {
    let (sender, receiver) = channel();
    let seen = Arc::new(Mutex::new(Vec::new()));
    let sink = Arc::clone(&seen);
    let failing = move |event: &Event| {
        // The channel closes when the observer is done with the turn and dropped.
        let _open = &sender;
        sink.lock().unwrap().push(event.revision);
        assert!(event.revision.is_multiple_of(2), "an observer that fails at every second event");
        sender.send(()).unwrap();
    };
    let model = ScriptedModel::new([Step::from(says("hello"))]);
    run(agent(&model, Vec::new()).observer(failing)).await;
    while receiver.recv().is_ok() {}
    assert_eq!(*seen.lock().unwrap(), [1, 2]);
}
