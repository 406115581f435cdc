//! What goes wrong beside the jobs: a queue that forgot, an owner that cannot be told.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime};

use serde_json::json;
use sqlx::{Connection, PgConnection, SqliteConnection};
use tool_std::jobs::{JobBrief, JobKit, JobSpace, JobStatus, JobWorker, Jobs};
use tool_std::state::{Clock, State};

use crate::databases::{TestDatabase, databases};
use crate::world::{PATIENCE, World, call, say, scripted};

/// Runs a statement as somebody else would; gives how many rows it changed.
async fn meddle(database: &TestDatabase, statement: &'static str) -> u64 {
    if database.name == "SQLite" {
        let file = format!("sqlite://{}/state.sqlite", database.place);
        let mut connection = SqliteConnection::connect(&file).await.unwrap();
        sqlx::query(statement).execute(&mut connection).await.unwrap().rows_affected()
    } else {
        let mut connection = PgConnection::connect(&database.place).await.unwrap();
        sqlx::query(statement).execute(&mut connection).await.unwrap().rows_affected()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_that_the_queue_has_lost_is_found_again() {
    for database in databases().await {
        let mut world = World::on(&database).await;
        let id = world.ask("c1", "lost").await;
        let queue = if database.name == "SQLite" { "DELETE FROM Jobs" } else { "DELETE FROM apalis.jobs" };
        assert_eq!(meddle(&database, queue).await, 1, "it was in the queue: {}", database.name);
        // Later than a slot may be without a worker.
        let later = Clock::of(|| SystemTime::now() + Duration::from_secs(120));
        let state = State::open(&database.place).await.unwrap().with_clock(later);
        world.space = JobSpace::new(&state, world.space.folder());
        world.jobs = Jobs::new(&world.space, "agent", "conversation");
        let running = world.run(world.worker(|_| say("found")));
        world.until(id, JobStatus::Succeeded).await;
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_event_that_could_not_be_delivered_comes_again_under_its_key() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "tell").await;
        let (told, times) = (Arc::new(Mutex::new(Vec::new())), Arc::new(AtomicU32::new(0)));
        let deaf = |_| async { Err::<(), _>("nobody is there".to_owned()) };
        let counts = Arc::clone(&times);
        let worker = world.worker(|_| say("done")).notify(deaf).problems(move |_| {
            counts.fetch_add(1, Ordering::SeqCst);
        });
        let running = world.run(worker);
        world.until(id, JobStatus::Succeeded).await;
        while times.load(Ordering::SeqCst) == 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        running.stop().await;

        let later = Clock::of(|| SystemTime::now() + Duration::from_secs(60));
        let state = State::open(&database.place).await.unwrap().with_clock(later);
        let mut world = world;
        world.space = JobSpace::new(&state, world.space.folder());
        let hears = Arc::clone(&told);
        let running = world.run(world.worker(|_| say("done")).notify(move |event| {
            hears.lock().unwrap().push(event);
            async { Ok(()) }
        }));
        world.until_told(&told, 1).await;
        running.stop().await;
        let told = told.lock().unwrap();
        assert_eq!((told[0].job, &*told[0].key), (id, "background_job_event:1000"), "{}", database.name);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_that_is_away_is_no_failure_of_a_job() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "patient").await;
        let (name, place) = (database.name, database.place.clone());
        let kit = move |brief: JobBrief| {
            let database = TestDatabase { name, place: place.clone(), folder: tempfile::tempdir().unwrap() };
            async move {
                if brief.attempt == 1 {
                    meddle(&database, "ALTER TABLE background_jobs RENAME TO hidden").await;
                }
                Ok(JobKit::new(scripted(|_| say("here again")), Vec::new()))
            }
        };
        let (let_go, mut problems) = tokio::sync::mpsc::unbounded_channel();
        let worker =
            JobWorker::new(&world.space, kit).lease(Duration::from_secs(2)).problems(move |problem| {
                let _ = let_go.send(problem);
            });
        let running = world.run(worker);
        let problem = loop {
            let problem = tokio::time::timeout(PATIENCE, problems.recv()).await.unwrap().unwrap();
            if problem.starts_with("the job") {
                break problem;
            }
        };
        assert!(
            problem.contains(&format!("the job {id} was let go: the state database failed")),
            "{problem}"
        );
        meddle(&database, "ALTER TABLE hidden RENAME TO background_jobs").await;
        let details = world.until(id, JobStatus::Succeeded).await;
        let first = details["attempt_history"][0]["outcome"].as_str().unwrap();
        assert!(["lost", "released"].contains(&first), "{}: {details:#}", database.name);
        running.stop().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_job_whose_workers_are_gone_again_and_again_is_given_up() {
    for database in databases().await {
        let world = World::on(&database).await;
        let id = world.ask("c1", "deadly").await;
        let first = world.run(world.worker(|_| call("hold", json!({}))));
        world.until_details(id, |details| details["progress"]["active"][0] == "hold").await;
        first.abort().await;
        // 23 more are gone, and then the next one sees that the first is, too.
        let gone = "INSERT INTO background_job_attempts (job, claim, worker, turn, started_at, ended_at, outcome)
                    SELECT job, claim - 1 - number, 'gone', 1, started_at, started_at, 'lost' FROM background_job_attempts,
                    (WITH RECURSIVE count (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM count WHERE number < 23)
                     SELECT number FROM count) AS numbers";
        assert_eq!(meddle(&database, gone).await, 23);
        let running = world.run(world.worker(|_| call("hold", json!({}))));
        world
            .until_details(id, |details| {
                details["attempts"] == 2 && details["progress"]["active"][0] == "hold"
            })
            .await;
        assert_eq!(world.jobs.details(id).await.unwrap()["status"], "running", "24 are not yet too many");
        running.abort().await;
        let running = world.run(world.worker(|_| call("hold", json!({}))));
        let details = world.until(id, JobStatus::Failed).await;
        assert_eq!(details["error"]["code"], "too_many_claims", "{}: {details:#}", database.name);
        assert_eq!(details["error"]["summary"], "25 workers were gone while they had it");
        running.stop().await;
    }
}
