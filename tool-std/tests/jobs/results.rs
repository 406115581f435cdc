//! Jobs that come to their end.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tool_std::jobs::{JobEventKind, JobStatus};

use crate::databases::databases;
use crate::world::{World, call, results, said, say};

#[tokio::test(flavor = "multi_thread")]
async fn a_job_runs_its_tools_and_gives_its_result_exactly() {
    for database in databases().await {
        let world = World::on(&database).await;
        let long = "\u{1F600} line\n\"quoted\" \u{0}\t".repeat(2_000);
        let answer = long.clone();
        let told = Arc::new(Mutex::new(Vec::new()));
        let hears = Arc::clone(&told);
        let worker = world.worker(move |items| match results(items) {
            0 => call("note", json!({ "text": "password=hunter2hunter2" })),
            _ => say(answer.clone()),
        });
        let worker = worker.notify(move |event| {
            hears.lock().unwrap().push(event);
            async { Ok(()) }
        });
        let asked =
            world.call("create_background_job", json!({"title": " A title ", "task": "Do it."})).await;
        let id = asked.json()["job_id"].as_i64().unwrap();
        assert_eq!(asked.json(), json!({"job_id": 1000, "status": "queued"}), "{}", database.name);
        let running = world.run(worker);
        let details = world.until(id, JobStatus::Succeeded).await;
        assert_eq!(details["title"], "A title");
        assert_eq!(details["result_ref"], "background_job_1000");
        assert_eq!(details["attempts"], 1);
        assert_eq!(details["turns"], 1);
        assert_eq!(details["progress"]["tool_calls"], 1);
        assert_eq!(details["progress"]["tools_used"], json!({"note": 1}));
        assert_eq!(details["usage"]["responses"], 2);
        assert_eq!(details["attempt_history"][0]["outcome"], "succeeded");
        let trajectory = details["trajectory"].as_array().unwrap();
        assert_eq!(trajectory[0], json!({"kind": "task", "text": "Do it."}));
        assert_eq!(trajectory[1]["tool"], "note");
        assert_eq!(trajectory[1]["redacted"], true);
        assert!(!details.to_string().contains("hunter2"), "secrets are not shown: {details:#}");
        assert_eq!(trajectory[2]["truncated"], true);

        let (mut joined, mut offset) = (String::new(), json!(0));
        while !offset.is_null() {
            let piece = world
                .call("show_background_job_details", json!({"job_id": id, "result_offset": offset}))
                .await;
            assert!(piece.0.model_text().len() <= 8_000);
            let piece = piece.json();
            assert_eq!(piece["status"], "succeeded");
            joined += piece["result"]["output_text"].as_str().unwrap();
            offset = piece["result"]["next_offset"].clone();
        }
        assert_eq!(joined, long);

        world.until_told(&told, 1).await;
        running.stop().await;
        let told = told.lock().unwrap().clone();
        assert_eq!(told.len(), 1, "each event is delivered once when nothing fails: {told:?}");
        assert_eq!((told[0].job, told[0].kind), (id, JobEventKind::Succeeded));
        assert_eq!((&*told[0].agent, &*told[0].owner), ("agent", "conversation"));

        let folder = database.folder.path().join("jobs/1000");
        assert!(folder.join("workspace").is_dir());
        let journal = std::fs::read_to_string(folder.join("turns/0001.jsonl")).unwrap();
        for line in journal.lines() {
            serde_json::from_str::<Value>(line).unwrap();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_call_has_made_is_made_once() {
    for database in databases().await {
        let world = World::on(&database).await;
        let task = json!({"title": "t", "task": "wait"});
        let first = world.call_as("c1", "create_background_job", task.clone()).await.json();
        assert_eq!(world.call_as("c1", "create_background_job", task.clone()).await.json(), first);
        let other = world.call_as("c2", "create_background_job", task).await.json();
        assert_ne!(other["job_id"], first["job_id"]);

        let unlike =
            world.call_as("c1", "create_background_job", json!({"title": "t", "task": "other"})).await;
        assert!(unlike.error().contains("has asked for the job 1000 before, with another task"));

        let words = json!({"job_id": first["job_id"], "message": "hello", "wait_reply": false});
        let sent = world.call_as("m1", "send_message_to_background_job", words.clone()).await.details();
        let again = world.call_as("m1", "send_message_to_background_job", words).await.details();
        assert_eq!(sent["message_id"], again["message_id"]);
        let unlike = json!({"job_id": other["job_id"], "message": "hello", "wait_reply": false});
        let unlike = world.call_as("m1", "send_message_to_background_job", unlike).await.error();
        assert!(unlike.contains("has sent another message before"), "{unlike}");

        let running = world.run(world.worker(|items| say(format!("heard {}", said(items).len()))));
        let id = first["job_id"].as_i64().unwrap();
        world.until(id, JobStatus::Succeeded).await;
        assert_eq!(world.jobs.whole_result(id).await.unwrap().as_deref(), Some("heard 2"));
        let more = json!({"source_job_id": id, "message": "more"});
        let next = world.call_as("r1", "respawn_background_job", more.clone()).await.json();
        assert_eq!(
            world.call_as("r1", "respawn_background_job", more).await.json()["job_id"],
            next["job_id"]
        );
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_runs_three_jobs_at_a_time_and_the_others_wait_in_order() {
    for database in databases().await {
        let world = World::on(&database).await;
        let running = world.run(
            world
                .worker(|items| match results(items) {
                    0 => call("hold", json!({})),
                    _ => say("done"),
                })
                .concurrency(8),
        );
        let mut ids = Vec::new();
        for number in 0..5 {
            ids.push(world.ask(&format!("c{number}"), "wait").await);
        }
        for id in &ids[..3] {
            world.until_details(*id, |details| details["progress"]["active"][0] == "hold").await;
        }
        for id in &ids[3..] {
            assert_eq!(world.jobs.details(*id).await.unwrap()["status"], "queued", "{}", database.name);
        }
        world.gate.add_permits(1);
        world.until_details(ids[3], |details| details["progress"]["active"][0] == "hold").await;
        assert_eq!(world.jobs.details(ids[4]).await.unwrap()["status"], "queued");
        world.gate.add_permits(10);
        for id in ids {
            world.until(id, JobStatus::Succeeded).await;
        }
        running.stop().await;
    }
}
