//! The tools of the main turn.

use serde_json::{Value, json};

use crate::databases::{databases, sqlite};
use crate::world::{World, submit};

#[tokio::test(flavor = "multi_thread")]
async fn workflow_is_started_shown_and_listed_by_tools() {
    for database in databases().await {
        let world = World::on(&database).await;
        let asked = json!({ "title": "Count", "script": "return 'é'.repeat(args.count)", "args": { "count": 9_000 }, "concurrency": 2 });
        let started = world.call("c1", "workflow", asked.clone()).await.unwrap();
        let id = started["run_id"].as_i64().unwrap();
        assert_eq!(started["status"], "running");
        assert!(id >= 1_000);
        assert_eq!(
            world.call("c1", "workflow", asked).await.unwrap(),
            started,
            "an asking that comes again makes nothing new"
        );
        let listed = world.call("l", "list_workflows", json!({})).await.unwrap();
        assert_eq!(listed["workflows"], json!([{ "run_id": id, "title": "Count", "status": "running" }]));
        let running = world.run(world.worker(|_| submit(json!("x"))));
        world.until_status(id, "completed").await;
        running.stop().await;
        let shown = world.call("s", "show_workflow", json!({ "run_id": id })).await.unwrap();
        assert_eq!(shown["counts"]["total"], 0);
        let (mut joined, mut offset) = (String::new(), Some(0));
        while let Some(at) = offset {
            let piece =
                world.call("s", "show_workflow", json!({ "run_id": id, "result_offset": at })).await.unwrap();
            assert!(piece.to_string().len() <= 8_000);
            joined += piece["result"]["output_text"].as_str().unwrap();
            offset = piece["result"]["next_offset"].as_u64();
        }
        assert_eq!(joined, "é".repeat(9_000));
        assert_eq!(world.call("l", "list_workflows", json!({})).await.unwrap()["workflows"], json!([]));
        let done = world.call("l", "list_workflows", json!({ "status": "done" })).await.unwrap();
        assert_eq!(done["workflows"][0]["status"], "completed");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_pages_are_stable_and_others_are_unknown() {
    let database = sqlite();
    let world = World::on(&database).await;
    for at in 0..40 {
        world.start(&format!("c{at}"), "return 1", None).await;
    }
    let first = world.call("l", "list_workflows", json!({})).await.unwrap();
    assert_eq!(first["workflows"].as_array().unwrap().len(), 32);
    assert_eq!(first["next_page"], "page_1");
    let second = world.call("l", "list_workflows", json!({ "page": "page_1" })).await.unwrap();
    assert_eq!(second["workflows"].as_array().unwrap().len(), 8);
    assert_eq!(second["next_page"], Value::Null);
    let error = world.call("l", "list_workflows", json!({ "page": "page_7" })).await.unwrap_err();
    assert!(error.contains("no page of this turn is named `page_7`"), "{error}");
    let error = world.call("s", "show_workflow", json!({ "run_id": 77_777 })).await.unwrap_err();
    assert!(error.contains("there is no workflow 77777; `list_workflows` lists those there are"), "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn workflow_with_wrong_parameters_is_refused_with_a_sentence() {
    let database = sqlite();
    let world = World::on(&database).await;
    for (asked, told) in [
        (json!({ "title": " ", "script": "return 1" }), "title"),
        (
            json!({ "title": "x", "script": "x".repeat(262_145) }),
            "the script has 262145 bytes and may have 262144",
        ),
        (
            json!({ "title": "x", "script": "return 1", "args": { "a": "x".repeat(70_000) } }),
            "may have 65536",
        ),
        (json!({ "title": "x", "script": "return 1", "concurrency": 33 }), "concurrency"),
        (json!({ "title": "x", "script": "return 1", "model_profile": "fast" }), "model_profile"),
    ] {
        let error = world.call("c", "workflow", asked).await.unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}
