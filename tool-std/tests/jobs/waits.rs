//! Waiting for the reply of a job.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tool_runtime::{
    CallError, CancellationToken, DispatchOptions, Events, Steering, ToolCall, ToolSet, dispatch,
};
use tool_std::jobs::{JobStatus, job_tools};

use crate::databases::{databases, sqlite};
use crate::world::{World, call, said, say};

#[tokio::test(flavor = "multi_thread")]
async fn a_reply_comes_with_what_was_done_and_completes_its_event() {
    for database in databases().await {
        let world = World::on(&database).await;
        let told = Arc::new(Mutex::new(Vec::new()));
        let id = world.ask("c1", "the task").await;
        let running = world.run(world.worker(|items| match said(items).len() {
            1 => call("clarify", json!({"question": "Which?"})),
            _ => say("the second one"),
        }));
        world.until(id, JobStatus::WaitingOnUser).await;
        let replied = world
            .call(
                "send_message_to_background_job",
                json!({"job_id": id, "message": "the second", "wait_timeout_ms": 150_000}),
            )
            .await;
        let details = replied.details();
        assert_eq!(details["outcome"], "replied", "{details:#}");
        let kinds: Vec<_> =
            details["trajectory"].as_array().unwrap().iter().map(|step| step["kind"].clone()).collect();
        assert_eq!(kinds, ["message", "text"], "{}", database.name);
        if details["status"] == "succeeded" {
            let output = replied.0.outcome.as_ref().unwrap();
            assert_eq!(output.completes.len(), 1, "the event is completed with the result: {details:#}");
            assert!(
                replied.0.model_text().starts_with(&format!("The job {id} is succeeded. Since message "))
            );
        }
        running.stop().await;

        // A worker that delivers events finds only what was not read already.
        let hears = Arc::clone(&told);
        let last = world.ask("c2", "another").await;
        let running = world.run(world.worker(|_| say("done")).notify(move |event| {
            hears.lock().unwrap().push((event.job, event.kind.as_str()));
            async { Ok(()) }
        }));
        world.until(last, JobStatus::Succeeded).await;
        let asked = (id, "waiting");
        let completed = (id, "succeeded");
        while !told.lock().unwrap().contains(&(last, "succeeded")) {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        running.stop().await;
        let told = told.lock().unwrap().clone();
        assert!(told.contains(&asked), "nobody had read the question: {told:?}");
        let was_read = replied.0.outcome.as_ref().unwrap().completes.len() == 1;
        assert_eq!(told.contains(&completed), !was_read, "{told:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_user_ends_the_wait_and_the_message_stays() {
    let database = sqlite();
    let mut world = World::on(&database).await;
    let steering = Steering::new();
    world.jobs = world.jobs.steering(steering.clone());
    let id = world.ask("c1", "nobody runs it").await;
    steering.send("something else");
    let words = json!({"job_id": id, "message": "hello", "wait_timeout_ms": 150_000});
    let steered = world.call("send_message_to_background_job", words).await;
    assert_eq!(steered.details()["outcome"], "steered");
    assert!(steered.0.model_text().ends_with("will be read: do not send it again."));
    assert_eq!(steering.take().len(), 1, "the turn still hears it");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_cancelled_call_ends_the_wait_and_the_message_stays() {
    let database = sqlite();
    let world = World::on(&database).await;
    let id = world.ask("c1", "nobody runs it").await;
    let set = ToolSet::new(job_tools(&world.jobs)).unwrap();
    let words = json!({"job_id": id, "message": "hello", "wait_timeout_ms": 150_000}).to_string();
    let cancel = CancellationToken::new();
    let calls = vec![ToolCall::new("m1", "send_message_to_background_job", words)];
    let (options, events) = (DispatchOptions::new(), Events::none());
    let waiting = dispatch(&set, calls, &options, &events, &cancel);
    let cancelling = async {
        // Its message is there once the call waits.
        let (_, message) = world.jobs.send("m1", id, "hello").await.unwrap();
        cancel.cancel();
        message
    };
    let (mut results, message) = tokio::join!(waiting, cancelling);
    let outcome = results.pop().unwrap().outcome;
    assert!(matches!(outcome, Err(CallError::Tool(_) | CallError::Cancelled(_))), "{outcome:?}");
    let (_, again) = world.jobs.send("m1", id, "hello").await.unwrap();
    assert_eq!(again, message);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_without_a_reply_ends_at_its_time() {
    let database = sqlite();
    let world = World::on(&database).await;
    let id = world.ask("c1", "nobody runs it").await;
    let words = json!({"job_id": id, "message": "hello", "wait_timeout_ms": 10_000});
    let late = world.call("send_message_to_background_job", words).await;
    assert_eq!(late.details()["outcome"], "timed_out");
    assert!(late.0.model_text().contains("will be read: do not send it again"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_stopped_before_it_reads_says_so() {
    let database = sqlite();
    let world = World::on(&database).await;
    let id = world.ask("c1", "nobody runs it").await;
    let words = json!({"job_id": id, "message": "hello", "wait_timeout_ms": 150_000});
    let (replied, sent) = tokio::join!(world.call("send_message_to_background_job", words), async {
        // The number that no probe was given is that of the message.
        let mut next = 1000;
        while world.jobs.send(&format!("probe{next}"), id, "probe").await.unwrap().1 == next {
            next += 1;
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        world.jobs.stop(id).await.unwrap();
        next
    });
    assert_eq!(
        replied.0.model_text(),
        format!("The job {id} is over (stopped) and has not read message {sent}.")
    );
}
