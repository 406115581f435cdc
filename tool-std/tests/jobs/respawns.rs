//! Going on with what is over.

use serde_json::json;
use tool_std::jobs::JobStatus;

use crate::databases::databases;
use crate::world::{World, said, say};

#[tokio::test(flavor = "multi_thread")]
async fn a_job_is_continued_once_with_its_conversation_and_directory() {
    for database in databases().await {
        let world = World::on(&database).await;
        let running = world.run(world.worker(|items| say(said(items).join("|"))));
        let first = world.ask("c1", "the task").await;
        let live = world.ask("c2", "never mind").await;
        world.until(first, JobStatus::Succeeded).await;
        world.until(live, JobStatus::Succeeded).await;
        let workspace = database.folder.path().join(format!("jobs/{first}/workspace"));
        std::fs::write(workspace.join("kept.txt"), "kept").unwrap();

        let next =
            world.call("respawn_background_job", json!({"source_job_id": first, "message": "go on"})).await;
        let next = next.json()["job_id"].as_i64().unwrap();
        let details = world.until(next, JobStatus::Succeeded).await;
        assert_eq!(world.jobs.whole_result(next).await.unwrap().as_deref(), Some("the task|go on"));
        assert_eq!(details["title"], "the task");
        assert_eq!(details["progress"]["completed_items"], 1, "what the first job did is its own");
        assert_eq!(details["trajectory"][0]["text"], "the task", "the history goes on: {details:#}");
        assert!(!database.folder.path().join(format!("jobs/{next}")).exists(), "{}", database.name);
        assert!(workspace.join("kept.txt").exists());
        assert_eq!(
            world.jobs.whole_result(first).await.unwrap().as_deref(),
            Some("the task"),
            "what is over stays"
        );

        let error = world.jobs.respawn("r2", first, "again").await.unwrap_err().to_string();
        assert_eq!(
            error,
            format!("the job {first} is already continued by the job {next}; continue that one")
        );
        std::fs::remove_dir_all(database.folder.path().join(format!("jobs/{live}"))).unwrap();
        let error = world.jobs.respawn("r3", live, "again").await.unwrap_err().to_string();
        assert_eq!(
            error,
            format!("the directory of the job {live} is gone, so it cannot be continued; create a new one")
        );
        running.stop().await;

        let queued = world.ask("c3", "queued").await;
        let error = world.jobs.respawn("r4", queued, "again").await.unwrap_err().to_string();
        assert!(error.contains("is queued and can be continued only when it is over"), "{error}");
        world.jobs.stop(queued).await.unwrap();
        let error = world.jobs.respawn("r5", queued, "again").await.unwrap_err().to_string();
        assert!(error.contains("never began, so there is nothing to continue"), "{error}");
    }
}
