//! What is said to a job reaches it once, whatever it is doing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::json;
use tool_std::jobs::JobStatus;

use crate::databases::{databases, sqlite};
use crate::world::{Answer, World, call, said, say};

/// What the model is told as a message.
fn message(number: i64, text: &str) -> String {
    format!("[message {number} of the owner of this job]\n\n{text}")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_queued_job_reads_a_message_behind_its_task() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "the task").await;
        world.jobs.send("m1", id, "first").await.unwrap();
        world.jobs.send("m2", id, "second").await.unwrap();
        let running = world.run(world.worker(|items| say(said(items).join("|"))));
        world.until(id, JobStatus::Succeeded).await;
        let result = world.jobs.whole_result(id).await.unwrap().unwrap();
        assert_eq!(result, ["the task", &message(1000, "first"), &message(1001, "second")].join("|"));
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_running_job_reads_a_message_between_two_rounds() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "the task").await;
        let running = world.run(world.worker(|items| match said(items).len() {
            // Rounds go on until the message is there.
            1 => call("hold", json!({})),
            _ => say(said(items).join("|")),
        }));
        world.until_details(id, |details| details["progress"]["active"][0] == "hold").await;
        world.jobs.send("m1", id, "look here").await.unwrap();
        let looks = AtomicUsize::new(0);
        let details = world
            .until_details(id, |details| {
                // A round now and then: the message comes with a beat of the worker.
                world.gate.add_permits(usize::from(looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(10)));
                details["status"] == "succeeded"
            })
            .await;
        let result = world.jobs.whole_result(id).await.unwrap().unwrap();
        assert_eq!(result, ["the task", &message(1000, "look here")].join("|"));
        assert_eq!(details["turns"], 1, "it was read within the turn");
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_that_comes_with_the_last_word_is_read_in_one_more_turn() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "the task").await;
        let gate = Arc::clone(&world.gate);
        let running = world.run(world.worker(move |items| match said(items).len() {
            1 => Answer::Held(Arc::clone(&gate), "done without it".to_owned()),
            _ => say(said(items).join("|")),
        }));
        world.until_details(id, |details| details["turn_status"] == "running").await;
        world.jobs.send("m1", id, "and this").await.unwrap();
        world.gate.add_permits(1);
        let details = world.until(id, JobStatus::Succeeded).await;
        let result = world.jobs.whole_result(id).await.unwrap().unwrap();
        assert_eq!(result, ["the task", &message(1000, "and this")].join("|"), "{}", database.name);
        assert_eq!((&details["turns"], &details["attempts"]), (&json!(2), &json!(1)));
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_asks_waits_and_goes_on_with_the_answer() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "the task").await;
        let running = world.run(world.worker(|items| match said(items).len() {
            1 => call("clarify", json!({"question": "Red or blue?", "choices": ["red", "blue"]})),
            _ => say(format!("painted: {}", said(items)[1])),
        }));
        let details = world.until(id, JobStatus::WaitingOnUser).await;
        assert_eq!(details["question"], json!({"question": "Red or blue?", "choices": ["red", "blue"]}));
        assert_eq!(details["turn_status"], "asked");
        assert!(details.get("result_ref").is_none(), "it is not over");

        // Waiting takes no slot.
        let others: Vec<_> =
            [world.ask("o1", "a").await, world.ask("o2", "b").await, world.ask("o3", "c").await].into();
        for other in others {
            world.until(other, JobStatus::WaitingOnUser).await;
        }
        world.jobs.send("m1", id, "blue").await.unwrap();
        let details = world.until(id, JobStatus::Succeeded).await;
        let result = world.jobs.whole_result(id).await.unwrap().unwrap();
        assert_eq!(result, format!("painted: {}", message(1000, "blue")), "{}", database.name);
        assert_eq!(details["attempts"], 2);
        assert_eq!(details["attempt_history"][0]["outcome"], "waiting");
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_is_over_reads_no_message() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "the task").await;
        world.jobs.stop(id).await.unwrap();
        let error = world.jobs.send("m1", id, "too late").await.unwrap_err().to_string();
        assert_eq!(
            error,
            "the job 1000 is over (stopped) and reads no more messages; continue it with `respawn_background_job`"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_may_answer_as_often_as_a_job_asks() {
    const QUESTIONS: usize = 27;
    let database = sqlite();
    let world = World::on(&database).await;
    let id = world.ask("c1", "the task").await;
    let running = world.run(world.worker(|items| match said(items).len() - 1 {
        QUESTIONS => say("all answered"),
        answers => call("clarify", json!({"question": format!("Question {answers}?")})),
    }));
    for number in 0..QUESTIONS {
        let question = format!("Question {number}?");
        world
            .until_details(id, |details| {
                details["status"] == "waiting_on_user" && details["question"]["question"] == *question
            })
            .await;
        world.jobs.send(&format!("m{number}"), id, "yes").await.unwrap();
    }
    let details = world.until(id, JobStatus::Succeeded).await;
    assert!(details["attempts"].as_u64() > Some(25), "{details:#}");
    running.stop().await;
}
