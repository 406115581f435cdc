//! Whole turns: which failures of a server are asked again about, and which end the turn.

use std::time::Duration;

use tests::loopback::{Answer, Server, Step, events, events_head, whole};
use tool_runtime::{Agent, CancellationToken, Ending, EventKind, Outcome, event_channel};

use super::{end_event, streaming, text_event};

struct Ran {
    outcome: Outcome,
    events: Vec<EventKind>,
    requests: usize,
}

async fn run(answers: impl IntoIterator<Item = Answer>) -> Ran {
    let mut server = Server::answering(answers).await;
    let (sender, mut receiver) = event_channel(100);
    let agent = Agent::new(streaming(&server).build().unwrap(), Vec::new()).unwrap().events(sender);
    let outcome = agent.run("hi", &CancellationToken::new()).await.unwrap();
    let mut events = Vec::new();
    while let Some(event) = receiver.next().await {
        events.push(event.kind);
    }
    Ran { outcome, events, requests: server.requests().len() }
}

/// A refusal that asks for no more than a moment, so that no test has to wait.
fn refusal(status: &str, code: &str) -> Answer {
    let headers = [("content-type", "application/json"), ("retry-after-ms", "3")];
    whole(status, &headers, format!(r#"{{"error":{{"message":"not now","code":"{code}"}}}}"#))
}

fn cut(events: &[String]) -> Answer {
    vec![events_head(), Step::Send(events.concat().into_bytes()), Step::Close]
}

#[tokio::test]
async fn a_refusal_that_passes_is_asked_again_after_the_wait_that_it_names() {
    let ran =
        run([refusal("429 Too Many Requests", "rate_limit_exceeded"), events(&[end_event("hello")])]).await;
    assert!(matches!(ran.outcome.ending, Ending::Finished));
    assert_eq!((&*ran.outcome.text, ran.requests), ("hello", 2));
    let retry = EventKind::Retry {
        attempt: 2,
        wait: Duration::from_millis(3),
        reason: "not now (`rate_limit_exceeded`)".to_owned(),
    };
    assert!(ran.events.contains(&retry), "{:?}", ran.events);
}

#[tokio::test]
async fn the_last_failure_is_kept_when_attempts_run_out() {
    let refusal = || refusal("529 Overloaded", "overloaded_error");
    let ran = run([refusal(), refusal(), refusal(), events(&[end_event("too late")])]).await;
    let Ending::ModelFailed(error) = &ran.outcome.ending else { panic!("{:?}", ran.outcome.ending) };
    assert_eq!((error.to_string(), ran.requests), ("not now (`overloaded_error`)".to_owned(), 3));
}

#[tokio::test]
async fn what_does_not_pass_is_asked_once() {
    for answer in
        [refusal("400 Bad Request", "invalid_value"), refusal("429 Too Many Requests", "insufficient_quota")]
    {
        let ran = run([answer, events(&[end_event("never")])]).await;
        assert!(matches!(ran.outcome.ending, Ending::ModelFailed(_)));
        assert_eq!(ran.requests, 1);
    }
    let headers = [("content-type", "application/json"), ("retry-after", "3600")];
    let ran = run([whole("429 Too Many Requests", &headers, "{}")]).await;
    let Ending::ModelFailed(error) = &ran.outcome.ending else { panic!("{:?}", ran.outcome.ending) };
    assert_eq!((error.retry_after, ran.requests), (Some(Duration::from_secs(3600)), 1));
}

#[tokio::test]
async fn an_answer_that_was_shown_in_part_is_not_asked_for_again() {
    let ran = run([cut(&[text_event("half a")]), events(&[end_event("never")])]).await;
    let Ending::ModelFailed(error) = &ran.outcome.ending else { panic!("{:?}", ran.outcome.ending) };
    assert!(error.message.starts_with("the stream was cut"), "{error}");
    assert_eq!(ran.requests, 1);
}

#[tokio::test]
async fn an_answer_that_was_cut_before_anything_was_shown_is_asked_for_again() {
    let created =
        "data: {\"type\":\"response.created\",\"response\":{\"id\":\"r1\",\"status\":\"in_progress\"}}\n\n";
    let ran = run([cut(&[created.to_owned()]), events(&[end_event("hello")])]).await;
    assert_eq!((&*ran.outcome.text, ran.requests), ("hello", 2));
}
