//! Listing and asking for what is not there.

use serde_json::json;

use tool_std::jobs::Jobs;

use crate::databases::{databases, sqlite};
use crate::world::World;

#[tokio::test(flavor = "multi_thread")]
async fn lists_come_page_by_page_and_by_agent() {
    for database in databases().await {
        let world = World::on(&database).await;
        for number in 0..40 {
            world.ask(&format!("c{number}"), &format!("task {number}")).await;
        }
        let first = world.call("list_background_jobs", json!({})).await.json();
        let jobs = first["jobs"].as_array().unwrap();
        assert_eq!(jobs.len(), 32);
        assert_eq!(
            jobs[0],
            json!({"job_id": 1039, "title": "task 39", "status": "queued"}),
            "{}",
            database.name
        );
        assert_eq!(first["next_page"], "page_1");
        let second = world.call("list_background_jobs", json!({"page": "page_1"})).await.json();
        assert_eq!(second["jobs"].as_array().unwrap().len(), 8);
        assert_eq!(second["next_page"], json!(null));
        let again = world.call("list_background_jobs", json!({"status": "live"})).await.json();
        assert_eq!(again["next_page"], "page_1", "a page keeps its name");
        let over = world.call("list_background_jobs", json!({"status": "stop"})).await.json();
        assert_eq!(over["jobs"], json!([]));
        let unknown = world.call("list_background_jobs", json!({"page": "page_9"})).await.error();
        assert!(unknown.contains("no page of this turn is named `page_9`"), "{unknown}");

        let other = Jobs::new(&world.space, "another agent", "conversation");
        assert_eq!(other.list(true, None).await.unwrap().jobs, []);
        assert!(other.details(1000).await.is_err(), "an agent sees its own jobs");
    }
}

#[tokio::test]
async fn what_cannot_be_asked_is_refused_with_a_reason() {
    let database = sqlite();
    let world = World::on(&database).await;
    for (tool, arguments, expected) in [
        ("show_background_job_details", json!({"job_id": 4000}), "there is no background job 4000"),
        ("stop_background_job", json!({"job_id": 4000}), "there is no background job 4000"),
        (
            "respawn_background_job",
            json!({"source_job_id": 4000, "message": "m"}),
            "there is no background job 4000",
        ),
        (
            "send_message_to_background_job",
            json!({"job_id": 4000, "message": "m", "wait_reply": false}),
            "there is no background job 4000",
        ),
        ("create_background_job", json!({"title": "t", "task": " "}), "`task` is blank"),
        ("create_background_job", json!({"title": "", "task": "t"}), "/title"),
        ("create_background_job", json!({"title": "t".repeat(201), "task": "t"}), "/title"),
        ("create_background_job", json!({"title": "t", "task": "a\u{0}b"}), "`task` has a NUL character"),
        ("create_background_job", json!({"title": "t", "task": "t", "model_profile": "x"}), "model_profile"),
        (
            "create_background_job",
            json!({"title": "t", "task": "t", "workspace_template_id": "x"}),
            "workspace_template_id",
        ),
        ("create_background_job", json!({"title": "t", "task": "x".repeat(300_000)}), "may have 262144"),
    ] {
        let error = world.call(tool, arguments).await.error();
        assert!(error.contains(expected), "{tool}: {error}");
    }
    let id = world.ask("c1", "wait").await;
    let error =
        world.call("show_background_job_details", json!({"job_id": id, "result_offset": 0})).await.error();
    assert!(error.contains("is queued and has no result"), "{error}");
}

#[tokio::test]
async fn templates_and_profiles_are_parameters_where_there_are_some() {
    let database = sqlite();
    let mut world = World::on(&database).await;
    world.jobs = world.jobs.templates(["empty", "web"]).profiles(["strong"]);
    let asked = json!({"title": "t", "task": "t", "workspace_template_id": "web", "model_profile": "strong"});
    let asked = world.call("create_background_job", asked).await.json();
    assert_eq!(asked["status"], "queued");
    let error = world
        .call("create_background_job", json!({"title": "t", "task": "t", "workspace_template_id": "wbe"}))
        .await
        .error();
    assert!(error.contains("\"web\""), "{error}");
}
