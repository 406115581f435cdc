//! Stopping, failing, being tried again, and being given back.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::json;
use tool_runtime::ModelError;
use tool_std::jobs::{JobEventKind, JobStatus};

use crate::databases::databases;
use crate::world::{Answer, World, call, results, say};

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_job_stays_stopped_whatever_it_was_doing() {
    for database in databases().await {
        let world = World::on(&database).await;
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let queued = world.ask("c0", "queued").await;
        let stopped = world.call("stop_background_job", json!({"job_id": queued})).await.json();
        assert_eq!(stopped, json!({"job_id": queued, "status": "stopped"}));

        let worker = world.worker(|items| match results(items) {
            0 => call("hold", json!({})),
            _ => say("done"),
        });
        let running = world.run(worker.notify(move |event| {
            hears.lock().unwrap().push(event.kind);
            async { Ok(()) }
        }));
        let runs = world.ask("c1", "runs").await;
        world.until_details(runs, |details| details["progress"]["active"][0] == "hold").await;
        assert_eq!(world.jobs.stop(runs).await.unwrap().status, JobStatus::Stopped);
        // The next job gets the worker, so the call was ended.
        let next = world.ask("c2", "next").await;
        world.until_details(next, |details| details["progress"]["active"][0] == "hold").await;
        world.gate.add_permits(8);
        world.until(next, JobStatus::Succeeded).await;
        world.until_told(&told, 1).await;
        for id in [queued, runs] {
            let details = world.jobs.details(id).await.unwrap();
            assert_eq!(details["status"], "stopped", "{}", database.name);
            assert!(details.get("error").is_none());
            assert_eq!(
                world.jobs.stop(id).await.unwrap().status,
                JobStatus::Stopped,
                "stopping again is no error"
            );
        }
        let details = world.jobs.details(runs).await.unwrap();
        assert_eq!(details["attempt_history"][0]["outcome"], "stopped");
        running.stop().await;
        assert_eq!(*told.lock().unwrap(), [JobEventKind::Succeeded], "a stop is no event");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_model_fails_is_tried_five_times() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "fail").await;
        let running = world.run(world.worker(|_| {
            let id = "01890a5d-ac96-774b-bcce-b302099a8057";
            Answer::Fails(
                ModelError::provider(format!("request {id} with key=abc, api_key=secret123 failed"), true)
                    .with_code("overloaded"),
            )
        }));
        let details = world.until(id, JobStatus::Failed).await;
        assert_eq!(details["attempts"], 5, "{}", database.name);
        assert_eq!(details["error"]["code"], "model_failed");
        assert_eq!(details["error"]["retryable"], true);
        let summary = details["error"]["summary"].as_str().unwrap();
        assert!(summary.contains("request [id]") && !summary.contains("secret123"), "{summary}");
        let outcomes: Vec<_> = details["attempt_history"]
            .as_array()
            .unwrap()
            .iter()
            .map(|attempt| &attempt["outcome"])
            .collect();
        assert_eq!(outcomes, vec!["model_failed"; 5]);
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_failure_that_cannot_pass_ends_the_job_at_once() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "fail").await;
        let running =
            world.run(world.worker(|_| Answer::Fails(ModelError::provider("no such model", false))));
        let details = world.until(id, JobStatus::Failed).await;
        assert_eq!((&details["attempts"], &details["error"]["retryable"]), (&json!(1), &json!(false)));
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_fails_once_goes_on_where_it_was() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "try").await;
        let asked = Arc::new(AtomicU32::new(0));
        let count = Arc::clone(&asked);
        let running = world.run(world.worker(move |items| {
            count.fetch_add(1, Ordering::SeqCst);
            match results(items) {
                0 => call("note", json!({"text": "once"})),
                // The three attempts of a request, all of the first try.
                _ if count.load(Ordering::SeqCst) <= 4 => Answer::Fails(ModelError::provider("later", true)),
                results => say(format!("{results} results")),
            }
        }));
        let details = world.until(id, JobStatus::Succeeded).await;
        assert_eq!(
            world.jobs.whole_result(id).await.unwrap().as_deref(),
            Some("1 results"),
            "{}",
            database.name
        );
        assert_eq!(details["attempts"], 2);
        assert_eq!(details["turns"], 1);
        assert_eq!(details["progress"]["tool_calls"], 1, "the call was not made again");
        assert!(details.get("error").is_none(), "it did not fail in the end");
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_does_nothing_is_tried_three_times() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "hang").await;
        let worker = world.worker(|_| call("hold", json!({}))).stall(Duration::from_millis(300));
        let running = world.run(worker);
        let details = world.until(id, JobStatus::Failed).await;
        assert_eq!(
            (&details["error"]["code"], &details["attempts"]),
            (&json!("stalled"), &json!(3)),
            "{}",
            database.name
        );
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_that_does_not_begin_is_a_failure() {
    use tool_std::jobs::{JobKit, JobWorker};
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "hang").await;
        let kit = |_| std::future::pending::<Result<JobKit, String>>();
        let worker = JobWorker::new(&world.space, kit).first_progress(Duration::ZERO).retry(Duration::ZERO);
        let running = world.run(worker);
        let details = world.until_details(id, |details| details["attempts"].as_i64() > Some(1)).await;
        assert_eq!(details["attempt_history"][0]["outcome"], "no_progress", "{details:#}");
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kit_that_cannot_be_made_or_panics_fails_the_job() {
    use tool_std::jobs::{JobKit, JobWorker};
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "broken").await;
        let kit = |brief: tool_std::jobs::JobBrief| async move {
            assert!(brief.attempt % 2 == 1, "an even attempt");
            Err::<JobKit, _>("no model is configured".to_owned())
        };
        let running = world.run(JobWorker::new(&world.space, kit).retry(Duration::from_millis(1)));
        let details = world.until(id, JobStatus::Failed).await;
        assert_eq!(details["error"]["code"], "setup_failed");
        assert_eq!(details["error"]["summary"], "no model is configured");
        let second = &details["attempt_history"][1]["outcome"];
        assert_eq!(second, "panicked", "a panic is the job's own: {}", database.name);
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_that_shuts_down_gives_its_jobs_back() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "long").await;
        let model = |items: &[tool_runtime::Item]| match results(items) {
            0 => call("note", json!({"text": "first"})),
            1 => call("hold", json!({})),
            results => say(format!("{results} results")),
        };
        let first = world.run(world.worker(model));
        world.until_details(id, |details| details["progress"]["active"][0] == "hold").await;
        first.stop().await;
        let details = world.jobs.details(id).await.unwrap();
        assert_eq!(details["status"], "running", "a job that is given back is not queued anew");
        assert_eq!(details["attempt_history"][0]["outcome"], "released");
        world.gate.add_permits(8);
        let second = world.run(world.worker(model));
        let details = world.until(id, JobStatus::Succeeded).await;
        // The held call was cancelled and has a result; it is not made again.
        assert_eq!(
            world.jobs.whole_result(id).await.unwrap().as_deref(),
            Some("2 results"),
            "{}",
            database.name
        );
        assert_eq!(details["attempts"], 2);
        second.stop().await;
    }
}
